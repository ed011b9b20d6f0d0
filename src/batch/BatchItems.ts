import { Effect, Option, Schema, SchemaAST } from "effect"
import { InvoiceLocked, NonChronological } from "../billing/invoices/InvoiceErrors.ts"
import { NumberTaken } from "../billing/numbering/NumberTaken.ts"
import { DeliveryFailed, NoRecipient, SendInProgress } from "../billing/sending/SendErrors.ts"
import { PaymentLocked } from "../billing/payments/PaymentErrors.ts"
import { QuoteLocked } from "../billing/quotes/QuoteErrors.ts"
import { CustomerDeleted, CustomerHasDocuments } from "../customers/CustomerErrors.ts"
import {
  AlreadySubmitted,
  FormatUnsupported,
  InvalidDocument,
  NoNetworkRecipient,
  NotRegistered,
  SubmissionFailed
} from "../einvoicing/documents/SubmissionErrors.ts"
import { ProviderNotConfigured } from "../einvoicing/providers/ProviderErrors.ts"
import { ProviderMismatch } from "../einvoicing/registrations/RegistrationErrors.ts"
import { ExpenseLocked, ExpenseRejected } from "../expenses/ExpenseErrors.ts"
import { InvoiceId } from "../kernel/Ids.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../kernel/Refusal.ts"
import { PdfTooComplex, PdfUnavailable } from "../platform/documents/pdf/PdfErrors.ts"
import { unavailable_message } from "../platform/http/answers/EdgeAnswers.ts"
import { Forbidden, MissingScope } from "../platform/http/Refusals.ts"
import { fieldErrors } from "../platform/http/RequestValidation.ts"
import { StorageUnavailable } from "../platform/storage/StorageUnavailable.ts"
import type { ItemError } from "./Batch.ts"
import { BatchTextTooLong, NotAttempted } from "./BatchErrors.ts"
import { BooksLocked } from "../kernel/BooksLocked.ts"

const refusals = [
  NotFound,
  ValidationFailed,
  PreconditionFailed,
  MissingScope,
  Forbidden,
  InvoiceLocked,
  NonChronological,
  NumberTaken,
  QuoteLocked,
  CustomerDeleted,
  BooksLocked,
  CustomerHasDocuments,
  PaymentLocked,
  ExpenseLocked,
  ExpenseRejected,
  NoRecipient,
  DeliveryFailed,
  SendInProgress,
  PdfUnavailable,
  PdfTooComplex,
  NotRegistered,
  ProviderNotConfigured,
  NoNetworkRecipient,
  ProviderMismatch,
  FormatUnsupported,
  AlreadySubmitted,
  InvalidDocument,
  SubmissionFailed,
  StorageUnavailable,
  NotAttempted,
  BatchTextTooLong
] as const
export type ItemRefusal = InstanceType<(typeof refusals)[number]>

const Refusals = Schema.toCodecJson(Schema.Union(refusals))
const encode = Schema.encodeEffect(Refusals)
const statusOf = SchemaAST.resolveAt<number>("httpApiStatus")

export interface Refused {
  readonly http_status: number
  readonly error: ItemError
}

/** Returns the refusal as the endpoint for a single record would answer it: the status, and the error in the body. */
export const refusedWith = Effect.fnUntraced(function* (refusal: ItemRefusal): Effect.fn.Return<Refused> {
  const kind = refusals.find((candidate) => refusal instanceof candidate)
  const http_status = kind === undefined ? 500 : (statusOf(kind.ast) ?? 500)
  // Boundary: every refusal is encoded to the fields of ItemError and `success`.
  const { success: _, ...error } = (yield* Effect.orDie(encode(refusal))) as ItemError & { readonly success: false }
  return { http_status, error }
})

/** The result of an item that failed because of an internal error, whose cause is hidden from the caller. */
export const serverError: Refused = { http_status: 500, error: { code: "server_error", message: "Server Error" } }

/** The result of an item that the database could not store at present. A later request can succeed. */
export const unavailable: Refused = { http_status: 503, error: { code: "unavailable", message: unavailable_message } }

/** The item was undone because another item of an atomic batch failed (RFC 4918, 11.4: Failed Dependency). */
export const rolledBack: Refused = {
  http_status: 424,
  error: { code: "rolled_back", message: "Undone, because another item of the batch failed." }
}

/** Adds `path` before the path of each error. An error at `""` or `own` is about the whole element: it gets `path`. */
const errorsAt = (path: string, { errors }: ValidationFailed, own = "") =>
  ValidationFailed.of(
    Object.fromEntries(
      Object.entries(errors).map(([key, sentences]) => [key === "" || key === own ? path : `${path}.${key}`, sentences])
    )
  )

/** Decodes one element of a batch as its own endpoint would decode its body. */
export const decodeElement = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownEffect(Schema.toCodecJson(schema), { errors: "all" })
  return (element: unknown): Effect.Effect<S["Type"], ValidationFailed> =>
    decode(element).pipe(
      Effect.mapError(({ issue }) => {
        const { body, ...fields } = fieldErrors(issue)
        return ValidationFailed.of({
          ...(body === undefined ? {} : { "": ["The element must be an object."] }),
          ...fields
        })
      })
    )
}

const Target = Schema.Struct({ id: InvoiceId })
export const decodeTarget = decodeElement(Target)
const targetOf = Schema.decodeUnknownOption(Target)

/** Returns the id of the invoice that an element is about; null if the element has no valid id. */
export const idIn = (element: unknown) =>
  Option.match(targetOf(element), { onNone: () => null, onSome: ({ id }) => id })

/**
 * Adds `path` before the paths of validation errors. An error at `field` is about the whole element: it gets `path`.
 */
export const within = <A, R>(path: string, item: Effect.Effect<A, ItemRefusal, R>, field?: string) =>
  Effect.mapError(item, (refusal) => (refusal._tag === "ValidationFailed" ? errorsAt(path, refusal, field) : refusal))
