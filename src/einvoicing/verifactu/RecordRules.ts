import { BigDecimal } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import { percentOf } from "../../kernel/Money.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import { errors, exchange_rate_fix, type Finding, isBlank } from "../records/Finding.ts"
import { totalRules } from "../rules/DocumentRules.ts"
import { isSimplified, numberOf, operationDate, typeOf } from "./InvoiceRecord.ts"
import { breakdownOf, type BreakdownRow, isMarginScheme, totalOf } from "./RecordAmounts.ts"
import { type ForeignIdentity, isNif, issuerOf, isWellFormed, taxIdentityOf } from "./RecordParties.ts"

/**
 * Checks the conditions under which the AEAT refuses a record on the day `today`. Each rule has the number of the AEAT's
 * error, except `ES-REGIME`: records of this service do not support the tax regimes of margins.
 */
export const recordRules = (invoice: EInvoice, customer_id: CustomerId, today: Day): ReadonlyArray<Finding> => [
  ...documentRules(invoice, today),
  ...sellerRules(invoice),
  ...buyerRules(invoice, ` on customer ${customer_id}`),
  ...breakdownOf(invoice).flatMap((row) => rowRules(invoice, row)),
  ...regimeRules(invoice),
  ...amountRules(invoice),
  ...totalRules(invoice)
]

const number_characters_max = 60
/** The day on which the technical rules of VERI*FACTU came into force. */
const first_day = "2024-10-28"

const isNumber = (number: string): boolean =>
  /^[\x20-\x7e]+$/.test(number) && !/["'<>=]/.test(number) && number.length <= number_characters_max

const documentRules = (
  { issue_date, kind, number, preceding_invoice: preceding }: EInvoice,
  today: Day
): ReadonlyArray<Finding> => {
  const fix = `Choose a number format of at most ${number_characters_max} signs of ASCII without " ' < > =.`
  return errors(
    [!isNumber(numberOf(number)), "1104", `A record cannot contain the number "${number}".`, `/${kind}/number`, fix],
    [
      preceding !== null && !isNumber(numberOf(preceding.number)),
      "1104",
      `A record cannot contain the number "${preceding?.number}" of the invoice that is credited.`,
      "/credit_note/invoice_id",
      fix
    ],
    [
      issue_date < first_day,
      "1152",
      `A record cannot contain a date before ${first_day}.`,
      `/${kind}/issue_date`,
      "Date the document later."
    ],
    [
      issue_date > today,
      "1112",
      "A record cannot contain a date in the future.",
      `/${kind}/issue_date`,
      "Date the document earlier, or issue it on its date."
    ]
  )
}

const sellerRules = ({ seller }: EInvoice): ReadonlyArray<Finding> =>
  errors(
    [
      !isNif(issuerOf({ seller })),
      "1123",
      "The seller needs a valid Spanish tax number (NIF).",
      "/organization/tax_number",
      "Set tax_number on the organization to its NIF, such as ESB58378431."
    ],
    [isBlank(seller.name), "1100", "The seller needs a name.", "/organization/name", "Set name on the organization."]
  )

/** Maximum total of a simplified invoice, in euros. */
const simplified_max = BigDecimal.make(3_000n, 0)
const id_characters_max = 20

const buyerRules = (invoice: EInvoice, on_customer: string): ReadonlyArray<Finding> => {
  const identity = taxIdentityOf(invoice.buyer)
  const fix = `Set tax_number${on_customer}.`
  if (identity === null) return unidentifiedRules(invoice, fix)
  if (isSimplified(typeOf(invoice))) return []
  return [
    ...errors([
      isBlank(invoice.buyer.name),
      "1283",
      "The buyer needs a name.",
      "/customer/name",
      `Set name${on_customer}.`
    ]),
    ...("nif" in identity ? spanishRules(invoice, identity.nif, fix) : foreignRules(invoice, identity, on_customer))
  ]
}

const unidentifiedRules = (invoice: EInvoice, fix: string) => {
  const type = typeOf(invoice)
  return errors(
    [!isSimplified(type), "1189", `A record of type ${type} identifies the customer.`, "/customer/tax_number", fix],
    [
      type === "F2" && BigDecimal.isGreaterThan(totalOf(invoice), simplified_max),
      "1150",
      "An invoice of more than 3,000 euros identifies the customer.",
      "/customer/tax_number",
      fix
    ]
  )
}

const spanishRules = (invoice: EInvoice, nif: string, fix: string) =>
  errors(
    [!isNif(nif), "1123", `${nif} is not a valid NIF.`, "/customer/tax_number", fix],
    [nif === issuerOf(invoice), "1193", "The customer has the tax number of the seller.", "/customer/tax_number", fix]
  )

const foreignRules = (invoice: EInvoice, identity: ForeignIdentity, on_customer: string) => {
  const { country, id, type: id_type } = identity
  const type = typeOf(invoice)
  return errors(
    [
      id_type === "04" && country === null,
      "1111",
      "A foreign customer needs a country.",
      "/customer/country",
      `Set country${on_customer}.`
    ],
    [
      id.length > id_characters_max,
      "1103",
      `A foreign tax number has at most ${id_characters_max} characters.`,
      "/customer/tax_number",
      `Set tax_number${on_customer}.`
    ],
    [
      !isWellFormed(identity),
      "1103",
      `${id} does not have the structure of a VAT number of the EU.`,
      "/customer/tax_number",
      `Set tax_number${on_customer} to the number in the EU's register (VIES).`
    ],
    [
      type === "R3" || (type === "R2" && id_type !== "02"),
      type === "R3" ? "1191" : "1192",
      `A correction of type ${type} needs a customer with a NIF${type === "R2" ? " or a VAT number of the EU" : ""}.`,
      `/${invoice.kind}/corrective_cause`,
      "Choose another corrective_cause."
    ]
  )
}

const vat = "01"
const rates = new Set(["0", "4", "10", "21"])
/** Temporarily reduced VAT rates, in percent, each with the last day on which it applied. */
const lowered: Readonly<Record<string, string>> = { "2": "2024-12-31", "5": "2024-09-30", "7.5": "2024-12-31" }
const rate_limit = BigDecimal.make(1n, -3)

const rowRules = (invoice: EInvoice, { tax, taxed, treatment }: BreakdownRow): ReadonlyArray<Finding> => {
  const { kind } = invoice
  const pointer = `/${kind}/items`
  const identity = taxIdentityOf(invoice.buyer)
  const rate = taxed === null ? null : BigDecimal.format(taxed.rate)
  const day = operationDate(invoice)
  const supplied = day === null ? invoice.issue_date : `${day.slice(6)}-${day.slice(3, 5)}-${day.slice(0, 2)}`
  const isRate = rate === null || rates.has(rate) || supplied <= (lowered[rate] ?? "")
  return errors(
    [
      tax === vat && !isRate,
      "1124",
      `Spain has no VAT rate of ${rate} %.`,
      pointer,
      "Use a tax rate of 0, 4, 10 or 21 %, or of category L or M for the Canary Islands, Ceuta and Melilla."
    ],
    [
      tax !== vat &&
        taxed !== null &&
        (BigDecimal.normalize(taxed.rate).scale > 2 || BigDecimal.isGreaterThanOrEqualTo(taxed.rate, rate_limit)),
      "1124",
      `A record cannot contain the rate ${rate} %.`,
      pointer,
      "Use a tax rate of at most two decimals."
    ],
    [
      treatment === "S2" && isSimplified(typeOf(invoice)),
      "1197",
      "A document under reverse charge identifies the customer.",
      "/customer/tax_number",
      "Set tax_number on the customer."
    ],
    [
      treatment === "E5" && tax === vat && (identity === null || "nif" in identity),
      "1289",
      "An intra-community supply goes to a customer with the VAT number of another country.",
      "/customer/tax_number",
      "Set tax_number on the customer to its VAT number, or use another tax category."
    ]
  )
}

/** The rule that no credit note and no corrected invoice could obey, either. */
export const margin_rule = "ES-REGIME"

/** The base of a record is the margin, which the document does not state. */
const regimeRules = ({ kind, tax_breakdown }: EInvoice): ReadonlyArray<Finding> =>
  errors([
    tax_breakdown.some(isMarginScheme),
    margin_rule,
    "The regimes 03 and 05 (margin schemes) are not supported, because the margin of a sale is not known.",
    `/${kind}/items`,
    "Declare the sale with other software."
  ])

const rows_max = 12
const amount_limit = BigDecimal.make(1n, -12)
/** Maximum difference, in euros, that the AEAT accepts between a stated amount and the one that it computes. */
const tolerance = BigDecimal.make(10n, 0)

const amountRules = (invoice: EInvoice): ReadonlyArray<Finding> => {
  const { currency, exchange_rate, kind, lines } = invoice
  const rows = breakdownOf(invoice)
  const stated = BigDecimal.sumAll(rows.flatMap(({ base, taxed }) => (taxed === null ? [base] : [base, taxed.amount])))
  const total = totalOf(invoice)
  const isWrong = rows.some(
    ({ base, taxed }) => taxed !== null && isFar(taxed.amount, percentOf(base, taxed.rate), tolerance)
  )
  return errors(
    [
      currency !== "EUR" && exchange_rate === null,
      "1100",
      "Records are in euros, and the exchange rate of the document is unknown.",
      `/${kind}/exchange_rate`,
      exchange_rate_fix
    ],
    [
      rows.length === 0 || rows.length > rows_max,
      "1100",
      `A record has 1 to ${rows_max} rates and treatments; this document has ${rows.length}.`,
      `/${kind}/items`,
      "Divide the document."
    ],
    [
      lines.some(({ taxes }) => taxes.length > 1),
      "1100",
      "A line bears exactly one tax.",
      `/${kind}/items`,
      "Use a separate line for each tax rate."
    ],
    [
      rows.some(({ base }) => !BigDecimal.isLessThan(BigDecimal.abs(base), amount_limit)),
      "1100",
      "An amount of a record is below a million millions.",
      `/${kind}/items`,
      "Divide the document."
    ],
    [
      isFar(stated, total, tolerance) || isWrong,
      "1210",
      "The total differs from the sum of the bases and the taxes.",
      `/${kind}/items`,
      "Correct the lines."
    ]
  )
}

const isFar = (left: BigDecimal.BigDecimal, right: BigDecimal.BigDecimal, by: BigDecimal.BigDecimal): boolean =>
  BigDecimal.isGreaterThan(BigDecimal.abs(BigDecimal.subtract(left, right)), by)
