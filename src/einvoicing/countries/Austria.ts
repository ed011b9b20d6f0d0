import { as_registered, companies, no_rules, plain_registration, type EinvoicingCountry } from "./EinvoicingCountry.ts"
import { peppolBis } from "./Form.ts"

export const austria: EinvoicingCountry = {
  code: "AT",
  law: "Suppliers of the federal government send structured invoices.",
  network: "peppol",
  schemes: companies("9914"),
  vat_scheme: "9914",
  registers: [],
  states_tax_number: true,
  form: { domestic: peppolBis, abroad: peppolBis },
  routed: as_registered,
  registration: plain_registration,
  rules: no_rules
}
