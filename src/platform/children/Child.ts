import { Duration, Effect } from "effect"
import { fork, type ChildProcess } from "node:child_process"
import { writeFileSync } from "node:fs"
import { flushCompileCache } from "node:module"
import { constants, setPriority } from "node:os"
import { fileURLToPath } from "node:url"
import { ChildFailed, ChildGone, ChildTimedOut, ChildUnavailable } from "./ChildErrors.ts"
import {
  cpu_limit_signal,
  cpu_limit_variable,
  memory_limit_signal,
  memory_limit_variable,
  type FromChild,
  type ToChild
} from "./ChildMessages.ts"

export interface ChildOptions {
  /** A module that calls `serveJobs` or `childEntry`. */
  readonly entry: URL
  readonly arguments?: ReadonlyArray<string>
  /** Maximum time until the child reports that it is ready. */
  readonly start_duration_max: Duration.Input
  readonly job_duration_max: Duration.Input
  /** Maximum processor time of a job, which does not depend on how busy the machine is. Default: no limit. */
  readonly job_cpu_max?: Duration.Input
  /** Limit of the JavaScript heap; the memory of WebAssembly is not part of it. */
  readonly heap_megabytes_max: number
  /** Size of V8's young generation in megabytes. V8 uses up to three times as much memory for it. */
  readonly young_megabytes_max?: number
  /** Memory limit of the whole process, checked ten times a second. A child that exceeds it kills itself. */
  readonly memory_bytes_max: number
  /** Runs the child at low priority, so that it does not slow down the service and its database. */
  readonly low_priority?: boolean
}

export interface Child {
  readonly process: ChildProcess
  jobs_done: number
  /** Resident memory that the child reported with its last answer. */
  memory_bytes: number
  /** Time at which the child last became idle, in milliseconds since 1970. */
  idle_since: number
}

/** Default size of V8's young generation in a child, in megabytes. It is as small as in the service itself. */
const young_megabytes = 16

/** A child may read files, run native code and start threads; it cannot use the network, write or start processes. */
const confinement = ["--permission", "--allow-fs-read=*", "--allow-worker", "--allow-addons", "--no-warnings"]

export const startChild = (options: ChildOptions): Effect.Effect<Child, ChildUnavailable> =>
  Effect.suspend(() => {
    const process = forkChild(options)
    const ready = Effect.callback<Child, ChildUnavailable>((resume) =>
      listen(process, {
        message: (message) =>
          "ready" in message
            ? resume(Effect.succeed({ process, jobs_done: 0, memory_bytes: 0, idle_since: 0 }))
            : resume(unavailable("problem" in message ? message.problem : "answered before it was asked")),
        end: (reason) => resume(unavailable(reason))
      })
    )
    return ready.pipe(
      Effect.timeoutOrElse({
        duration: options.start_duration_max,
        orElse: () => unavailable("was not ready in time")
      }),
      Effect.onError(() => killProcess(process))
    )
  })

export type ReplyTo = (question: unknown) => Effect.Effect<unknown>

/**
 * Sends a job and waits for the answer. After a failure, the caller must kill the child, because nothing else stops its
 * work.
 */
export const ask = (child: Child, job: unknown, { job_duration_max }: ChildOptions, replyTo: ReplyTo) =>
  converse(child, { job }, replyTo).pipe(
    Effect.timeoutOrElse({
      duration: job_duration_max,
      orElse: () => Effect.fail(new ChildTimedOut({ limit: "time" }))
    })
  )

const converse = Effect.fnUntraced(function* (child: Child, message: ToChild, replyTo: ReplyTo) {
  let received = yield* exchange(child, message)
  while ("question" in received) received = yield* exchange(child, { reply: yield* replyTo(received.question) })
  return received.answer
})

/** Sends a message, and waits for the answer or the next question of the child. */
const exchange = (child: Child, message: ToChild) =>
  Effect.callback<Answered, ChildFailed | ChildGone | ChildTimedOut>((resume) => {
    let begun = "reply" in message
    const ended = (reason: string) => {
      if (!begun) return resume(Effect.fail(new ChildGone({ reason })))
      const { signalCode } = child.process
      if (signalCode === cpu_limit_signal) return resume(Effect.fail(new ChildTimedOut({ limit: "cpu" })))
      resume(failed(crash_signals.has(signalCode) ? "memory" : "ended", reason))
    }
    const stop = listen(child.process, {
      begun: () => {
        begun = true
      },
      message: (message) => {
        if ("question" in message) return resume(Effect.succeed(message))
        child.jobs_done++
        if ("answer" in message) {
          child.memory_bytes = message.memory_bytes
          resume(Effect.succeed(message))
        } else resume(failed("thrown", "problem" in message ? message.problem : "started again"))
      },
      end: ended
    })
    child.process.send(message, (error) => {
      if (error !== null) ended(error.message)
    })
    return stop
  })

type Answered = Extract<FromChild, { readonly answer: unknown } | { readonly question: unknown }>

/** False as soon as the child is killed, because the exit code of a killed process arrives later. */
export const isAlive = ({ process }: Child): boolean =>
  !process.killed && process.connected && process.exitCode === null && process.signalCode === null

export const killChild = ({ process }: Child): Effect.Effect<void> => killProcess(process)

const killProcess = (process: ChildProcess) => Effect.sync(() => void process.kill("SIGKILL"))

const unavailable = (reason: string) => Effect.fail(new ChildUnavailable({ reason }))
const failed = (cause: ChildFailed["cause"], reason: string) => Effect.fail(new ChildFailed({ cause, reason }))

/**
 * Signals of a process that its job brought down: our limit of memory, a full heap of V8 (SIGABRT), and a native crash,
 * such as an overflow of the stack.
 */
const crash_signals: ReadonlySet<string | null> = new Set([memory_limit_signal, "SIGABRT", "SIGSEGV", "SIGBUS"])

const forkChild = (options: ChildOptions): ChildProcess => {
  const child = fork(fileURLToPath(options.entry), options.arguments, {
    execArgv: [
      `--max-old-space-size=${options.heap_megabytes_max}`,
      `--max-semi-space-size=${options.young_megabytes_max ?? young_megabytes}`,
      // Garbage is collected on one core, which leaves the other cores to the service.
      "--no-parallel-scavenge",
      ...confinement
    ],
    // Linux divides processor time among sessions first, so a child in its own session takes no time from the service.
    detached: options.low_priority === true,
    // The child inherits no environment variables, because some hold secrets. Few malloc arenas reduce fragmentation.
    env: {
      [memory_limit_variable]: String(options.memory_bytes_max),
      ...(options.job_cpu_max === undefined
        ? {}
        : { [cpu_limit_variable]: String(Duration.toSeconds(options.job_cpu_max)) }),
      MALLOC_ARENA_MAX: "2",
      ...compileCache(),
      UV_THREADPOOL_SIZE: "2"
    },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  if (options.low_priority === true && child.pid !== undefined) lowerPriority(child.pid)
  // An `error` event without a listener would crash the parent.
  return child.on("error", () => {})
}

/**
 * Lets a child read the compile cache of this process, and first stores there the modules that this process has loaded.
 * A child must not write the cache, because this process would run code that the child stored.
 */
const compileCache = (): NodeJS.ProcessEnv => {
  const { NODE_COMPILE_CACHE } = process.env
  if (NODE_COMPILE_CACHE === undefined) return {}
  flushCompileCache()
  return { NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_READONLY: "1" }
}

/**
 * On a busy processor, a session of this niceness still gets about a tenth of the time. With the lowest priority it
 * would get a hundredth, and reading a file would take longer than a request may wait.
 */
const session_niceness = 10

/** Gives a low priority to a process that leads its own session, and to that session. */
const lowerPriority = (pid: number) => {
  const { PRIORITY_LOW } = constants.priority
  // The priority is set immediately, because the threads that Node starts inherit it.
  setPriority(pid, PRIORITY_LOW)
  try {
    // If Linux divides the processor among sessions first, only the priority of the session matters.
    writeFileSync(`/proc/${pid}/autogroup`, String(session_niceness))
  } catch {
    // Other systems, and some Linux kernels, only know the priority of the process.
  }
}

interface Listener {
  readonly begun?: () => void
  /** Called at most once, for the message that ends the exchange. */
  readonly message: (message: FromChild) => void
  readonly end: (reason: string) => void
}

const listen = (process: ChildProcess, { begun, end, message }: Listener) => {
  const onExit = (code: number | null, signal: string | null) => settle(() => end(`ended with ${signal ?? code}`))
  const onError = (cause: Error) => settle(() => end(cause.message))
  const onMessage = (received: FromChild) => {
    if ("begun" in received) begun?.()
    else settle(() => message(received))
  }
  const stop = () => process.off("exit", onExit).off("error", onError).off("message", onMessage)
  const settle = (then: () => void) => {
    stop()
    then()
  }
  process.on("exit", onExit).on("error", onError).on("message", onMessage)
  return Effect.sync(() => void stop())
}
