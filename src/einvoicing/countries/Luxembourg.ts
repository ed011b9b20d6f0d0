import { as_registered, companies, no_rules, plain_registration, type EinvoicingCountry } from "./EinvoicingCountry.ts"
import { peppolBis } from "./Form.ts"

export const luxembourg: EinvoicingCountry = {
  code: "LU",
  law: "Suppliers of public bodies send structured invoices.",
  network: "peppol",
  schemes: companies("9938"),
  vat_scheme: "9938",
  registers: [],
  states_tax_number: true,
  form: { domestic: peppolBis, abroad: peppolBis },
  routed: as_registered,
  registration: plain_registration,
  rules: no_rules
}
