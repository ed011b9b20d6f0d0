import { Schema, Struct } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { PrintedParties } from "../correspondence/Correspondents.ts"
import { InvoiceFacts } from "./Invoice.ts"
import { sealer } from "../sealing/Sealer.ts"

/**
 * Fields that are not sealed: those that may change on an issued invoice, as `migrations/0005_billing.sql` allows, and
 * `customer`, which another table stores.
 */
const unsealed = [
  "customer",
  "due_date",
  "amount_paid",
  "amount_credited",
  "amount_refunded",
  "sent_at",
  "sent_method",
  "paid_at",
  "updated_at",
  "version",
  "external_id",
  "metadata"
] as const

const fields = Struct.omit(InvoiceFacts.fields, unsealed)

/** Lines are sealed as the stored JSON, so that a field that a later version adds does not change the seal. */
export const StoredInvoice = Schema.Struct({
  ...fields,
  items: Schema.Json,
  discounts: Schema.Json,
  charges: Schema.Json,
  tax_breakdown: Schema.Json,
  details: Schema.Json
})

const seal = sealer("invoice", Schema.Struct(fields))
const sealStored = sealer("invoice", StoredInvoice)

/** Returns the sealed fields of an invoice that is issued or void, as canonical JSON. A void invoice has no parties. */
export const invoiceSeal = (organization_id: OrganizationId, facts: InvoiceFacts, parties: PrintedParties | null) =>
  seal(organization_id, facts, partiesOf(parties))

export const storedInvoiceSeal = (
  organization_id: OrganizationId,
  facts: typeof StoredInvoice.Type,
  parties: PrintedParties | null
) => sealStored(organization_id, facts, partiesOf(parties))

const partiesOf = (parties: PrintedParties | null) =>
  parties === null ? {} : { customer: parties.customer, organization: parties.organization }
