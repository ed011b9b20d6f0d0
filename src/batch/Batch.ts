import { Schema, SchemaGetter } from "effect"
import { CountryCode } from "../kernel/Country.ts"
import { Flag } from "../kernel/Flag.ts"
import { Line, Name, Notes, nullable } from "../kernel/Text.ts"
import { AttachPdf, Delivery } from "../billing/sending/Send.ts"

export const items_max = 100

/** Decoded one by one: an element that fails its schema is the failure of that element, not of the request. */
const Elements = Schema.Array(Schema.Json).check(Schema.isMinLength(1, { message: "must have at least 1 entry." }))

/** All or nothing: one failure undoes the others. */
const atomic = nullable(Schema.Boolean)

/** Each an invoice as `POST /invoices` takes it; its `external_id` comes back in its result. */
export const CreateInvoices = Schema.Struct({ invoices: Elements, atomic })
export type CreateInvoices = typeof CreateInvoices.Type

/** Each the changes that `PUT /invoices/{id}` takes, with the `id`. */
export const UpdateInvoices = Schema.Struct({ updates: Elements, atomic })

/** In place of the customer's own network identifier. */
const NetworkRecipient = Schema.Struct({
  identifier_scheme: Line,
  identifier_value: Line,
  name: nullable(Name),
  country_code: nullable(CountryCode)
})

const SendMethod = Schema.Literals(["email", "einvoice", "both"])

/**
 * A message that has left cannot be taken back, so sending is never all or nothing. `resend` also writes to a recipient
 * whose earlier message is `unknown`.
 */
export const SendInvoices = Schema.Struct({
  invoice_ids: Elements,
  method: nullable(SendMethod),
  message: nullable(Notes),
  attach_pdf: nullable(AttachPdf),
  resend: nullable(Schema.Boolean),
  peppol_recipient: nullable(NetworkRecipient),
  atomic: nullable(Schema.Literal(false).annotate({ message: "must not be true: what was sent cannot be undone." }))
})
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

/** `ids[]=1&ids[]=2` and `ids=1,2`. */
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

/** A refusal as the item's own endpoint answers it. */
export const ItemError = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  /** By the path into the batch's request: `invoices.1.customer_id`. */
  errors: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String))),
  details: Schema.optionalKey(Schema.Json)
})
export type ItemError = typeof ItemError.Type

/** `unknown`: the mail server confirmed no message, and may have taken one whose answer was lost. */
export const Channel = Schema.Struct({
  channel: Schema.Literals(["email", "einvoice"]),
  status: Schema.Literals(["sent", "unknown", "failed"]),
  /** Each recipient of an email. */
  deliveries: Schema.optionalKey(Schema.Array(Delivery)),
  error: Schema.optionalKey(ItemError)
})
export type Channel = typeof Channel.Type

/**
 * `duplicate`: the id came before in this request and was processed there. `partial`: some channels sent it, not all.
 * `unknown`: no channel sent it for certain, and the email may have arrived.
 */
const ItemStatus = Schema.Literals(["succeeded", "partial", "unknown", "failed", "duplicate"])

export const resultOf = <S extends Schema.Top>(data: S) =>
  Schema.Struct({
    index: Schema.Int,
    status: ItemStatus,
    /** What the item's own endpoint would have answered; 424 when another item's failure undid it. */
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
  /** Only in the answer of a batch of sends that has such items. */
  unknown: Schema.optionalKey(Schema.Int)
})

/** Results stand in the order of the request. */
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

/** A partial success counts as a success; a duplicate counts as nothing. */
export const outcome = <A>(results: ReadonlyArray<ItemResult<A>>): Outcome<A> => {
  const count = (...statuses: ReadonlyArray<ItemResult<A>["status"]>) =>
    results.filter(({ status }) => statuses.includes(status)).length
  const unknown = count("unknown")
  const summary = { total: results.length, succeeded: count("succeeded", "partial"), failed: count("failed") }
  return { summary: unknown === 0 ? summary : { ...summary, unknown }, results }
}
