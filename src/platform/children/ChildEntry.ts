import { fileURLToPath } from "node:url"
import { Worker } from "node:worker_threads"
import {
  cpu_limit_signal,
  cpu_limit_variable,
  memory_limit_signal,
  memory_limit_variable,
  type FromChild,
  type ToChild
} from "./ChildMessages.ts"

/** Asks the parent a question and waits for the reply; only one question may be open at a time. */
export type AskParent = (question: unknown) => Promise<unknown>
type Handler = (job: unknown, ask: AskParent) => Promise<unknown>

/**
 * Serves jobs if the module is the entry point of this process. The service may import such a module, too, so that
 * Node's compile cache contains it; then a child starts faster, and without the compiler for TypeScript.
 */
export const childEntry = (module: string, prepare: () => Promise<Handler>): URL => {
  const entry = new URL(module)
  if (process.argv[1] === fileURLToPath(entry)) serveJobs(prepare)
  return entry
}

const stop_signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/**
 * Prepares once, then does one job at a time. The child exits when its parent exits, even if the parent was killed or
 * the child's event loop is busy. It also exits when it exceeds its limit of memory, or of processor time per job.
 */
export const serveJobs = (prepare: () => Promise<Handler>): void => {
  const jobs = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  new Worker(new URL("./ChildWatch.mjs", import.meta.url), {
    workerData: {
      parent: process.ppid,
      memory_bytes_max: Number(process.env[memory_limit_variable]),
      cpu_seconds_max: Number(process.env[cpu_limit_variable] ?? Infinity),
      cpu_limit_signal,
      memory_limit_signal,
      /** Number of jobs that the child has started, in shared memory. */
      jobs
    },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 }
  }).unref()
  // A terminal and systemd signal all processes of the service. The children go on with their jobs while the service
  // stops; the service then kills them, or they exit when it exits.
  for (const signal of stop_signals) process.on(signal, () => {})
  process.on("disconnect", () => process.exit(0))
  void serve(prepare, jobs)
}

const waiting: { replied: (reply: unknown) => void } = { replied: () => {} }

const ask: AskParent = (question) =>
  new Promise((resolve) => {
    waiting.replied = resolve
    send({ question })
  })

const serve = async (prepare: () => Promise<Handler>, jobs: Int32Array) => {
  try {
    const handle = await prepare()
    process.on("message", (message: ToChild) => {
      if ("reply" in message) return waiting.replied(message.reply)
      Atomics.add(jobs, 0, 1)
      send({ begun: true })
      void answer(() => handle(message.job, ask)).then(send)
    })
    send({ ready: true })
  } catch (cause) {
    process.send?.({ problem: String(cause) } satisfies FromChild, () => process.exit(1))
  }
}

const answer = async (done: () => Promise<unknown>): Promise<FromChild> => {
  try {
    return { answer: await done(), memory_bytes: process.memoryUsage.rss() }
  } catch (cause) {
    return { problem: String(cause) }
  }
}

const send = (message: FromChild) => void process.send?.(message)
