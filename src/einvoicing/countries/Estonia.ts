import { as_registered, companies, no_rules, plain_registration, type EinvoicingCountry } from "./EinvoicingCountry.ts"
import { peppolBis } from "./Form.ts"

export const estonia: EinvoicingCountry = {
  code: "EE",
  law: "A registered recipient may demand structured invoices since July 2025.",
  network: "peppol",
  schemes: companies("0191"),
  vat_scheme: "9931",
  registers: ["0191"],
  states_tax_number: true,
  form: { domestic: peppolBis, abroad: peppolBis },
  routed: as_registered,
  registration: plain_registration,
  rules: no_rules
}
