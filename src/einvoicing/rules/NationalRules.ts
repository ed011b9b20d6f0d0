import { BigDecimal, Option } from "effect"
import { checkIdentifier } from "../../customers/NetworkIdentifier.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import { addressed, errors, type Finding, payment_fix, sellerAddressed, warnings } from "./Finding.ts"
import { germanRules } from "./GermanRules.ts"

/**
 * Checks the rules of Peppol BIS Billing 3 for the seller's country. The German rules apply if both parties are German.
 * The rules of Greece, Italy and Norway go by the seller's VAT identifier, and by the address of a seller without one.
 */
export const nationalRules = (invoice: EInvoice, customer_id: CustomerId): ReadonlyArray<Finding> => {
  const { address, vat_identifier } = invoice.seller
  const isDomestic = address.country === invoice.buyer.address.country
  return [
    ...byAddress(invoice, customer_id, address.country, isDomestic),
    ...byTaxation(invoice, vat_identifier?.slice(0, 2) ?? address.country)
  ]
}

const byAddress = (
  invoice: EInvoice,
  customer_id: CustomerId,
  country: string | null,
  isDomestic: boolean
): ReadonlyArray<Finding> => {
  if (country === "DE") return isDomestic ? germanRules(invoice, customer_id) : []
  if (country === "NL") return dutch(invoice, customer_id, isDomestic)
  if (country === "DK") return danish(invoice)
  if (country === "IS") return icelandic(invoice, customer_id, isDomestic)
  if (country === "SE") return swedish(invoice)
  return []
}

const byTaxation = (invoice: EInvoice, country: string | null): ReadonlyArray<Finding> => {
  if (country === "IT") return italian(invoice)
  if (country === "NO") return norwegian(invoice)
  if (country === "GR" || country === "EL") return greek
  return []
}

const wholly = (rule: string) => ({ line1: rule, city: rule, postal_code: rule })
const streetAndCode = (rule: string) => ({ line1: rule, postal_code: rule })

/** Codes of UNTDID 4461 for credit transfers, cards, direct debits and standing agreements (NL-R-008). */
const dutch_means = new Set(["30", "48", "49", "57", "58", "59"])

const dutch = (invoice: EInvoice, customer_id: CustomerId, isDomestic: boolean): ReadonlyArray<Finding> => {
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
    ...sellerAddressed(invoice, wholly("NL-R-002")),
    ...(isDomestic
      ? addressed(buyer.address, wholly("NL-R-004"), "/customer", `The address of customer ${customer_id}`)
      : [])
  ]
}

const direct_debit = "49"

const danish = ({ kind, payment, seller }: EInvoice): ReadonlyArray<Finding> =>
  errors(
    [
      seller.legal_registration?.scheme !== "0184",
      "DK-R-002",
      "A Danish seller needs its CVR number.",
      "/organization/registration_number",
      "Set registration_number on the organization to its CVR number."
    ],
    [
      payment?.means_code === direct_debit && (payment.debit?.iban ?? null) === null,
      "DK-R-007",
      "A direct debit needs the account that is debited.",
      `/${kind}/payment_means/debited_iban`,
      "Set debited_iban in payment_means."
    ]
  )

const italian = (invoice: EInvoice): ReadonlyArray<Finding> => [
  ...errors([
    invoice.seller.tax_registration !== null && !/^[A-Z0-9]{11,16}$/.test(invoice.seller.tax_registration),
    "IT-R-001",
    "An Italian seller's tax number has 11 to 16 letters and digits.",
    "/organization/tax_number",
    "Set tax_number on the organization to its partita IVA or codice fiscale."
  ]),
  ...sellerAddressed(invoice, { line1: "IT-R-002", city: "IT-R-003", postal_code: "IT-R-004" })
]

const icelandic = (invoice: EInvoice, customer_id: CustomerId, isDomestic: boolean): ReadonlyArray<Finding> => {
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

const norwegian = ({ seller }: EInvoice): ReadonlyArray<Finding> => [
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

const swedish_rates = new Set(["25", "12", "6"])

const swedish = ({ kind, seller, tax_breakdown }: EInvoice): ReadonlyArray<Finding> => {
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

/** Greece requires a number of six parts and a mark of the tax authority, which our documents do not have. */
const greek = errors([
  true,
  "GR-R-001-1",
  "A Greek seller's invoice needs a number of six parts and the mark of myDATA.",
  "/invoice/number",
  "Greek organizations cannot send over Peppol with this service."
])
