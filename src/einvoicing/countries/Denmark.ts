import { errors } from "../records/Finding.ts"
import { companies, type EinvoicingCountry, usual_peppol } from "./EinvoicingCountry.ts"

const direct_debit = "49"

const findings: EinvoicingCountry["rules"]["findings"] = ({ buyer, kind, payment, seller }) =>
  errors(
    [
      seller.legal_registration?.scheme !== "0184",
      "DK-R-002",
      "A Danish seller needs its CVR number.",
      "/organization/registration_number",
      "Set registration_number on the organization to its CVR number."
    ],
    [
      // DK-R-007 binds a document only if both parties are Danish.
      buyer.address.country === "DK" && payment?.means_code === direct_debit && (payment.debit?.iban ?? null) === null,
      "DK-R-007",
      "A direct debit needs the account that is debited.",
      `/${kind}/payment_means/debited_iban`,
      "Set debited_iban in payment_means."
    ]
  )

export const denmark: EinvoicingCountry = {
  ...usual_peppol,
  code: "DK",
  law: "Suppliers of public bodies send structured invoices.",
  schemes: companies("0184"),
  vat_scheme: null,
  registers: ["0184"],
  rules: { of: "resident", findings }
}
