import { addressed, errors, sellerAddressed } from "../records/Finding.ts"
import { companies, type EinvoicingCountry, usual_peppol } from "./EinvoicingCountry.ts"

const streetAndCode = (rule: string) => ({ line1: rule, postal_code: rule })

const findings: EinvoicingCountry["rules"]["findings"] = (invoice, customer_id, isDomestic) => {
  const { buyer, seller } = invoice
  return [
    ...errors(
      [
        seller.legal_registration?.scheme !== "0196",
        "IS-R-002",
        "An Icelandic seller needs its kennitala.",
        "/organization/registration_number",
        "Set registration_number on the organization to its kennitala."
      ],
      [
        isDomestic && buyer.legal_registration?.scheme !== "0196",
        "IS-R-004",
        "An Icelandic buyer needs its kennitala.",
        "/recipient_identifier_scheme",
        "Address the recipient by scheme 0196."
      ]
    ),
    ...sellerAddressed(invoice, streetAndCode("IS-R-003")),
    ...(isDomestic
      ? addressed(buyer.address, streetAndCode("IS-R-005"), "/customer", `The address of customer ${customer_id}`)
      : [])
  ]
}

export const iceland: EinvoicingCountry = {
  ...usual_peppol,
  code: "IS",
  law: "Suppliers of public bodies send structured invoices.",
  schemes: companies("0196"),
  vat_scheme: null,
  registers: ["0196"],
  rules: { of: "resident", findings }
}
