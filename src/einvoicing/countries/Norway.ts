import { Option } from "effect"
import { checkIdentifier } from "../../customers/identifiers/NetworkIdentifier.ts"
import { errors, warnings } from "../records/Finding.ts"
import { companies, type EinvoicingCountry, usual_peppol } from "./EinvoicingCountry.ts"

const findings: EinvoicingCountry["rules"]["findings"] = ({ seller }) => [
  ...errors([
    seller.vat_identifier !== null && !isNorwegianVat(seller.vat_identifier),
    "NO-R-001",
    "A Norwegian VAT number is NO, an organisation number of nine digits and MVA.",
    "/organization/tax_number",
    "Set tax_number on the organization in that form."
  ]),
  ...warnings([
    seller.tax_registration === null,
    "NO-R-002",
    "Most Norwegian sellers state that they are in the Foretaksregisteret.",
    "/organization/registration_number",
    "Nothing to do when the organization is not in that register."
  ])
]

const norwegian_register = "0192"

const isNorwegianVat = (identifier: string): boolean => {
  const number = /^NO(\d{9})MVA$/.exec(identifier)?.[1]
  return number !== undefined && Option.isNone(checkIdentifier(norwegian_register, number))
}

export const norway: EinvoicingCountry = {
  ...usual_peppol,
  code: "NO",
  law: "Suppliers of public bodies send structured invoices.",
  schemes: companies("0192"),
  vat_scheme: null,
  registers: ["0192"],
  states_tax_number: false,
  rules: { of: "taxpayer", findings }
}
