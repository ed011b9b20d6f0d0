/** The indirect tax of a place in Spain: VAT (IVA); IGIC in the Canary Islands; IPSI in Ceuta and Melilla. */
export type SpanishTax = "IVA" | "IGIC" | "IPSI"

const canary_islands = /^3[58]/
const ceuta_and_melilla = /^5[12]/

/** Returns the tax of a Spanish postal code, which begins with the number of the province. */
export const spanishTaxAt = (postal_code: string): SpanishTax => {
  if (canary_islands.test(postal_code)) return "IGIC"
  return ceuta_and_melilla.test(postal_code) ? "IPSI" : "IVA"
}
