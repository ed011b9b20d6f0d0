import { Schema } from "effect"
import { backOff, job } from "../../platform/jobs/Jobs.ts"
import { ExportKey } from "./ExportsRepo.ts"

/** Building one export. Attempts are for outages of the storage, and for processes that are killed. */
export const ExportQueue = job({
  name: "archive.export",
  payload: Schema.Struct(ExportKey.fields),
  attempts_max: 5,
  back_off: backOff("10 seconds", "2 minutes"),
  concurrency: 1,
  // 72,000 objects out of an object store, with room for a busy one.
  time_limit: "2 hours"
})
