import { statSync } from "node:fs"
import { failed } from "../../../../src/expenses/receipts/records/Extraction.ts"
import type { ReaderJob } from "../../../../src/expenses/receipts/reading/ReaderJob.ts"
import { serveJobs } from "../../../../src/platform/children/ChildEntry.ts"

/** A reader that hangs while it reads an empty file, and finds nothing in any other file. */
serveJobs(() =>
  Promise.resolve((job) => {
    // Boundary: the tests give this child no other jobs.
    const { path } = job as ReaderJob
    return statSync(path).size === 0
      ? new Promise(() => {})
      : Promise.resolve(failed("text_layer", "unreadable", "The file states nothing."))
  })
)
