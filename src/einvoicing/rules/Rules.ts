import type { CustomerId } from "../../kernel/Ids.ts"
import { adjustmentRules } from "./AdjustmentRules.ts"
import { documentRules } from "./DocumentRules.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import type { Finding } from "./Finding.ts"
import { frenchRules } from "./FrenchRules.ts"
import { lineRules } from "./LineRules.ts"
import { nationalRules } from "./NationalRules.ts"
import { partyRules } from "./PartyRules.ts"
import { taxRules } from "./TaxRules.ts"

/**
 * The rules of EN 16931, and of Peppol BIS Billing 3 when the document follows it, that a document of ours can break.
 * Rules that the model or the writers make impossible to break are left out (a discount without a reason, an amount in
 * a second currency, a total below zero). The sums are checked all the same: a document that does not add up must not
 * leave.
 */
export const findingsIn = (invoice: EInvoice, customer_id: CustomerId): ReadonlyArray<Finding> => [
  ...documentRules(invoice),
  ...partyRules(invoice, customer_id),
  ...lineRules(invoice),
  ...adjustmentRules(invoice),
  ...taxRules(invoice, customer_id),
  ...(invoice.profile.rules === "peppol" ? nationalRules(invoice, customer_id) : []),
  ...(invoice.profile.rules === "france" ? frenchRules(invoice, customer_id) : [])
]
