import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { timed } from "../../platform/jobs/Timed.ts"
import { EinvoiceFollowUp } from "./EinvoiceFollowUp.ts"
import { EinvoiceTransmission } from "./EinvoiceTransmission.ts"
import { PaymentReports } from "./PaymentReports.ts"
import { EinvoicePapers } from "./EinvoicePapers.ts"
import {
  ExtraPollQueue,
  FollowUpQueue,
  PollQueue,
  SnapshotQueue,
  TransmissionQueue
} from "../documents/EinvoiceQueue.ts"

const sweep_interval = "1 hour"
const late_payments_interval = "1 hour"

export const EinvoiceWorker = Layer.unwrap(
  Effect.gen(function* () {
    const { transmit } = yield* EinvoiceTransmission
    const { follow, followExtra, queue, resume } = yield* EinvoiceFollowUp
    const { keepSnapshot } = yield* EinvoicePapers
    const { enqueueLate } = yield* PaymentReports
    return Layer.mergeAll(
      worker(TransmissionQueue, transmit),
      worker(FollowUpQueue, queue),
      worker(PollQueue, follow),
      worker(ExtraPollQueue, followExtra),
      worker(SnapshotQueue, keepSnapshot),
      timed({ name: "einvoices.resume", every: sweep_interval, run: resume }),
      timed({ name: "einvoices.late-payments", every: late_payments_interval, run: enqueueLate })
    )
  })
)
