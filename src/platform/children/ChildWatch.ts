import { workerData } from "node:worker_threads"

const watch_interval_ms = 100
const { memory_bytes_max, parent } = workerData as { readonly parent: number; readonly memory_bytes_max: number }

// This runs in its own thread, because the thread that does the job may block for minutes.
setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > memory_bytes_max) process.kill(process.pid, "SIGKILL")
}, watch_interval_ms)
