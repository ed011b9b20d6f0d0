import { as_registered, companies, no_rules, plain_registration, type EinvoicingCountry } from "./EinvoicingCountry.ts"
import { unwritten } from "./Form.ts"

const offer = unwritten("ro-cius-ubl", "RO e-Factura takes CIUS-RO alone, which is not written.")

export const romania: EinvoicingCountry = {
  code: "RO",
  law: "Invoices are valid only once RO e-Factura has taken them.",
  network: "ro_spv",
  schemes: companies("9947"),
  vat_scheme: "9947",
  registers: [],
  states_tax_number: true,
  form: { domestic: offer, abroad: offer },
  routed: as_registered,
  registration: plain_registration,
  rules: no_rules
}
