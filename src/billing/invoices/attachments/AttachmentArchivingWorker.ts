import { Effect, Layer } from "effect"
import { worker } from "../../../platform/jobs/Jobs.ts"
import { AttachmentArchiver } from "./AttachmentArchiver.ts"
import { AttachmentArchivingQueue } from "./AttachmentArchivingQueue.ts"

export const AttachmentArchivingWorker = Layer.unwrap(
  Effect.map(AttachmentArchiver, ({ archive }) => worker(AttachmentArchivingQueue, archive))
).pipe(Layer.provide(AttachmentArchiver.layer))
