import { workerData } from "node:worker_threads"
import { cpu_limit_signal } from "./ChildMessages.ts"

export interface Watched {
  readonly parent: number
  readonly memory_bytes_max: number
  /** Maximum processor time per job in seconds. */
  readonly cpu_seconds_max: number
  /** Number of jobs that the child has started, in shared memory. */
  readonly jobs: Int32Array
}

const watch_interval_ms = 100
// Boundary: `serveJobs` starts this worker with data of this type.
const { cpu_seconds_max, jobs, memory_bytes_max, parent } = workerData as Watched

let job = 0
let begun = process.cpuUsage()

const usedSeconds = (): number => {
  if (Atomics.load(jobs, 0) !== job) {
    job = Atomics.load(jobs, 0)
    begun = process.cpuUsage()
  }
  const { system, user } = process.cpuUsage(begun)
  return (system + user) / 1e6
}

// The check runs in its own thread, because the thread of the job may block for minutes.
setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > memory_bytes_max) process.kill(process.pid, "SIGKILL")
  if (usedSeconds() > cpu_seconds_max && job > 0) process.kill(process.pid, cpu_limit_signal)
}, watch_interval_ms)
