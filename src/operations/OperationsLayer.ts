import { Layer } from "effect"
import { Operations } from "./Operations.ts"
import { OperationsHandlers } from "./OperationsHttp.ts"

export const OperationsHttp = OperationsHandlers.pipe(Layer.provide(Operations.layer))
