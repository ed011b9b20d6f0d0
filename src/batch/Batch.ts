import { Schema, SchemaGetter } from "effect"
import { CountryCode } from "../kernel/Country.ts"
import { shownAs } from "../kernel/Described.ts"
import { Flag } from "../kernel/Flag.ts"
import { Line, Name, Notes, nullable } from "../kernel/Text.ts"
import { AttachPdf, Delivery } from "../billing/sending/Send.ts"

export const items_max = 100

/** Elements are decoded one by one, so that an invalid element fails alone and not the whole request. */
const elements = (items: Readonly<Record<string, Schema.Json>>) =>
  Schema.Array(Schema.Json)
    .check(Schema.isMinLength(1, { message: "must have at least 1 entry." }))
    .annotate(shownAs({ type: "array", minItems: 1, maxItems: items_max, items }))

const change = { $ref: "#/components/schemas/InvoiceChanges" }
const changed = {
  type: "object",
  properties: { id: { type: "integer", minimum: 1, description: "Id of the invoice." } },
  required: ["id"]
}

/** In an atomic batch, one failure undoes all items. */
const atomic = nullable(Schema.Boolean)

/** Each element is the body of `POST /invoices`; its `external_id` is repeated in its result. */
export const CreateInvoices = Schema.Struct({
  invoices: elements({ $ref: "#/components/schemas/InvoiceDraft" }),
  atomic
}).annotate({ identifier: "CreateInvoices" })
export type CreateInvoices = typeof CreateInvoices.Type

/** Each element has the `id` and the changes of `PUT /invoices/{id}`. */
export const UpdateInvoices = Schema.Struct({ updates: elements({ allOf: [change, changed] }), atomic }).annotate({
  identifier: "UpdateInvoices"
})

/** Replaces the customer's own network identifier. */
const NetworkRecipient = Schema.Struct({
  identifier_scheme: Line,
  identifier_value: Line,
  name: nullable(Name),
  country_code: nullable(CountryCode)
})

const SendMethod = Schema.Literals(["email", "einvoice", "both"])

/**
 * Sending is never atomic, because a sent message cannot be taken back. With `resend`, a message whose earlier delivery is
 * `unknown` is sent again.
 */
export const SendInvoices = Schema.Struct({
  invoice_ids: elements({ type: "integer", minimum: 1, description: "Id of an invoice." }),
  method: nullable(SendMethod),
  message: nullable(Notes),
  attach_pdf: nullable(AttachPdf),
  resend: nullable(Schema.Boolean),
  peppol_recipient: nullable(NetworkRecipient),
  atomic: nullable(Schema.Literal(false).annotate({ message: "must not be true: a sent message cannot be undone." }))
}).annotate({ identifier: "SendInvoices" })
export type SendInvoices = typeof SendInvoices.Type

export const Removable = Schema.Literals([
  "invoices",
  "quotes",
  "customers",
  "contacts",
  "payments",
  "expenses",
  "webhooks"
])
export type Removable = typeof Removable.Type

const ids_text_max = 2_000

/** Accepts `ids[]=1&ids[]=2` and `ids=1,2`. */
const IdTexts = Schema.Union([Schema.String.check(Schema.isMaxLength(ids_text_max)), Schema.Array(Schema.String)]).pipe(
  Schema.decodeTo(Schema.Array(Schema.String), {
    decode: SchemaGetter.transform((given) =>
      (typeof given === "string" ? [given] : given).flatMap((text) => text.split(",").map((id) => id.trim()))
    ),
    encode: SchemaGetter.transform((ids): string | ReadonlyArray<string> => ids)
  }),
  Schema.optionalKey
)

export const removalQuery = { resource: Removable, "ids[]": IdTexts, ids: IdTexts, atomic: Schema.optionalKey(Flag) }

/** A refusal, as the item's own endpoint answers it. */
export const ItemError = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  /** Errors by path in the batch's request, such as `invoices.1.customer_id`. */
  errors: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String))),
  details: Schema.optionalKey(Schema.Json)
}).annotate({ identifier: "BatchItemError" })
export type ItemError = typeof ItemError.Type

/** `unknown`: the mail server confirmed no message, and may have taken one whose answer was lost. */
export const Channel = Schema.Struct({
  channel: Schema.Literals(["email", "einvoice"]),
  status: Schema.Literals(["sent", "unknown", "failed"]),
  /** Each recipient of an email. */
  deliveries: Schema.optionalKey(Schema.Array(Delivery)),
  error: Schema.optionalKey(ItemError)
}).annotate({ identifier: "BatchChannel" })
export type Channel = typeof Channel.Type

/**
 * `duplicate`: an earlier item of the request had the same id. `partial`: only some channels succeeded. `unknown`: the mail
 * server confirmed no message, and no other channel succeeded.
 */
const ItemStatus = Schema.Literals(["succeeded", "partial", "unknown", "failed", "duplicate"])

export const resultOf = <S extends Schema.Top>(data: S) =>
  Schema.Struct({
    index: Schema.Int,
    status: ItemStatus,
    /** The status of the item's own endpoint; 424 when another item's failure undid this one. */
    http_status: Schema.Int,
    id: Schema.NullOr(Schema.Int),
    external_id: Schema.NullOr(Schema.String),
    data: Schema.NullOr(data),
    error: Schema.NullOr(ItemError),
    channels: Schema.optionalKey(Schema.Array(Channel))
  })

const Summary = Schema.Struct({
  total: Schema.Int,
  succeeded: Schema.Int,
  failed: Schema.Int,
  /** Present when the batch has such items, which only sending brings about. */
  unknown: Schema.optionalKey(Schema.Int)
})

/** Results are in the order of the request. */
export const outcomeOf = <S extends Schema.Top>(data: S) =>
  Schema.Struct({
    summary: Summary,
    results: Schema.Array(resultOf(data))
  })

export interface ItemResult<A> {
  readonly index: number
  readonly status: typeof ItemStatus.Type
  readonly http_status: number
  readonly id: number | null
  readonly external_id: string | null
  readonly data: A | null
  readonly error: ItemError | null
  readonly channels?: ReadonlyArray<Channel>
}

export interface Outcome<A> {
  readonly summary: typeof Summary.Type
  readonly results: ReadonlyArray<ItemResult<A>>
}

/** A partial success counts as succeeded, because something was done; a duplicate counts as neither. */
export const outcome = <A>(results: ReadonlyArray<ItemResult<A>>): Outcome<A> => {
  const count = (...statuses: ReadonlyArray<ItemResult<A>["status"]>) =>
    results.filter(({ status }) => statuses.includes(status)).length
  const unknown = count("unknown")
  const summary = { total: results.length, succeeded: count("succeeded", "partial"), failed: count("failed") }
  return { summary: unknown === 0 ? summary : { ...summary, unknown }, results }
}
