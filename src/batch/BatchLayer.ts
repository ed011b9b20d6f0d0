import { Layer } from "effect"
import { Batches } from "./Batches.ts"
import { BatchHandlers } from "./BatchHttp.ts"

export const BatchHttp = BatchHandlers.pipe(Layer.provide(Batches.layer))
