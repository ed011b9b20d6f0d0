import { BigDecimal } from "effect"
import type { CustomerId } from "../../kernel/Ids.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import { errors, exchange_rate_fix, type Finding } from "../records/Finding.ts"
import { directory_scheme, french_credit_notes, siren_scheme } from "../countries/FrenchCodes.ts"
import { foreign_categories } from "./TaxRules.ts"

const number_characters_max = 35
/** A document number consists of letters, digits and - + _ / (BR-FR-02). */
const number_pattern = /^[A-Za-z0-9+\-_/]+$/
/** XP Z12-013 allows a slash in a routing code, but the address on an invoice may not contain one (BR-FR-23). */
const address_pattern = /^[A-Za-z0-9+\-_.]{1,125}$/

const global_rebate = "262"
/** The rates of French VAT in percent, including those of the past (rule G1.24). */
export const french_rates = new Set("0 0.9 1.05 1.75 2.1 5.5 7 8.5 9.2 9.6 10 13 19.6 20 20.6".split(" "))

const siren_pattern = /^\d{9}$/
const isSiren = (of: EInvoice["seller"]["legal_registration"]) =>
  of?.scheme === siren_scheme && siren_pattern.test(of.value)

/** Checks the BR-FR rules of XP Z12-012 for a document between two businesses of the French directory. */
export const frenchRules = (invoice: EInvoice, customer_id: CustomerId): ReadonlyArray<Finding> => [
  ...identityRules(invoice),
  ...partiesRules(invoice, customer_id),
  ...contentRules(invoice)
]

const isNumber = (of: string): boolean => of.length <= number_characters_max && number_pattern.test(of)

const identityRules = ({ kind, number, preceding_invoice, profile, type_code }: EInvoice): ReadonlyArray<Finding> => {
  const number_fix = "Choose a number format of at most 35 letters, digits and - + _ / in the organization's settings."
  return errors(
    [!isNumber(number), "BR-FR-02", `France does not allow the number ${number}.`, `/${kind}/number`, number_fix],
    [
      preceding_invoice !== null && !isNumber(preceding_invoice.number),
      "BR-FR-02",
      `France does not allow the number ${preceding_invoice?.number} of the invoice that is credited.`,
      "/credit_note/invoice_id",
      number_fix
    ],
    [
      kind === "credit_note" && !french_credit_notes.has(type_code),
      "BR-FR-04",
      `A credit note of type ${type_code} cannot be sent in France.`,
      "/credit_note/credit_note_type_code",
      `Use one of ${[...french_credit_notes].join(", ")}.`
    ],
    [
      profile.process === null,
      "BR-FR-08",
      "France requires whether goods, services or both are invoiced.",
      `/${kind}/operation_nature`,
      "Set operation_nature to goods, services or mixed."
    ]
  )
}

const partiesRules = ({ buyer, seller }: EInvoice, customer_id: CustomerId): ReadonlyArray<Finding> => {
  const buyer_siren = buyer.legal_registration?.value ?? ""
  return errors(
    [
      !isSiren(seller.legal_registration),
      "BR-FR-10",
      "A French seller needs its SIREN.",
      "/organization/registration_number",
      "Set registration_number on the organization to its SIREN or SIRET."
    ],
    [
      !isSiren(buyer.legal_registration),
      "BR-FR-11",
      "A French business customer needs its SIREN.",
      "/recipient_identifier_value",
      `Set einvoicing_identifier_value on customer ${customer_id} to an address that begins with its SIREN.`
    ],
    [
      buyer.electronic_address.scheme !== directory_scheme,
      "BR-FR-21",
      "A French business customer is addressed in the French directory.",
      "/recipient_identifier_scheme",
      `Set einvoicing_identifier_scheme on customer ${customer_id} to FR:CTC.`
    ],
    [
      !address_pattern.test(seller.electronic_address.value),
      "BR-FR-23",
      "The seller's address in the French directory has characters that an invoice may not have.",
      "/organization_id",
      "Register an address of letters, digits and + - _ . alone."
    ],
    [
      !address_pattern.test(buyer.electronic_address.value) || !buyer.electronic_address.value.startsWith(buyer_siren),
      "BR-FR-23",
      "The customer's address in the French directory has characters that an invoice may not have.",
      "/recipient_identifier_value",
      `Set einvoicing_identifier_value on customer ${customer_id} to letters, digits and + - _ . alone.`
    ]
  )
}

const contentRules = (invoice: EInvoice): ReadonlyArray<Finding> => {
  const { accounting_tax, contract_reference, currency, delivery, kind, tax_breakdown, type_code } = invoice
  const isPeriod = delivery !== null && "start" in delivery
  const unknown_rate = tax_breakdown.find(({ rate }) => !french_rates.has(BigDecimal.format(rate)))?.rate
  return errors(
    [
      tax_breakdown.some(({ category }) => foreign_categories.has(category)),
      "BR-FR-15",
      "France has neither IGIC nor IPSI.",
      `/${kind}/items`,
      "Give the tax rate category S."
    ],
    [
      unknown_rate !== undefined,
      "BR-FR-16",
      `France has no rate of ${unknown_rate === undefined ? "" : BigDecimal.format(unknown_rate)} %.`,
      `/${kind}/items`,
      "Use a tax rate of the French law."
    ],
    [
      type_code === global_rebate && (contract_reference === null || !isPeriod),
      "BR-FR-CO-03",
      "A credit note of type 262 needs the contract and the period that its rebate is for.",
      "/credit_note/contract_reference",
      "Set contract_reference and delivery_period on the credit note, or use type 381."
    ],
    [
      currency !== "EUR" && accounting_tax?.currency !== "EUR",
      "BR-FR-CO-12",
      "France requires the VAT in euros, too.",
      `/${kind}/exchange_rate`,
      exchange_rate_fix
    ],
    ...decimalClauses(invoice)
  )
}

const quantity_decimals_max = 4
const price_decimals_max = 6

const decimals = (of: BigDecimal.BigDecimal): number => BigDecimal.normalize(of).scale

/** Checks the decimals of quantities (BR-FR-DEC-02) and prices (BR-FR-DEC-03). */
const decimalClauses = ({ kind, lines }: EInvoice) => {
  return [
    [
      lines.some(({ quantity }) => decimals(quantity) > quantity_decimals_max),
      "BR-FR-DEC-02",
      `France allows ${quantity_decimals_max} decimals in a quantity.`,
      `/${kind}/items`,
      "Round the quantity."
    ],
    [
      lines.some(({ price }) => decimals(price) > price_decimals_max),
      "BR-FR-DEC-03",
      `France allows ${price_decimals_max} decimals in a price.`,
      `/${kind}/items`,
      "Round the price."
    ]
  ] as const
}
