import { Effect, Layer } from "effect"
import { timed } from "../platform/jobs/Timed.ts"
import { OperationRunner } from "./OperationRunner.ts"

const purge_interval = "1 hour"

export const OperationsPurgeWorker = Layer.unwrap(
  Effect.map(OperationRunner, ({ purge }) => timed({ name: "operations.purge", every: purge_interval, run: purge }))
).pipe(Layer.provide(OperationRunner.layer))
