import { BigDecimal } from "effect"
import { addressed, errors, payment_fix, sellerAddressed, warnings } from "../records/Finding.ts"
import { companies, type EinvoicingCountry, usual_peppol } from "./EinvoicingCountry.ts"

const wholly = (rule: string) => ({ line1: rule, city: rule, postal_code: rule })

/** Codes of UNTDID 4461 for credit transfers, cards, direct debits and standing agreements (NL-R-008). */
const dutch_means = new Set(["30", "48", "49", "57", "58", "59"])

const registers: ReadonlySet<string> = new Set(["0106", "0190"])

const findings: EinvoicingCountry["rules"]["findings"] = (invoice, customer_id, isDomestic) => {
  const { buyer, kind, payment, seller, totals } = invoice
  const owed = kind === "invoice" && BigDecimal.isPositive(totals.payable)
  return [
    ...errors(
      [
        seller.legal_registration !== null && seller.legal_registration.scheme === null,
        "NL-R-003",
        "A Dutch seller's registration number is a KVK number or an OIN.",
        "/organization/registration_number",
        "Set registration_number on the organization to its KVK number."
      ],
      [
        payment === null && owed,
        "NL-R-007",
        "The invoice needs payment instructions.",
        "/organization/settings/payment_iban",
        payment_fix
      ],
      [
        payment !== null && isDomestic && !dutch_means.has(payment.means_code),
        "NL-R-008",
        "The invoice needs an account to pay to, or a payment by card or direct debit.",
        "/organization/settings/payment_iban",
        payment_fix
      ]
    ),
    // The Dutch NLCIUS requires the KVK number or the OIN, but Peppol does not. Recipients may apply the NLCIUS.
    ...warnings(
      [
        seller.legal_registration === null,
        "BR-NL-1",
        "Dutch recipients expect the KVK number or OIN of the seller.",
        "/organization/registration_number",
        "Set registration_number on the organization to its KVK number."
      ],
      [
        isDomestic && !registers.has(buyer.legal_registration?.scheme ?? ""),
        "BR-NL-10",
        "Dutch recipients expect their KVK number or OIN.",
        "/customer/einvoicing_identifier_scheme",
        `Address customer ${customer_id} by its KVK number (0106) or OIN (0190).`
      ]
    ),
    ...sellerAddressed(invoice, wholly("NL-R-002")),
    ...(isDomestic
      ? addressed(buyer.address, wholly("NL-R-004"), "/customer", `The address of customer ${customer_id}`)
      : [])
  ]
}

export const netherlands: EinvoicingCountry = {
  ...usual_peppol,
  code: "NL",
  law: "Suppliers of the central government send structured invoices.",
  schemes: { ...companies("0106"), government: ["0190"] },
  vat_scheme: "9944",
  registers: ["0106", "0190"],
  rules: { of: "resident", findings }
}
