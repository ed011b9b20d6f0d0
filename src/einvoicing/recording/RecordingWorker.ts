import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { RecordedDocuments } from "./RecordedDocuments.ts"
import { CancellationQueue, RecordingQueue } from "./RecordingQueue.ts"

export const RecordingWorker = Layer.unwrap(
  Effect.map(RecordedDocuments, ({ cancel, record }) =>
    Layer.merge(worker(RecordingQueue, record), worker(CancellationQueue, cancel))
  )
)
