import { BigDecimal } from "effect"
import { errors } from "../records/Finding.ts"
import { companies, type EinvoicingCountry, usual_peppol } from "./EinvoicingCountry.ts"

const swedish_rates = new Set(["25", "12", "6"])

const findings: EinvoicingCountry["rules"]["findings"] = ({ kind, seller, tax_breakdown }) => {
  const isVat = seller.vat_identifier?.startsWith("SE") === true
  const rates = tax_breakdown.filter(({ category }) => category === "S").map(({ rate }) => BigDecimal.format(rate))
  return errors(
    [
      isVat && !/^SE\d{12}$/.test(seller.vat_identifier ?? ""),
      "SE-R-001",
      "A Swedish VAT number is SE and twelve digits.",
      "/organization/tax_number",
      "Set tax_number on the organization in that form."
    ],
    [
      seller.legal_registration !== null && seller.legal_registration.scheme === null,
      "SE-R-013",
      "A Swedish organisation number has ten digits, the last of which checks the others.",
      "/organization/registration_number",
      "Set registration_number on the organization to its organisation number."
    ],
    [
      seller.legal_registration !== null && seller.tax_registration !== null,
      "SE-R-005",
      "A Swedish seller states its VAT number, or that it is approved for F-tax.",
      "/organization/tax_number",
      "Set tax_number on the organization to its VAT number."
    ],
    [
      isVat && !rates.every((rate) => swedish_rates.has(rate)),
      "SE-R-006",
      "Swedish rates are 25, 12 and 6 %.",
      `/${kind}/items`,
      "Use one of these tax rates."
    ]
  )
}

export const sweden: EinvoicingCountry = {
  ...usual_peppol,
  code: "SE",
  law: "Suppliers of public bodies send structured invoices.",
  schemes: companies("0007"),
  vat_scheme: null,
  registers: ["0007"],
  states_tax_number: false,
  rules: { of: "resident", findings }
}
