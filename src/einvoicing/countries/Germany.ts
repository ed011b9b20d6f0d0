import { germanRules } from "./GermanRules.ts"
import { as_registered, companies, plain_registration, type EinvoicingCountry } from "./EinvoicingCountry.ts"
import { peppolBis } from "./Form.ts"

export const germany: EinvoicingCountry = {
  code: "DE",
  law: "Businesses receive structured invoices since 2025 and send them from 2027 or 2028.",
  network: "peppol",
  schemes: { ...companies("9930"), government: ["0204"] },
  vat_scheme: "9930",
  registers: [],
  states_tax_number: true,
  form: { domestic: peppolBis, abroad: peppolBis },
  routed: as_registered,
  registration: plain_registration,
  rules: {
    of: "resident",
    findings: (invoice, customer_id, isDomestic) => (isDomestic ? germanRules(invoice, customer_id) : [])
  }
}
