import type { CustomerId } from "../../kernel/Ids.ts"
import { documentRules } from "./DocumentRules.ts"
import type { EInvoice } from "./EInvoice.ts"
import type { Finding } from "./Finding.ts"
import { lineRules } from "./LineRules.ts"
import { nationalRules } from "./NationalRules.ts"
import { partyRules } from "./PartyRules.ts"
import { taxRules } from "./TaxRules.ts"

/**
 * Every rule of EN 16931 and Peppol BIS Billing 3 that a document of ours can break: what the model or the writer makes
 * impossible is not asked (a discount without a reason, an amount in a second currency, a total below zero). The sums are asked all the
 * same, because a document that does not add up must not leave.
 */
export const findingsIn = (invoice: EInvoice, customer_id: CustomerId): ReadonlyArray<Finding> => [
  ...documentRules(invoice),
  ...partyRules(invoice, customer_id),
  ...lineRules(invoice),
  ...taxRules(invoice, customer_id),
  ...nationalRules(invoice, customer_id)
]
