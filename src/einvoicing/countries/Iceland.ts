import { addressed, errors, sellerAddressed } from "../records/Finding.ts"
import { as_registered, companies, plain_registration, type EinvoicingCountry } from "./EinvoicingCountry.ts"
import { peppolBis } from "./Form.ts"

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
  code: "IS",
  law: "Suppliers of public bodies send structured invoices.",
  network: "peppol",
  schemes: companies("0196"),
  vat_scheme: null,
  registers: ["0196"],
  states_tax_number: true,
  form: { domestic: peppolBis, abroad: peppolBis },
  routed: as_registered,
  registration: plain_registration,
  rules: { of: "resident", findings }
}
