import { Schema } from "effect"
import { CountryCode } from "../../kernel/Country.ts"
import { ExchangeRate } from "../../kernel/ExchangeRate.ts"
import { CreditNoteId, InvoiceId, OrganizationId } from "../../kernel/Ids.ts"
import { Line, Name, nullable } from "../../kernel/Text.ts"
import { ProviderCode } from "../providers/Network.ts"
import { Finding } from "../records/Finding.ts"
import { described } from "../../kernel/Described.ts"

/**
 * An empty identifier of the recipient is not refused here, but by the check of the document (rules/e-invoicing.md,
 * Documents).
 */
export const Submission = Schema.Struct({
  organization_id: OrganizationId,
  invoice_id: described(nullable(InvoiceId), "Invoice to be submitted; required unless `credit_note_id` is given."),
  credit_note_id: described(nullable(CreditNoteId), "Credit note to be submitted, instead of an invoice."),
  recipient_identifier_scheme: described(Line, "Scheme of the identifier of the recipient.", "0208"),
  recipient_identifier_value: described(Line, "Identifier of the recipient, in the form of its scheme.", "0202239951"),
  recipient_name: described(Name, "Name of the recipient."),
  recipient_country_code: described(CountryCode, "ISO 3166-1 code of the country of the recipient."),
  exchange_rate: described(
    nullable(ExchangeRate),
    "Units of the organization's currency for one unit of the document's, for a document without an exchange rate of its " +
      "own. The e-invoice states it; the document does not change."
  ),
  provider: described(nullable(ProviderCode), "Provider of the registration, as a check; another one is refused.")
})
  .annotate({
    description:
      "An issued document, or a draft to be issued, and its recipient. It names an invoice or a credit note, not both."
  })
  .check(
    Schema.makeFilter(({ credit_note_id, invoice_id }) => {
      const hasNote = (credit_note_id ?? null) !== null
      if ((invoice_id ?? null) === null) {
        return hasNote ? undefined : { path: ["invoice_id"], issue: "is required when credit_note_id is absent." }
      }
      return hasNote ? { path: ["credit_note_id"], issue: "may not be given together with an invoice_id." } : undefined
    })
  )
  .annotate({ identifier: "EinvoiceSubmission" })
export type Submission = typeof Submission.Type

export const Preflight = Schema.Struct({
  valid: described(Schema.Boolean, "True if the document has no errors."),
  profile: described(Schema.String, "Document format that was checked.", "peppol-bis-billing-3"),
  errors: described(Schema.Array(Finding), "Broken rules, which prevent the submission."),
  warnings: described(Schema.Array(Finding), "Findings that prevent nothing."),
  totals: described(
    Schema.Struct({
      tax_exclusive: described(Schema.String, "Total without taxes."),
      tax: described(Schema.String, "Total of the taxes."),
      payable: described(Schema.String, "Amount to be paid.")
    }),
    "Totals in the currency of the document, as text."
  )
}).annotate({
  identifier: "EinvoicePreflight",
  description: "The findings about a document: errors prevent a submission, warnings do not."
})
export type Preflight = typeof Preflight.Type
