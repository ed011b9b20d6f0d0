import { Effect, Layer } from "effect"
import { EinvoicingServices } from "../einvoicing/EinvoicingLayer.ts"
import { operationWorker } from "../operations/OperationWork.ts"
import { Batches } from "./Batches.ts"
import { BatchHttp } from "./BatchHttp.ts"
import { BatchOperations, batchWorks } from "./BatchOperations.ts"
import { InvoiceBatchSender } from "./InvoiceBatchSender.ts"

const BatchServices = Layer.merge(Batches.layer, InvoiceBatchSender.layer).pipe(Layer.provide(EinvoicingServices))

export const BatchLayer = BatchHttp.pipe(Layer.provide([BatchServices, BatchOperations.layer]))

export const BatchWorkers = Layer.unwrap(
  Effect.map(batchWorks, ({ create, send }) => Layer.merge(operationWorker(create), operationWorker(send)))
).pipe(Layer.provide(BatchServices))
