import { as_registered, companies, no_rules, plain_registration, type EinvoicingCountry } from "./EinvoicingCountry.ts"
import { peppolBis } from "./Form.ts"

export const switzerland: EinvoicingCountry = {
  code: "CH",
  law: "Suppliers of the federal administration send structured invoices.",
  network: "peppol",
  schemes: companies("0183"),
  vat_scheme: "9927",
  registers: ["0183"],
  states_tax_number: true,
  form: { domestic: peppolBis, abroad: peppolBis },
  routed: as_registered,
  registration: plain_registration,
  rules: no_rules
}
