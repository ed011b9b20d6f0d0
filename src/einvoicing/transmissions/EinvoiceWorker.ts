import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { timed } from "../../platform/jobs/Timed.ts"
import { EinvoiceFollowUp } from "./EinvoiceFollowUp.ts"
import { EinvoiceTransmission } from "./EinvoiceTransmission.ts"
import { EinvoicePapers } from "./EinvoicePapers.ts"
import { FollowUpQueue, PollQueue, SnapshotQueue, TransmissionQueue } from "../documents/EinvoiceQueue.ts"
import { RecordedDocuments } from "../recording/RecordedDocuments.ts"
import { CancellationQueue, RecordingQueue } from "../recording/RecordingQueue.ts"

const sweep_interval = "1 hour"

export const EinvoiceWorker = Layer.unwrap(
  Effect.gen(function* () {
    const { transmit } = yield* EinvoiceTransmission
    const { follow, queue, resume } = yield* EinvoiceFollowUp
    const { keepSnapshot } = yield* EinvoicePapers
    const { cancel, record } = yield* RecordedDocuments
    return Layer.mergeAll(
      worker(TransmissionQueue, transmit),
      worker(FollowUpQueue, queue),
      worker(PollQueue, follow),
      worker(SnapshotQueue, keepSnapshot),
      worker(RecordingQueue, record),
      worker(CancellationQueue, cancel),
      timed({ name: "einvoices.resume", every: sweep_interval, run: resume })
    )
  })
)
