import { serveJobs } from "../../../../src/platform/children/ChildEntry.ts"

/** A reader that is killed while it reads, as by a system that lacks memory. */
serveJobs(() =>
  Promise.resolve(() => {
    process.kill(process.pid, "SIGKILL")
    return new Promise(() => {})
  })
)
