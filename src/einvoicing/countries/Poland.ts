import { as_registered, companies, no_rules, plain_registration, type EinvoicingCountry } from "./EinvoicingCountry.ts"
import { unwritten } from "./Form.ts"

const offer = unwritten("ksef-fa-3", "KSeF takes FA(3) alone, which is not written.")

export const poland: EinvoicingCountry = {
  code: "PL",
  law: "Invoices are issued in KSeF since February and April 2026.",
  network: "pl_ksef",
  schemes: companies("9945"),
  vat_scheme: "9945",
  registers: [],
  states_tax_number: true,
  form: { domestic: offer, abroad: offer },
  routed: as_registered,
  registration: plain_registration,
  rules: no_rules
}
