import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Invoice, SentInvoice } from "../billing/invoices/Invoice.ts"
import { created, data } from "../kernel/Envelope.ts"
import { ValidationFailed } from "../kernel/Refusal.ts"
import { accepted, preferHeaders } from "../operations/Operation.ts"
import { TooManyOperations } from "../operations/OperationErrors.ts"
import { UsesOtherSystems } from "../platform/http/Contract.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authorization } from "../platform/http/Security.ts"
import { CreateInvoices, outcomeOf, removalQuery, SendInvoices, UpdateInvoices } from "./Batch.ts"
import { BatchFailed, BatchTooLarge } from "./BatchErrors.ts"

const error = [ValidationFailed, BatchTooLarge, BatchFailed] as const

/** Implements the spec's "Endpoints: Batch". */
export class BatchApi extends HttpApiGroup.make("batch")
  .add(
    HttpApiEndpoint.post("createInvoices", "/invoices/create", {
      payload: CreateInvoices,
      headers: preferHeaders,
      success: [created(outcomeOf(Invoice)), accepted],
      error: [...error, TooManyOperations]
    }),
    HttpApiEndpoint.post("sendInvoices", "/invoices/send", {
      payload: SendInvoices,
      headers: preferHeaders,
      success: [data(outcomeOf(SentInvoice)), accepted],
      error: [...error, TooManyOperations]
    }).annotate(UsesOtherSystems, true),
    HttpApiEndpoint.post("updateInvoices", "/invoices/update", {
      payload: UpdateInvoices,
      success: data(outcomeOf(Invoice)),
      error
    }),
    HttpApiEndpoint.delete("remove", "/resources", {
      query: removalQuery,
      success: data(outcomeOf(Schema.Struct({ id: Schema.Int }))),
      error
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/batch") {}
