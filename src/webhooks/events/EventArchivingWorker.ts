import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { EventArchiver } from "./EventArchiver.ts"
import { EventArchivingQueue } from "./EventArchivingQueue.ts"

export const EventArchivingWorker = Layer.unwrap(
  Effect.map(EventArchiver, ({ archive }) => worker(EventArchivingQueue, archive))
).pipe(Layer.provide(EventArchiver.layer))
