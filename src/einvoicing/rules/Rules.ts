import type { CustomerId } from "../../kernel/Ids.ts"
import { adjustmentRules } from "./AdjustmentRules.ts"
import { documentRules } from "./DocumentRules.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import type { Finding } from "../records/Finding.ts"
import { frenchRules } from "./FrenchRules.ts"
import { lineRules } from "./LineRules.ts"
import { nationalRules } from "./NationalRules.ts"
import { partyRules } from "./PartyRules.ts"
import { taxRules } from "./TaxRules.ts"

/**
 * Checks the rules of EN 16931 and, if the profile requires them, those of Peppol BIS Billing 3 or the French reform.
 * Rules that the data model or the code that writes the XML cannot break are not checked (a line discount without a
 * reason, an amount in a second currency, a total below zero). The sums are checked nevertheless, because a document
 * that does not add up must not be sent.
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
