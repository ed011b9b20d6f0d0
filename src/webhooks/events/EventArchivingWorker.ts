import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { EventArchiving } from "./EventArchiving.ts"
import { EventArchivingQueue } from "./EventArchivingQueue.ts"

export const EventArchivingWorker = Layer.unwrap(
  Effect.map(EventArchiving, ({ archive }) => worker(EventArchivingQueue, archive))
).pipe(Layer.provide(EventArchiving.layer))
