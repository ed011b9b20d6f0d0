import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { EnrollmentRepairQueue } from "./EnrollmentQueue.ts"
import { EnrollmentRepair } from "./EnrollmentRepair.ts"

export const EnrollmentWorker = Layer.unwrap(
  Effect.map(EnrollmentRepair, ({ repair }) => worker(EnrollmentRepairQueue, repair))
)
