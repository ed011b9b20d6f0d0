import { as_registered, companies, no_rules, plain_registration, type EinvoicingCountry } from "./EinvoicingCountry.ts"
import { peppolBis } from "./Form.ts"

export const belgium: EinvoicingCountry = {
  code: "BE",
  law: "Businesses send each other structured invoices since 1 January 2026.",
  network: "peppol",
  schemes: companies("0208"),
  vat_scheme: "9925",
  registers: ["0208"],
  states_tax_number: true,
  form: { domestic: peppolBis, abroad: peppolBis },
  routed: as_registered,
  registration: plain_registration,
  rules: no_rules
}
