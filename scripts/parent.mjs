/**
 * Stops the service when its shell ends: npm on Linux passes a signal only to the shell, which does not stop its child.
 */
const interval_ms = 250
const parent = process.ppid

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM")
}, interval_ms).unref()
