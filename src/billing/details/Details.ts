import { Effect, Schema, Struct } from "effect"
import { Day } from "../../kernel/Calendar.ts"
import { described } from "../../kernel/Described.ts"
import { AttachmentId } from "../../kernel/Ids.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import { Name, orNull, Text } from "../../kernel/Text.ts"
import { DeliveryAddress, DeliveryPeriod } from "./Delivery.ts"
import { detailFields } from "./DetailFields.ts"
import { PaymentMeans } from "./PaymentMeans.ts"

const reference_characters_max = 200
const cause_characters_max = 1_000
const embedded_attachments_max = 10

/** A reference in another party's system: one line of text. */
const Reference = Text(reference_characters_max).check(
  Schema.isPattern(/\S/, { message: "may not be empty." }),
  Schema.isPattern(/^[^\r\n\t]*$/, { message: "must be one line." })
)

const IdentifierScheme = Schema.String.check(
  Schema.isPattern(/^\d{4}$/, { message: "must be a four-digit ISO 6523 scheme, such as 0208." })
)

/** EN 16931 BG-10: the recipient of the payment, if other than the organization, e.g. a factor. */
const Payee = Schema.Struct({
  name: described(Name, "Name of the payee (BT-59)."),
  identifier: described(orNull(Reference), "Identifier of the payee (BT-60); null if unknown."),
  identifier_scheme: described(
    orNull(IdentifierScheme),
    "ISO 6523 scheme of the identifier; null if it has none.",
    "0208"
  ),
  registration_number: described(
    orNull(Reference),
    "Number of the payee in the company register (BT-61); null if unknown."
  )
}).check(
  Schema.makeFilter(({ identifier, identifier_scheme }) =>
    identifier === null && identifier_scheme !== null
      ? { path: ["identifier_scheme"], issue: "may only be given with an identifier." }
      : undefined
  )
)

/** French law requires a document to state whether it is for goods, services or both. */
export const OperationNature = Schema.Literals(["goods", "services", "mixed"]).annotate({
  message: "must be one of: goods, services, mixed."
})

/** Why a Spanish invoice is corrected (Reglamento de facturación, art. 15): R1 to R5 of the AEAT or a Facturae code. */
const CorrectiveCause = Schema.Struct({
  code: described(
    Schema.String.check(
      Schema.isPattern(/^(?:R[1-5]|0[1-9]|1[0-6]|8[0-5])$/, { message: "must be R1 to R5, 01 to 16 or 80 to 85." })
    ),
    "Code of the cause: R1 to R5 of the AEAT, or 01 to 16 and 80 to 85 of Facturae.",
    "R1"
  ),
  text: described(orNull(Text(cause_characters_max)), "Description of the cause; null if there is none.")
})

const EmbeddedAttachments = Schema.Array(AttachmentId).check(
  Schema.isMaxLength(embedded_attachments_max, {
    message: `may not have more than ${embedded_attachments_max} entries.`
  }),
  Schema.isUnique({ message: "may not name an attachment twice." })
)

const delivery = {
  delivery_date: described(
    Day,
    "Day of the delivery (BT-72), as an alternative to `delivery_period`; null if unknown.",
    "2026-03-01"
  ),
  delivery_period: described(
    DeliveryPeriod,
    "First and last day of the invoiced period (BG-14), as an alternative to `delivery_date`."
  ),
  delivery_address: described(
    DeliveryAddress,
    "Where the goods went or the service was rendered (BG-15); null if it is not stated."
  )
}

const references = {
  purchase_order: described(Reference, "Number of the customer's order (BT-13); null if there is none."),
  buyer_reference: described(
    Reference,
    "Reference by which the customer routes documents, such as a Leitweg-ID (BT-10); null for none."
  ),
  contract_reference: described(Reference, "Number of the contract (BT-12); null if there is none."),
  project_reference: described(Reference, "Number of the project (BT-11); null if there is none.")
}

const nature_text =
  "Whether goods, services or both are invoiced, which French documents must state; null if it is not stated."
const common = { ...delivery, ...references, operation_nature: described(OperationNature, nature_text) }
const offered = {
  ...common,
  payee: described(Payee, "Who receives the payment, such as a factor (BG-10); null for the organization."),
  payment_means: described(PaymentMeans, "How the customer is to pay (BG-16 to BG-19); null requests a transfer.")
}

/** To add an optional field, add a line to one of the lists above. */
export const quoteDetails = detailFields(offered)

export const invoiceDetails = detailFields({
  ...offered,
  embedded_attachment_ids: described(
    EmbeddedAttachments,
    "Attachments of the invoice that its UBL and CII contain (BG-24), at most 10, and 5 MiB together. A hybrid PDF contains none."
  )
})
type InvoiceDetails = typeof invoiceDetails.stored.Type

export const creditNoteDetails = detailFields({
  ...common,
  corrective_cause: described(
    CorrectiveCause,
    "Why the invoice is corrected, which Spanish credit notes must state; null if it is not stated."
  )
})

export const creditedDetails = (details: InvoiceDetails) => Struct.pick(details, Struct.keys(common))

/** The time of the delivery belongs to the original document, so a duplicate does not have it. */
export const withoutDelivery = <Details extends Pick<InvoiceDetails, "delivery_date" | "delivery_period">>(
  details: Details
) => Struct.omit(details, ["delivery_date", "delivery_period"])

export const requireOneDelivery = <
  Details extends { readonly delivery_date?: unknown; readonly delivery_period?: unknown }
>(
  details: Details
) =>
  details.delivery_date !== undefined && details.delivery_period !== undefined
    ? Effect.fail(ValidationFailed.field("delivery_period", "may not be given together with a delivery_date."))
    : Effect.succeed(details)
