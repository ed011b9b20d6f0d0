import { serveJobs } from "../../../src/platform/children/ChildEntry.ts"

/** A reader of arrivals that the system kills during its job. */
serveJobs(async () => async () => {
  process.kill(process.pid, "SIGKILL")
  await new Promise(() => {})
})
