import { Effect, Schedule } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { childPool, type ChildPoolOptions } from "../../../src/platform/children/ChildPool.ts"

const obedientChild = new URL("./ObedientChild.ts", import.meta.url)

/** A pool of one child, with time limits that suit a busy machine. */
export const poolOf = (changes: Partial<ChildPoolOptions> = {}) =>
  childPool({
    entry: obedientChild,
    size: 1,
    start_duration_max: "1 minute",
    job_duration_max: "1 minute",
    heap_megabytes_max: 64,
    memory_bytes_max: 400_000_000,
    memory_bytes_kept_max: 300_000_000,
    jobs_per_child_max: 50,
    idle_duration_max: "1 minute",
    pause_after_failed_starts: "1 minute",
    ...changes
  })

/** A killed process that its parent has not yet waited for (a zombie) counts as ended. */
const isRunning = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}

export const untilGone = (pid: unknown) =>
  Effect.suspend(() => (isRunning(Number(pid)) ? Effect.fail(`${String(pid)} is running`) : Effect.void)).pipe(
    Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 3_000 })
  )

/** Kills the children of this process that run a module, as the system does if the machine lacks memory. */
export const killChildren = (entry: string) =>
  Effect.sync(() => {
    const threads = readdirSync("/proc/self/task")
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/self/task/${thread}/children`, "utf8").split(" ").filter(Boolean)
    )
    const killed = children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(entry))
    for (const pid of killed) process.kill(Number(pid), "SIGKILL")
    return killed.length
  })
