/**
 * Ends a child process that exceeds a limit or outlives its parent. This file is plain JavaScript, because a thread
 * that runs TypeScript keeps 8 MB of memory for it until the thread ends.
 */
import { workerData } from "node:worker_threads"

const watch_interval_ms = 100
const { cpu_limit_signal, cpu_seconds_max, jobs, memory_bytes_max, memory_limit_signal, parent } = workerData

let job = 0
let begun = process.cpuUsage()

const usedSeconds = () => {
  if (Atomics.load(jobs, 0) !== job) {
    job = Atomics.load(jobs, 0)
    begun = process.cpuUsage()
  }
  const { system, user } = process.cpuUsage(begun)
  return (system + user) / 1e6
}

// The check runs in its own thread, because the thread of the job may block for minutes.
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL")
  if (process.memoryUsage.rss() > memory_bytes_max) process.kill(process.pid, memory_limit_signal)
  if (usedSeconds() > cpu_seconds_max && job > 0) process.kill(process.pid, cpu_limit_signal)
}, watch_interval_ms)
