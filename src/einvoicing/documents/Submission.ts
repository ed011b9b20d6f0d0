import { Schema } from "effect"
import { CountryCode } from "../../kernel/Country.ts"
import { CreditNoteId, InvoiceId, OrganizationId } from "../../kernel/Ids.ts"
import { Line, Name, nullable } from "../../kernel/Text.ts"
import { ProviderCode } from "../providers/Network.ts"
import { Finding } from "../rules/Finding.ts"

/**
 * The body of a submission (spec, E-invoicing) of an invoice or a credit note (contract section 21). An empty identifier
 * is a finding, not a malformed request.
 */
export const Submission = Schema.Struct({
  organization_id: OrganizationId,
  invoice_id: nullable(InvoiceId),
  credit_note_id: nullable(CreditNoteId),
  recipient_identifier_scheme: Line,
  recipient_identifier_value: Line,
  recipient_name: Name,
  recipient_country_code: CountryCode,
  /** The provider follows from the registration; a client may name it to have it checked. */
  provider: nullable(ProviderCode)
})
  .check(
    Schema.makeFilter(({ credit_note_id, invoice_id }) => {
      const hasNote = (credit_note_id ?? null) !== null
      if ((invoice_id ?? null) === null) {
        return hasNote ? undefined : { path: ["invoice_id"], issue: "is required when credit_note_id is absent." }
      }
      return hasNote ? { path: ["credit_note_id"], issue: "may not be given beside an invoice_id." } : undefined
    })
  )
  .annotate({ identifier: "EinvoiceSubmission" })
export type Submission = typeof Submission.Type

/** The findings about a document: errors prevent a submission, warnings do not. */
export const Preflight = Schema.Struct({
  valid: Schema.Boolean,
  profile: Schema.String,
  errors: Schema.Array(Finding),
  warnings: Schema.Array(Finding),
  /** The totals in the currency of the document. */
  totals: Schema.Struct({ tax_exclusive: Schema.String, tax: Schema.String, payable: Schema.String })
}).annotate({ identifier: "EinvoicePreflight" })
export type Preflight = typeof Preflight.Type
