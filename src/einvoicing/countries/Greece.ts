import { errors } from "../records/Finding.ts"
import { companies, type EinvoicingCountry, usual } from "./EinvoicingCountry.ts"
import { unwritten } from "./Form.ts"

const offer = unwritten("el-cius-ubl", "Invoices of Greek sellers need the mark of myDATA, which is not requested.")

/** Greece requires a six-part invoice number and a number of the tax authority (MARK). Our documents have neither. */
const findings = errors([
  true,
  "GR-R-001-1",
  "A Greek seller's invoice needs a number of six parts and the mark of myDATA.",
  "/invoice/number",
  "Greek organizations cannot send over Peppol with this service."
])

export const greece: EinvoicingCountry = {
  ...usual,
  code: "GR",
  law: "Every invoice has the mark of myDATA, which the tax authority assigns.",
  network: "peppol",
  schemes: companies("9933"),
  vat_scheme: "9933",
  form: { domestic: offer, abroad: offer },
  rules: { of: "taxpayer", findings: () => findings }
}
