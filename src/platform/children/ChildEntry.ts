import { Worker } from "node:worker_threads"
import { memory_limit_variable, type FromChild, type ToChild } from "./ChildMessages.ts"

/**
 * The child's side: prepares once, then does one job at a time. Ends with its parent, even a killed one and even while
 * the event loop is busy, and when it uses more memory than it may.
 */
export const serveJobs = (prepare: () => Promise<(job: unknown) => Promise<unknown>>): void => {
  new Worker(new URL("./ChildWatch.ts", import.meta.url), {
    workerData: { parent: process.ppid, memory_bytes_max: Number(process.env[memory_limit_variable]) },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 }
  }).unref()
  process.on("disconnect", () => process.exit(0))
  prepare().then(
    (handle) => {
      process.on("message", ({ job }: ToChild) => void answer(handle, job))
      send({ ready: true })
    },
    (cause) => process.send?.({ problem: String(cause) } satisfies FromChild, () => process.exit(1))
  )
}

const answer = (handle: (job: unknown) => Promise<unknown>, job: unknown) =>
  handle(job).then(
    (answer) => send({ answer, memory_bytes: process.memoryUsage.rss() }),
    (cause) => send({ problem: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) })
  )

const send = (message: FromChild) => void process.send?.(message)
