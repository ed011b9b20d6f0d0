import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync, readlinkSync, rmSync } from "node:fs"
import { join } from "node:path"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

const poll_interval_ms = 50
const fast_stop_seconds_max = 30
const immediate_stop_seconds_max = 10

/** Stops the server that a killed process left running. The caller must hold the lock, so that nobody else uses it. */
export const stopOrphan = Effect.fn("PostgresOrphan.stop")(function* (data: string) {
  const pid = postmasterOf(data)
  if (pid === undefined) return
  if (!runsIn(pid, data)) {
    // PostgreSQL removes the `postmaster.pid` of a dead server itself, unless another process now has the same id.
    if (signal(pid, 0)) rmSync(join(data, "postmaster.pid"), { force: true })
    return
  }
  yield* Effect.logWarning(`The database in ${data} is still running, because its process was killed: restarting it.`)
  yield* end(pid, data, "SIGINT", fast_stop_seconds_max).pipe(
    Effect.catch(() => end(pid, data, "SIGQUIT", immediate_stop_seconds_max))
  )
})

/** The first line of `postmaster.pid` is the process id (PostgreSQL manual, 66.1 Database File Layout). */
const postmasterOf = (data: string) => {
  try {
    const pid = Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10)
    return pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

/** The working directory of a server, or else its arguments, show its data directory. */
const runsIn = (pid: number, data: string) => {
  try {
    return process.platform === "linux"
      ? readlinkSync(`/proc/${pid}/cwd`) === data
      : execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(`-D ${data} `)
  } catch {
    return false
  }
}

const signal = (pid: number, name: NodeJS.Signals | 0) => {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

const end = Effect.fnUntraced(function* (pid: number, data: string, name: NodeJS.Signals, seconds_max: number) {
  signal(pid, name)
  for (let polls = 0; polls < (seconds_max * 1000) / poll_interval_ms; polls++) {
    if (!runsIn(pid, data)) return
    yield* Effect.sleep(poll_interval_ms)
  }
  return yield* new EmbeddedPostgresError({ message: `Process ${pid} uses the database in ${data} and does not stop.` })
})
