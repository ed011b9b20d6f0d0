import { Effect, Layer } from "effect"
import { worker } from "../../platform/jobs/Jobs.ts"
import { DisconnectionQueue } from "./DisconnectionQueue.ts"
import { Disconnections } from "./Disconnections.ts"

export const DisconnectionWorker = Layer.unwrap(
  Effect.map(Disconnections, (disconnections) => worker(DisconnectionQueue, () => disconnections.record))
).pipe(Layer.provide(Disconnections.layer))
