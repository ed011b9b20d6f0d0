import { Effect, Layer } from "effect"
import { worker } from "../platform/jobs/Jobs.ts"
import { timed } from "../platform/jobs/Timed.ts"
import { OperationRunner, type Work } from "./OperationRunner.ts"
import { operationQueues } from "./OperationQueues.ts"

const sweep_interval = "1 minute"

export const operationWorker = <E>(work: Work<E>) =>
  Layer.unwrap(
    Effect.map(OperationRunner, ({ endAbandoned, run }) =>
      Layer.merge(
        worker(operationQueues[work.kind], (key, { last }) => run(work, key, last)),
        timed({ name: `operations.${work.kind}-abandoned`, every: sweep_interval, run: endAbandoned(work) })
      )
    )
  ).pipe(Layer.provide(OperationRunner.layer))
