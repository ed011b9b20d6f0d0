import { existsSync, writeFileSync } from "node:fs"
import { getCompileCacheDir } from "node:module"
import { type AskParent, serveJobs } from "../../../src/platform/children/ChildEntry.ts"

/** Everything that a job can do in its child process, by the name of the order. */
const orders: Readonly<Record<string, (argument: string, ask: AskParent) => unknown>> = {
  pid: () => process.pid,
  compiled: () => getCompileCacheDir(),
  environment: () => Object.keys(process.env),
  hang: () => new Promise(() => {}),
  spin: () => {
    for (;;) Math.sqrt(2)
  },
  wait: (milliseconds) => new Promise((resolve) => setTimeout(() => resolve(process.pid), Number(milliseconds))),
  throw: (message) => {
    throw new Error(message)
  },
  crash: () => {
    setImmediate(() => {
      throw new Error("nobody catches this")
    })
    return new Promise(() => {})
  },
  exit: () => process.exit(3),
  // The system kills a process like this if the machine lacks memory.
  kill: () => {
    process.kill(process.pid, "SIGKILL")
    return new Promise(() => {})
  },
  fill: () => {
    const held: Array<string> = []
    for (;;) held.push(String(held.length).repeat(100))
  },
  swell: (amount) => {
    const [megabytes, milliseconds] = amount.split(",")
    const held = Array.from({ length: Number(megabytes) }, (_, at) => Buffer.alloc(1_000_000, at + 1))
    // The memory is held long enough for the watcher to notice.
    return new Promise((resolve) => setTimeout(() => resolve(held.length), Number(milliseconds)))
  },
  keep: (megabytes) => {
    kept.push(Buffer.alloc(Number(megabytes) * 1_000_000, 1))
    return process.pid
  },
  write: (path) => writeFileSync(path, "escaped"),
  ask: async (numbers, ask) => {
    const replies: Array<unknown> = []
    for (const number of numbers.split(",")) replies.push(await ask(number))
    return replies
  },
  call: (url) => fetch(url).then(({ status }) => status)
}

const kept: Array<Buffer> = []
const [start = "at once"] = process.argv.slice(2)

serveJobs(async () => {
  if (start === "never") await new Promise(() => setInterval(() => {}, 1000))
  if (start === "crash") process.exit(4)
  if (start !== "at once" && !existsSync(start)) throw new Error(`${start} is missing`)
  return async (job, ask) => {
    const [order = "", argument = ""] = String(job).split(" ")
    return orders[order]?.(argument, ask)
  }
})
