import { germanRules } from "./GermanRules.ts"
import { companies, type EinvoicingCountry, usual_peppol } from "./EinvoicingCountry.ts"

export const germany: EinvoicingCountry = {
  ...usual_peppol,
  code: "DE",
  law: "Businesses receive structured invoices since 2025 and send them from 2027 or 2028.",
  schemes: { ...companies("9930"), government: ["0204"] },
  vat_scheme: "9930",
  rules: {
    of: "resident",
    findings: (invoice, customer_id, isDomestic) => (isDomestic ? germanRules(invoice, customer_id) : [])
  }
}
