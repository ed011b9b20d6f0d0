import { as_registered, companies, no_rules, plain_registration, type EinvoicingCountry } from "./EinvoicingCountry.ts"
import { unwritten } from "./Form.ts"

const offer = unwritten(
  "cfdi-4.0",
  "The taxpayer signs a CFDI before its provider stamps it, so no provider can convert another format."
)

export const mexico: EinvoicingCountry = {
  code: "MX",
  law: "The taxpayer signs every CFDI, and a PAC stamps it.",
  network: "mx_cfdi",
  schemes: companies("MX:RFC"),
  vat_scheme: null,
  registers: [],
  states_tax_number: true,
  form: { domestic: offer, abroad: offer },
  routed: as_registered,
  registration: plain_registration,
  rules: no_rules
}
