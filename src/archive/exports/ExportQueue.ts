import { Schema } from "effect"
import { backOff, job } from "../../platform/jobs/Jobs.ts"
import { ExportKey } from "./ExportsRepo.ts"

/** Builds one export. Further attempts follow an outage of the storage or the crash of a process. */
export const ExportQueue = job({
  name: "archive.export",
  payload: Schema.Struct(ExportKey.fields),
  attempts_max: 5,
  back_off: backOff("10 seconds", "2 minutes"),
  concurrency: 1,
  // In this time, 72,000 objects can be fetched from a busy object store.
  time_limit: "2 hours"
})
