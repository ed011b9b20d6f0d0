import { Effect, Schema, Struct } from "effect"
import { Day } from "../../kernel/Calendar.ts"
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

/** BG-10: the recipient of the payment, if other than the organization, e.g. a factor. */
const Payee = Schema.Struct({
  /** BT-59: the payee's name. */
  name: Name,
  /** BT-60: the payee's identifier. */
  identifier: orNull(Reference),
  /** The ISO 6523 scheme of the identifier. */
  identifier_scheme: orNull(IdentifierScheme),
  /** BT-61: the payee's number in the company register. */
  registration_number: orNull(Reference)
}).check(
  Schema.makeFilter(({ identifier, identifier_scheme }) =>
    identifier === null && identifier_scheme !== null
      ? { path: ["identifier_scheme"], issue: "may only be given with an identifier." }
      : undefined
  )
)

/** French law requires a document to state whether it is for goods, services or both. */
const OperationNature = Schema.Literals(["goods", "services", "mixed"]).annotate({
  message: "must be one of: goods, services, mixed."
})

/**
 * The reason for correcting a Spanish invoice (art. 15 of the Reglamento de facturación). R1 to R5 are codes of the
 * AEAT, the others are codes of Facturae.
 */
const CorrectiveCause = Schema.Struct({
  code: Schema.String.check(
    Schema.isPattern(/^(?:R[1-5]|0[1-9]|1[0-6]|8[0-5])$/, { message: "must be R1 to R5, 01 to 16 or 80 to 85." })
  ),
  text: orNull(Text(cause_characters_max))
})

const EmbeddedAttachments = Schema.Array(AttachmentId).check(
  Schema.isMaxLength(embedded_attachments_max, {
    message: `may not have more than ${embedded_attachments_max} entries.`
  }),
  Schema.isUnique({ message: "may not name an attachment twice." })
)

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })

const delivery = {
  delivery_date: described(Day, "BT-72: the day of the delivery. Either it or a delivery_period."),
  delivery_period: described(DeliveryPeriod, "BG-14: the first (BT-73) and the last day (BT-74) of what is invoiced."),
  delivery_address: described(DeliveryAddress, "BG-15: where the goods went or the service was rendered.")
}

const references = {
  purchase_order: described(Reference, "BT-13: the number of the customer's order."),
  buyer_reference: described(Reference, "BT-10: what the customer routes documents by, such as a Leitweg-ID."),
  contract_reference: described(Reference, "BT-12: the number of the contract."),
  project_reference: described(Reference, "BT-11: the number of the project.")
}

const nature_text = "What the document is about, which French invoices must say."
const common = { ...delivery, ...references, operation_nature: described(OperationNature, nature_text) }
const offered = {
  ...common,
  payee: described(Payee, "BG-10: who receives the payment, when it is not the organization."),
  payment_means: described(PaymentMeans, "BG-16 to BG-19: how the customer pays; null asks for a transfer.")
}

/** A new field is one line in one of the lists above. */
export const quoteDetails = detailFields(offered)

export const invoiceDetails = detailFields({
  ...offered,
  embedded_attachment_ids: described(
    EmbeddedAttachments,
    "BG-24: attachments of the invoice that its UBL and CII hold, 5 MiB together. A hybrid PDF holds none."
  )
})
type InvoiceDetails = typeof invoiceDetails.stored.Type

export const creditNoteDetails = detailFields({
  ...common,
  corrective_cause: described(CorrectiveCause, "Why the invoice is corrected, which Spanish credit notes must say.")
})

/** Returns the details that a credit note copies from its invoice. */
export const creditedDetails = (details: InvoiceDetails) => Struct.pick(details, Struct.keys(common))

/** A document may state a delivery date or a delivery period, but not both. */
export const requireOneDelivery = <
  Details extends { readonly delivery_date?: unknown; readonly delivery_period?: unknown }
>(
  details: Details
) =>
  details.delivery_date !== undefined && details.delivery_period !== undefined
    ? Effect.fail(ValidationFailed.field("delivery_period", "may not be given beside a delivery_date."))
    : Effect.succeed(details)
