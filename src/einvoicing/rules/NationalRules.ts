import type { CustomerId } from "../../kernel/Ids.ts"
import { Option } from "effect"
import { einvoicingCountry } from "../countries/Countries.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import type { Finding } from "../records/Finding.ts"

/** VAT prefixes that are not the code of their country. */
const prefixes: ReadonlyMap<string, string> = new Map([["EL", "GR"]])

/**
 * Checks a country's rules for sellers. Each country's rules say whether they apply by the country of the seller's
 * address (`resident`) or of its VAT identifier (`taxpayer`; without an identifier, the address counts).
 */
export const nationalRules = (invoice: EInvoice, customer_id: CustomerId): ReadonlyArray<Finding> => {
  const { address, vat_identifier } = invoice.seller
  const prefix = vat_identifier?.slice(0, 2) ?? address.country
  const taxed_in = prefixes.get(prefix ?? "") ?? prefix
  const isDomestic = address.country === invoice.buyer.address.country
  const countries = { resident: address.country, taxpayer: taxed_in }
  return (["resident", "taxpayer"] as const).flatMap((of) => {
    const { rules } = Option.getOrUndefined(einvoicingCountry(countries[of])) ?? {}
    return rules?.of === of ? rules.findings(invoice, customer_id, isDomestic) : []
  })
}
