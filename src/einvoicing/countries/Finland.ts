import { as_registered, companies, no_rules, plain_registration, type EinvoicingCountry } from "./EinvoicingCountry.ts"
import { peppolBis } from "./Form.ts"

export const finland: EinvoicingCountry = {
  code: "FI",
  law: "A business may demand structured invoices from its suppliers.",
  network: "peppol",
  schemes: companies("0216"),
  vat_scheme: null,
  registers: ["0216"],
  states_tax_number: true,
  form: { domestic: peppolBis, abroad: peppolBis },
  routed: as_registered,
  registration: plain_registration,
  rules: no_rules
}
