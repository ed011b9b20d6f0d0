/**
 * Stops the service when the shell in which npm runs it ends. On Linux, npm passes a signal only to that shell, which
 * ends without stopping its child.
 */
const interval_ms = 250
const parent = process.ppid

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM")
}, interval_ms).unref()
