import { Schema } from "effect"
import { CountryCode } from "../../kernel/Country.ts"
import { InvoiceId, OrganizationId } from "../../kernel/Ids.ts"
import { Line, Name, nullable } from "../../kernel/Text.ts"
import { ProviderCode } from "../providers/Network.ts"
import { Finding } from "../rules/Finding.ts"

/**
 * What is to be sent, and to whom; spec, E-invoicing. An empty identifier is a finding, not a malformed request. It is
 * always an invoice: the spec has credit notes go by portal and email alone (States, Credit note), and no endpoint that
 * submits one. A registration's `document_types` is what others may send to it.
 */
export const Submission = Schema.Struct({
  organization_id: OrganizationId,
  invoice_id: InvoiceId,
  recipient_identifier_scheme: Line,
  recipient_identifier_value: Line,
  recipient_name: Name,
  recipient_country_code: CountryCode,
  /** Named to be sure of it: it follows from the organization's registration. */
  provider: nullable(ProviderCode)
})
export type Submission = typeof Submission.Type

/** What would keep the document from being sent, and what only deserves a look. */
export const Preflight = Schema.Struct({
  valid: Schema.Boolean,
  profile: Schema.String,
  errors: Schema.Array(Finding),
  warnings: Schema.Array(Finding),
  /** In the document's currency. */
  totals: Schema.Struct({ tax_exclusive: Schema.String, tax: Schema.String, payable: Schema.String })
})
export type Preflight = typeof Preflight.Type
