import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { timed } from "../../platform/jobs/Timed.ts"
import { DocumentArchiver } from "./DocumentArchiver.ts"
import { ArchivingQueue } from "./ArchivingQueue.ts"

const resume_interval = "1 hour"

export const ArchivingWorker = Layer.unwrap(
  Effect.map(DocumentArchiver, ({ archive, resume }) =>
    Layer.merge(
      worker(ArchivingQueue, archive),
      timed({ name: "billing.archiving-resume", every: resume_interval, run: resume })
    )
  )
).pipe(Layer.provide(DocumentArchiver.layer))
