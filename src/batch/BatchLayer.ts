import { Layer } from "effect"
import { EinvoicingServices } from "../einvoicing/EinvoicingLayer.ts"
import { Batches } from "./Batches.ts"
import { BatchHttp as BatchGroup } from "./BatchHttp.ts"

export const BatchHttp = BatchGroup.pipe(Layer.provide(Batches.layer), Layer.provide(EinvoicingServices))
