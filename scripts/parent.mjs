/**
 * Stops the service when the shell ends in which npm runs it: npm passes a signal on to that shell only, which on Linux
 * dies of it without its child.
 */
const interval_ms = 250
const parent = process.ppid

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGTERM")
}, interval_ms).unref()
