import { Schema, SchemaGetter } from "effect"
import { CountryCode } from "../kernel/Country.ts"
import { described, shownAs } from "../kernel/Described.ts"
import { Flag } from "../kernel/Flag.ts"
import { IdText } from "../kernel/Ids.ts"
import { refusalFields } from "../kernel/Refusal.ts"
import { Line, Name, Notes, nullable, nullableCode } from "../kernel/Text.ts"
import { AttachPdf, Delivery } from "../billing/sending/Send.ts"
import { envelope } from "../kernel/Envelope.ts"

export const items_max = 100

/** Elements are decoded one by one, so that an invalid element fails alone and does not fail the whole request. */
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

const atomic = described(
  nullable(Schema.Boolean),
  "If true, either all items succeed or nothing is changed. Default: false."
)

export const CreateInvoices = Schema.Struct({
  invoices: described(
    elements({ $ref: "#/components/schemas/InvoiceDraft" }),
    "Bodies of `POST /invoices`, at most 100; the result repeats the `external_id` of each."
  ),
  atomic
}).annotate({
  identifier: "CreateInvoices",
  description: "Invoices to be created."
})
export type CreateInvoices = typeof CreateInvoices.Type

export const UpdateInvoices = Schema.Struct({
  updates: described(
    elements({ allOf: [change, changed] }),
    "Changes of `PUT /invoices/{id}`, each with the `id` of its invoice, at most 100."
  ),
  atomic
}).annotate({
  identifier: "UpdateInvoices",
  description: "Changes of invoices."
})

const NetworkRecipient = Schema.Struct({
  identifier_scheme: described(Line, "Scheme of the identifier (ISO 6523, four digits).", "0208"),
  identifier_value: described(Line, "Identifier of the recipient in its network."),
  name: described(nullable(Name), "Name of the recipient."),
  country_code: described(nullableCode(CountryCode), "ISO 3166-1 code of the country of the recipient.")
})

const SendMethod = Schema.Literals(["email", "einvoice", "both"])

/** The body names the recipient in the network `peppol_recipient`, so clients call this way of sending `peppol`, too. */
const SendMethodInput = Schema.Literals([...SendMethod.literals, "peppol"]).pipe(
  Schema.decodeTo(SendMethod, {
    decode: SchemaGetter.transform((method) => (method === "peppol" ? "einvoice" : method)),
    encode: SchemaGetter.passthroughSupertype()
  })
)

export const SendInvoices = Schema.Struct({
  invoice_ids: described(
    elements({ type: "integer", minimum: 1, description: "Id of an invoice." }),
    "Ids of the invoices, at most 100."
  ),
  method: described(
    nullable(SendMethodInput),
    "`email` (default), `einvoice` through the network of the customer, also named `peppol`, or `both`. The network requires the scope `einvoicing:submit`."
  ),
  message: described(nullable(Notes), "Text of the mail; null uses the standard text."),
  attach_pdf: described(nullable(AttachPdf), "If false, the mail is sent without the PDF. Default: true."),
  resend: described(nullable(Schema.Boolean), "True also sends messages again whose earlier delivery is `unknown`."),
  peppol_recipient: described(
    nullable(NetworkRecipient),
    "Recipient in the network; null uses the identifier of the customer."
  ),
  atomic: described(
    nullable(Schema.Literal(false).annotate({ message: "must not be true: a sent message cannot be undone." })),
    "Never true, because a sent message cannot be undone."
  )
}).annotate({ identifier: "SendInvoices", description: "Invoices to be sent." })
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
const IdTexts = Schema.Union([Schema.String.check(Schema.isMaxLength(ids_text_max)), Schema.Array(IdText)]).pipe(
  Schema.decodeTo(Schema.Array(Schema.String), {
    decode: SchemaGetter.transform((given) =>
      (typeof given === "string" ? [given] : given).flatMap((text) => text.split(",").map((id) => id.trim()))
    ),
    encode: SchemaGetter.transform((ids): string | ReadonlyArray<string> => ids)
  }),
  Schema.optionalKey
)

export const removalQuery = {
  resource: described(Removable, "Kind of the records."),
  "ids[]": described(IdTexts, "Ids, repeated for each record."),
  ids: described(IdTexts, "Ids, separated by commas, or `ids` repeated."),
  atomic: described(Schema.optionalKey(Flag), "If true, either all records are deleted or none.")
}

export const ItemError = Schema.Struct({
  ...refusalFields,
  retryable: described(
    Schema.optionalKey(Schema.Boolean),
    "True if a later request can succeed; present with the code `submission_failed`."
  )
}).annotate({ identifier: "BatchItemError", description: "Why one item of a batch failed." })
export type ItemError = typeof ItemError.Type

export const Channel = Schema.Struct({
  channel: described(Schema.Literals(["email", "einvoice"]), "The channel on which the invoice was sent."),
  status: described(
    Schema.Literals(["sent", "unknown", "failed"]),
    "`sent`; `failed`; `unknown`: no message is confirmed yet. `deliveries` says which were received without confirmation (`unknown`), and which the service tries again (`pending`)."
  ),
  deliveries: described(Schema.optionalKey(Schema.Array(Delivery)), "The result for each recipient of the mail."),
  error: described(Schema.optionalKey(ItemError), "Why this channel failed.")
}).annotate({ identifier: "BatchChannel", description: "The result of sending an invoice on one channel." })
export type Channel = typeof Channel.Type

/**
 * `duplicate`: an earlier item has the same id. `partial`: only some channels succeeded. `unknown`: the mail server
 * confirmed no message yet, and no other channel succeeded.
 */
const ItemStatus = Schema.Literals(["succeeded", "partial", "unknown", "failed", "duplicate"])

export const resultOf = <S extends Schema.Top>(data: S) =>
  Schema.Struct({
    index: described(Schema.Int, "Position of the item in the request, from 0."),
    status: described(
      ItemStatus,
      "`succeeded`, `failed`, `partial` (only some channels), `unknown` (no confirmation) or `duplicate` (an earlier item has the same id)."
    ),
    http_status: described(
      Schema.Int,
      "Status that the item's own endpoint answers; 424 if another item's failure undid this one."
    ),
    id: described(Schema.NullOr(Schema.Int), "Id of the record; null if there is none."),
    external_id: described(Schema.NullOr(Schema.String), "The client's own id of the record; null if it has none."),
    data: described(Schema.NullOr(data), "The record after the change; null if there is none."),
    error: described(Schema.NullOr(ItemError), "Why the item failed; null if it did not."),
    channels: described(Schema.optionalKey(Schema.Array(Channel)), "The result on each channel, for sending.")
  })

const Summary = Schema.Struct({
  total: described(Schema.Int, "Number of items."),
  succeeded: described(Schema.Int, "Number of items that succeeded on every channel."),
  failed: described(Schema.Int, "Number of items that failed."),
  partial: described(
    Schema.optionalKey(Schema.Int),
    "Number of items that only some channels sent; present if there are any."
  ),
  unknown: described(Schema.optionalKey(Schema.Int), "Number of items without confirmation; present if there are any.")
})

export const outcomeOf = <S extends Schema.Top>(data: S) =>
  Schema.Struct({
    summary: described(Summary, "How many items succeeded and failed."),
    results: described(Schema.Array(resultOf(data)), "One result for each item, in the order of the request.")
  }).annotate(envelope(data, "BatchOutcome", "The result of each item of a batch."))

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

/** A duplicate counts neither as succeeded nor as failed. */
export const outcome = <A>(results: ReadonlyArray<ItemResult<A>>): Outcome<A> => {
  const count = (asked: ItemResult<A>["status"]) => results.filter(({ status }) => status === asked).length
  const [partial, unknown] = [count("partial"), count("unknown")]
  const summary = {
    total: results.length,
    succeeded: count("succeeded"),
    failed: count("failed"),
    ...(partial === 0 ? {} : { partial }),
    ...(unknown === 0 ? {} : { unknown })
  }
  return { summary, results }
}
