import { Effect, Layer } from "effect"
import { timed } from "../platform/jobs/Timed.ts"
import { OperationRuns } from "./OperationRuns.ts"

const purge_interval = "1 hour"

export const OperationsPurgeWorker = Layer.unwrap(
  Effect.map(OperationRuns, ({ purge }) => timed({ name: "operations.purge", every: purge_interval, run: purge }))
).pipe(Layer.provide(OperationRuns.layer))
