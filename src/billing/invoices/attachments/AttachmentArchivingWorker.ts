import { Effect, Layer } from "effect"
import { worker } from "../../../platform/jobs/Jobs.ts"
import { AttachmentArchiving } from "./AttachmentArchiving.ts"
import { AttachmentArchivingQueue } from "./AttachmentArchivingQueue.ts"

export const AttachmentArchivingWorker = Layer.unwrap(
  Effect.map(AttachmentArchiving, ({ archive }) => worker(AttachmentArchivingQueue, archive))
).pipe(Layer.provide(AttachmentArchiving.layer))
