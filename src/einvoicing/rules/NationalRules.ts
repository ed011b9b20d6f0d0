import type { CustomerId } from "../../kernel/Ids.ts"
import { countryOf } from "../../kernel/Union.ts"
import { Option } from "effect"
import { einvoicingCountry } from "../countries/Countries.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import type { Finding } from "../records/Finding.ts"

/**
 * Checks a country's rules for sellers. Each country's rules say whether they apply by the country of the seller's
 * address (`resident`) or of its VAT identifier (`taxpayer`; without an identifier, the address counts).
 */
export const nationalRules = (invoice: EInvoice, customer_id: CustomerId): ReadonlyArray<Finding> => {
  const { address, vat_identifier } = invoice.seller
  const taxed_in = vat_identifier === null ? address.country : countryOf(vat_identifier.slice(0, 2))
  const isDomestic = address.country === invoice.buyer.address.country
  const countries = { resident: address.country, taxpayer: taxed_in }
  return (["resident", "taxpayer"] as const).flatMap((of) => {
    const { rules } = Option.getOrUndefined(einvoicingCountry(countries[of])) ?? {}
    return rules?.of === of ? rules.findings(invoice, customer_id, isDomestic) : []
  })
}
