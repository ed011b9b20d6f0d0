import { as_registered, companies, no_rules, plain_registration, type EinvoicingCountry } from "./EinvoicingCountry.ts"
import { peppolBis } from "./Form.ts"

export const ireland: EinvoicingCountry = {
  code: "IE",
  law: "Public bodies accept structured invoices.",
  network: "peppol",
  schemes: companies("9935"),
  vat_scheme: "9935",
  registers: [],
  states_tax_number: true,
  form: { domestic: peppolBis, abroad: peppolBis },
  routed: as_registered,
  registration: plain_registration,
  rules: no_rules
}
