import { Context, Effect, Layer, Schema } from "effect"
import { Invoice, SentInvoice } from "../billing/invoices/Invoice.ts"
import { compiled } from "../kernel/Compiled.ts"
import type { Operation } from "../operations/Operation.ts"
import type { TooManyOperations } from "../operations/OperationErrors.ts"
import type { RunInput, Work } from "../operations/OperationRunner.ts"
import { stored } from "../operations/Stored.ts"
import { Operations } from "../operations/Operations.ts"
import type { Caller } from "../platform/http/Security.ts"
import { CreateInvoices, type ItemResult, resultOf, SendInvoices } from "./Batch.ts"
import { BatchFailed, BatchTooLarge } from "./BatchErrors.ts"
import { Batches } from "./Batches.ts"
import { charactersOf } from "./BatchResults.ts"
import { type Progress, requireSize } from "./BatchRunner.ts"
import { InvoiceBatchSender } from "./InvoiceBatchSender.ts"

type Ordered = Effect.Effect<Operation, BatchTooLarge | TooManyOperations, Caller>
type Refused = BatchTooLarge | BatchFailed

export class BatchOperations extends Context.Service<
  BatchOperations,
  {
    readonly createInvoices: (body: CreateInvoices) => Ordered
    readonly sendInvoices: (body: SendInvoices) => Ordered
  }
>()("invoicing/batch/BatchOperations") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const operations = yield* Operations

      const createInvoices = Effect.fn("BatchOperations.createInvoices")(function* (body: CreateInvoices) {
        yield* requireSize(body.invoices)
        const input = yield* CreateInput.encode(body)
        return yield* operations.enqueue({ kind: "batch_create", total: body.invoices.length, input })
      })

      const sendInvoices = Effect.fn("BatchOperations.sendInvoices")(function* (body: SendInvoices) {
        yield* requireSize(body.invoice_ids)
        const input = yield* SendInput.encode(body)
        return yield* operations.enqueue({ kind: "batch_send", total: body.invoice_ids.length, input })
      })

      return BatchOperations.of({ createInvoices, sendInvoices })
    })
  ).pipe(Layer.provide(Operations.layer))
}

export const batchWorks = Effect.gen(function* () {
  const batches = yield* Batches
  const sending = yield* InvoiceBatchSender
  const create: Work<Refused> = {
    ...batch,
    kind: "batch_create",
    run: Effect.fnUntraced(function* (runInput) {
      yield* batches.createInvoices(yield* CreateInput.decode(runInput.input), yield* createdProgress(runInput))
    })
  }
  const send: Work<Refused> = {
    ...batch,
    kind: "batch_send",
    run: Effect.fnUntraced(function* (runInput) {
      yield* sending.sendInvoices(yield* SendInput.decode(runInput.input), yield* sentProgress(runInput))
    })
  }
  return { create, send }
})

const batch = { results: "list", refusals: Schema.Union([BatchTooLarge, BatchFailed]) } as const

const CreateInput = stored(CreateInvoices)
const SendInput = stored(SendInvoices)

/** Decodes a recorded result without the type of its data, because a resumed batch needs only status and error. */
const Recorded = stored(resultOf(Schema.Json))

const progressOf = <A, E>(schema: Schema.Codec<A, E>) => {
  const { encode } = stored(compiled(resultOf(schema)))
  return Effect.fnUntraced(function* ({ isLast, record, recorded }: RunInput) {
    const before = new Map<number, ItemResult<never>>()
    let characters = 0
    for (const [position, result] of recorded) {
      const known = yield* Recorded.decode(result)
      characters += charactersOf(known.data)
      before.set(position, { ...known, data: null })
    }
    const progress: Progress<A> = {
      recorded: before,
      characters,
      isLast,
      record: (result) =>
        Effect.flatMap(encode(result), (json) => record(result.index, result.status === "failed", json))
    }
    return progress
  })
}

const createdProgress = progressOf(Invoice)
const sentProgress = progressOf(SentInvoice)
