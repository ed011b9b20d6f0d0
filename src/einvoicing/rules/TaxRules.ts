import { BigDecimal } from "effect"
import type { TaxCategory } from "../../billing/lines/Tax.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import { formatAmount, percentOf, roundHalfAwayFromZero } from "../../kernel/Money.ts"
import type { EInvoice, EInvoiceTax } from "../invoice/EInvoice.ts"
import { exemption_codes } from "./ExemptionCodes.ts"
import { errors, type Finding } from "../records/Finding.ts"

/** Prefixes of the rules of EN 16931 by tax category: BR-IC-05 is a rule about category K. */
const families: Readonly<Record<TaxCategory, string>> = {
  S: "BR-S",
  Z: "BR-Z",
  E: "BR-E",
  AE: "BR-AE",
  K: "BR-IC",
  G: "BR-G",
  O: "BR-O",
  L: "BR-AF",
  M: "BR-AG"
}

const names: Readonly<Record<TaxCategory, string>> = {
  S: "standard rated",
  Z: "zero rated",
  E: "exempt",
  AE: "reverse charge",
  K: "intra-community supply",
  G: "export",
  O: "not subject to VAT",
  L: "IGIC",
  M: "IPSI"
}

/** Categories of taxes in Spanish territories: IGIC (L) and IPSI (M). */
export const foreign_categories: ReadonlySet<string> = new Set<TaxCategory>(["L", "M"])
/** Tax categories that may have a rate above zero. */
const taxed = new Set<TaxCategory>(["S", "L", "M"])
/** Tax categories for which the seller's tax registration (BT-32) cannot replace the VAT identifier. */
const needing_vat = new Set<TaxCategory>(["K", "G"])

/** Maximum difference of a tax from base times rate (BR-CO-17), because it may be a sum of rounded taxes. */
const tax_slack = BigDecimal.fromBigInt(1n)

/** Checks the tax breakdown (BG-23), and the party identifiers and the delivery that its categories require. */
export const taxRules = (invoice: EInvoice, customer_id: CustomerId): ReadonlyArray<Finding> => [
  ...errors([
    invoice.tax_breakdown.length === 0,
    "BR-CO-18",
    "An invoice needs a breakdown of its tax.",
    `/${invoice.kind}/items`,
    "Add a line."
  ]),
  ...notSubject(invoice),
  ...invoice.tax_breakdown.flatMap((tax) => [
    ...sellerOf(invoice, tax.category),
    ...buyerOf(invoice, tax.category, customer_id),
    ...deliveryOf(invoice, tax.category),
    ...exemptionOf(invoice, tax),
    ...figuresOf(invoice, tax)
  ])
]

const notSubject = ({ kind, tax_breakdown }: EInvoice): ReadonlyArray<Finding> => {
  const outside = tax_breakdown.filter(({ category }) => category === "O")
  return errors([
    outside.length > 0 && outside.length < tax_breakdown.length,
    "BR-O-11",
    "Lines that are not subject to VAT may not be combined with others.",
    `/${kind}/items`,
    "Invoice them separately, or as exempt (E)."
  ])
}

const sellerOf = ({ seller }: EInvoice, category: TaxCategory): ReadonlyArray<Finding> => {
  if (category === "O") return []
  const known = seller.vat_identifier ?? (needing_vat.has(category) ? null : seller.tax_registration)
  return errors([
    known === null,
    `${families[category]}-02`,
    `The seller needs a VAT identifier for a line that is ${names[category]}.`,
    "/organization/tax_number",
    "Set tax_number on the organization, with the prefix of its country."
  ])
}

const buyerOf = ({ buyer }: EInvoice, category: TaxCategory, customer_id: CustomerId): ReadonlyArray<Finding> => {
  const isKnown = buyer.vat_identifier !== null || (category === "AE" && buyer.legal_registration !== null)
  return errors([
    (category === "AE" || category === "K") && !isKnown,
    `${families[category]}-02`,
    `The buyer needs a VAT identifier for a line that is ${names[category]}.`,
    "/customer/tax_number",
    `Set tax_number on customer ${customer_id}, with the prefix of its country.`
  ])
}

const deliveryOf = ({ delivery, kind }: EInvoice, category: TaxCategory): ReadonlyArray<Finding> =>
  errors([
    category === "K" && delivery === null,
    "BR-IC-11",
    "An intra-community supply needs the date or the period of its delivery.",
    `/${kind}/delivery_date`,
    `Set delivery_date or delivery_period on the draft; ${kind === "invoice" ? "an issued invoice has to be credited and issued again" : "a sent credit note cannot be changed"}.`
  ])

/** Exemption codes that only one tax category may have, in the order of their rules (PEPPOL-EN16931-P0104 to P0111). */
const code_categories: Readonly<Record<string, TaxCategory>> = {
  "VATEX-EU-G": "G",
  "VATEX-EU-O": "O",
  "VATEX-EU-IC": "K",
  "VATEX-EU-AE": "AE",
  "VATEX-EU-D": "E",
  "VATEX-EU-F": "E",
  "VATEX-EU-I": "E",
  "VATEX-EU-J": "E"
}
const code_rules = Object.keys(code_categories)
const first_code_rule = 104

const exemptionOf = ({ kind, profile }: EInvoice, { category, exemption }: EInvoiceTax): ReadonlyArray<Finding> => {
  const code = exemption?.code?.toUpperCase() ?? null
  if (code === null) return []
  const expected = code_categories[code] ?? category
  return errors(
    [
      !exemption_codes.has(code),
      "BR-CL-22",
      `${code} is not on the VATEX code list.`,
      `/${kind}/items`,
      "Use an exemption_code of that list."
    ],
    [
      profile.rules === "peppol" && expected !== category,
      `PEPPOL-EN16931-P0${first_code_rule + code_rules.indexOf(code)}`,
      `${code} is the reason of what is ${names[expected]}, not ${names[category]}.`,
      `/${kind}/items`,
      "Use the exemption_code of the category."
    ]
  )
}

const figuresOf = (invoice: EInvoice, tax: EInvoiceTax): ReadonlyArray<Finding> => {
  const { adjustments, currency, kind, lines } = invoice
  const { category, rate, tax_amount, taxable_amount } = tax
  const shown = (amount: BigDecimal.BigDecimal) => formatAmount(amount, exponentOf(currency))
  const parts = [
    ...lines.map(({ net_amount, taxes }) => ({ amount: net_amount, taxes })),
    ...adjustments.map(({ amount, is_charge, taxes }) => ({
      amount: is_charge ? amount : BigDecimal.negate(amount),
      taxes
    }))
  ]
  const parts_total = BigDecimal.sumAll(
    parts.flatMap(({ amount, taxes }) =>
      taxes.some((of) => of.category === category && BigDecimal.equals(of.rate, rate)) ? [amount] : []
    )
  )
  // The official rules round to two decimals in every currency, also in yen.
  const computed = roundHalfAwayFromZero(percentOf(taxable_amount, rate), 2)
  const distance = BigDecimal.abs(BigDecimal.subtract(tax_amount, computed))
  const family = families[category]
  const isZeroRate = BigDecimal.isZero(rate)
  return errors(
    [
      category === "S" && !BigDecimal.isPositive(rate),
      "BR-S-05",
      "A standard rate is above zero.",
      `/${kind}/items`,
      "Give the tax rate category Z, E or another one without tax."
    ],
    [
      !taxed.has(category) && !isZeroRate,
      category === "O" ? "BR-O-05" : `${family}-05`,
      `What is ${names[category]} has a rate of zero, not ${BigDecimal.format(rate)} %.`,
      `/${kind}/items`,
      "Give the tax rate category S, or a rate of 0."
    ],
    [
      !BigDecimal.equals(parts_total, taxable_amount),
      `${family}-08`,
      `The taxable amount is ${shown(taxable_amount)}, but its parts are ${shown(parts_total)}.`,
      `/${kind}/items`,
      "The stored totals do not add up; please report this."
    ],
    [
      !BigDecimal.isLessThan(distance, tax_slack),
      "BR-CO-17",
      `The tax is ${shown(tax_amount)}, but the rate gives ${formatAmount(computed, 2)}.`,
      `/${kind}/items`,
      "The stored totals do not add up; please report this."
    ]
  )
}
