import { Layer } from "effect"
import { Operations } from "./Operations.ts"
import { OperationsHttp } from "./OperationsHttp.ts"

export const OperationsLayer = OperationsHttp.pipe(Layer.provide(Operations.layer))
