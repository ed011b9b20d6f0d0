import { BigDecimal } from "effect"
import type { Day } from "../../kernel/Calendar.ts"
import type { CustomerId } from "../../kernel/Ids.ts"
import { formatAmount, percentOf, roundHalfAwayFromZero } from "../../kernel/Money.ts"
import type { ItalianTaxRegime } from "../../kernel/OrganizationSettings.ts"
import type { EInvoice, EInvoiceLine, LineTax } from "../invoice/EInvoice.ts"
import { totalRules } from "../rules/DocumentRules.ts"
import { errors, exchange_rate_fix, type Finding, isBlank, warnings } from "../records/Finding.ts"
import { amount_decimals, isNear, lineFigures, price_decimals_max } from "./FatturaFigures.ts"
import { fatturaDocument, textsOf } from "./FatturaDocument.ts"
import { isAbroad } from "./FatturaParties.ts"
import { reference_characters_max } from "./FatturaReferences.ts"
import { textOf } from "./FatturaLines.ts"
import { fitsAscii, fitsLatin, isLatin } from "./FatturaText.ts"
import { euro, inEuro } from "./InEuro.ts"
import { isElsewhere, statedTax, summaryOf } from "./Natura.ts"
import { fatturaPartyRules } from "./FatturaPartyRules.ts"
import { foreign_categories } from "../rules/TaxRules.ts"

/**
 * Checks the schema (control 00200) and the numbered formal controls of the Sistema di Interscambio for a seller in a
 * tax regime. `today` is the day in Rome.
 */
export const fatturaRules = (
  document: EInvoice,
  customer_id: CustomerId,
  regime: ItalianTaxRegime,
  today: Day
): ReadonlyArray<Finding> => writtenRules(inEuro(document), customer_id, regime, today)

const writtenRules: typeof fatturaRules = (invoice, customer_id, regime, today) => [
  ...numberRules(invoice),
  ...errors(
    [
      invoice.issue_date > today,
      "00403",
      "The document is dated in the future.",
      `/${invoice.kind}/issue_date`,
      "Submit the document on or after its date."
    ],
    [
      invoice.currency !== euro,
      "IT-EUR",
      `A FatturaPA states its amounts in euros, and the rate of ${invoice.currency} to euros is unknown.`,
      `/${invoice.kind}/exchange_rate`,
      `${exchange_rate_fix} The currency of the organization must be EUR.`
    ]
  ),
  ...fatturaPartyRules(invoice, customer_id),
  ...invoice.lines.flatMap((line, index) => lineRules(invoice, line, `/${invoice.kind}/items/${index}`)),
  ...adjustmentRules(invoice),
  ...summaryRules(invoice),
  ...totalRules(invoice),
  ...contentRules(invoice),
  ...warnings(
    [
      invoice.tax_breakdown.some(isElsewhere) && !["goods", "services"].includes(invoice.operation_nature ?? ""),
      "IT-OSS",
      "The natura of a sale under the One Stop Shop is N3.2 for goods and N7 for services; this document states N7.",
      `/${invoice.kind}/operation_nature`,
      "Set operation_nature to goods or services."
    ],
    [
      small_regimes.has(regime) && summaryOf(invoice).some(({ natura }) => natura === "N4"),
      "IT-REGIME",
      `The sales of a seller in the regime ${regime} usually have the natura N2.2; this document states N4.`,
      `/${invoice.kind}/items`,
      "Give the tax rate or the lines the exemption_code VATEX-IT-N2-2."
    ]
  )
]

/** The regimes of small businesses, whose sales are not subject to VAT (minimi, forfettario). */
const small_regimes: ReadonlySet<ItalianTaxRegime> = new Set<ItalianTaxRegime>(["RF02", "RF19"])

const digits_max = 11
const limit = BigDecimal.make(1n, -digits_max)

const isNumber = (number: string): boolean => !isBlank(number) && fitsAscii(number, reference_characters_max)

const numberRules = ({ issue_date, kind, number, preceding_invoice: preceding }: EInvoice): ReadonlyArray<Finding> => {
  const fix = "Choose a number format of at most 20 letters, digits and signs of ASCII in the organization's settings."
  return errors(
    [!isNumber(number), "00200", `FatturaPA cannot contain the number "${number}".`, `/${kind}/number`, fix],
    [isNumber(number) && !/\d/.test(number), "00425", "The number needs a digit.", `/${kind}/number`, fix],
    [
      preceding !== null && !isNumber(preceding.number),
      "00200",
      `FatturaPA cannot contain the number "${preceding?.number}" of the invoice that is credited.`,
      "/credit_note/invoice_id",
      fix
    ],
    [
      preceding !== null && issue_date < preceding.issue_date,
      "00418",
      "The credit note is dated before the invoice that it credits.",
      "/credit_note/issue_date",
      "Date the credit note on or after the day of the invoice."
    ]
  )
}

const description_characters_max = 1_000
const decimals = (of: BigDecimal.BigDecimal): number => BigDecimal.normalize(of).scale

const lineRules = (invoice: EInvoice, line: EInvoiceLine, pointer: string): ReadonlyArray<Finding> => {
  const { computed, price, quantity } = lineFigures(line)
  return [
    ...errors(
      [
        isBlank(textOf(line)) || !fitsLatin(textOf(line), description_characters_max),
        "00200",
        `A description has 1 to ${description_characters_max} characters of Latin-1.`,
        `${pointer}/description`,
        "Shorten the description, or replace the characters that are not Latin."
      ],
      [
        decimals(price) > price_decimals_max || decimals(quantity) > price_decimals_max,
        "00200",
        `A price and a quantity have at most ${price_decimals_max} decimals.`,
        `${pointer}/unit_price`,
        "Round the price or the quantity."
      ],
      [
        !isNear(line.net_amount, computed),
        "00423",
        "The amount of the line differs by more than a cent from quantity times price, less the discount.",
        `${pointer}/unit_price`,
        "Use a quantity and a price whose product fits the decimals of the currency."
      ]
    ),
    ...taxesRules(invoice, line.taxes, `${pointer}/tax_rate_ids`)
  ]
}

const taxesRules = (invoice: EInvoice, taxes: ReadonlyArray<LineTax>, pointer: string): ReadonlyArray<Finding> => [
  ...errors([
    taxes.length !== 1,
    "00200",
    `A line bears exactly one rate of VAT; this one bears ${taxes.length}.`,
    pointer,
    "Use a separate line for each tax rate."
  ]),
  ...taxes.flatMap((tax) => {
    const { isSplit, natura, rate } = statedTax(tax, invoice)
    return errors(
      [
        isSplit && (!BigDecimal.isZero(tax.rate) || isAbroad(invoice.buyer)),
        "IT-SPLIT",
        "Split payment is for an Italian customer, and for a line that charges no VAT itself.",
        pointer,
        "Give the exemption_code VATEX-IT-S-22 only to lines without VAT to Italian customers."
      ],
      [
        !isSplit && BigDecimal.isZero(rate) && natura === null,
        "00400",
        `The natura of a line of category ${tax.category} without VAT is not known.`,
        pointer,
        "Give the line or its tax rate an exemption_code such as VATEX-IT-N6-1, which names the natura N6.1."
      ],
      [
        decimals(rate) > amount_decimals || foreign_categories.has(tax.category),
        "00424",
        `Italy has no rate of ${BigDecimal.format(tax.rate)} % of category ${tax.category}.`,
        pointer,
        "Use a tax rate of the Italian law."
      ]
    )
  })
]

const adjustmentRules = (invoice: EInvoice): ReadonlyArray<Finding> =>
  invoice.adjustments.flatMap(({ is_charge, reason, taxes }) => {
    const pointer = `/${invoice.kind}/${is_charge ? "charges" : "discounts"}`
    return [
      ...errors([
        isBlank(reason) || !fitsLatin(reason, description_characters_max),
        "00200",
        "A discount or a charge needs a description in Latin-1.",
        pointer,
        "Describe it with Latin characters."
      ]),
      ...taxesRules(invoice, taxes, pointer)
    ]
  })

/**
 * The tax must be the amount times the rate, rounded to cents, or one cent beside it (control 00421). The amount must be
 * the sum of the lines (00422).
 */
const summaryRules = (invoice: EInvoice): ReadonlyArray<Finding> => {
  const parts = [
    ...invoice.lines.map(({ net_amount, taxes }) => ({ amount: net_amount, taxes })),
    ...invoice.adjustments.map(({ amount, is_charge, taxes }) => ({
      amount: is_charge ? amount : BigDecimal.negate(amount),
      taxes
    }))
  ]
  return summaryOf(invoice).flatMap(({ natura, rate, tax_amount, taxable_amount }) => {
    const own = parts.filter(({ taxes }) =>
      taxes.some((tax) => {
        const stated = statedTax(tax, invoice)
        return BigDecimal.equals(stated.rate, rate) && stated.natura === natura
      })
    )
    const sum = BigDecimal.sumAll(own.map(({ amount }) => amount))
    const pointer = `/${invoice.kind}/items`
    return errors(
      [
        !isNear(tax_amount, roundHalfAwayFromZero(percentOf(taxable_amount, rate), amount_decimals)),
        "00421",
        `The VAT of ${formatAmount(tax_amount, amount_decimals)} differs by more than a cent from its rate.`,
        pointer,
        "Invoice in euros."
      ],
      [
        !BigDecimal.equals(sum, taxable_amount),
        "00422",
        "The amount of a rate of VAT is not the sum of its lines.",
        pointer,
        "The stored totals do not add up; please report this."
      ]
    )
  })
}

/** Maximum size of a file that the Sistema di Interscambio accepts by certified mail. */
const file_bytes_max = 5_000_000

const contentRules = (invoice: EInvoice): ReadonlyArray<Finding> => {
  const { attachments, kind, lines, totals } = invoice
  const amounts = [...Object.values(totals), ...lines.flatMap(({ net_amount, price }) => [net_amount, price])]
  return errors(
    [
      !textsOf(invoice).every(isLatin),
      "00200",
      "The notes, terms or references have characters that are not Latin-1.",
      `/${kind}/notes`,
      "Replace the characters that are not Latin."
    ],
    [
      !attachments.every(({ name }) => isLatin(name)),
      "00200",
      "The name of an attachment has characters that are not Latin-1.",
      `/${kind}/embedded_attachment_ids`,
      "Rename the file."
    ],
    [
      !amounts.every((amount) => BigDecimal.isLessThan(BigDecimal.abs(amount), limit)),
      "00200",
      `An amount has at most ${digits_max} digits before its decimals.`,
      `/${kind}/items`,
      "Divide the document."
    ],
    [
      attachments.length > 0 && sizeOf(invoice) > file_bytes_max,
      "00003",
      "The Sistema di Interscambio accepts files of at most 5 MB.",
      `/${kind}/embedded_attachment_ids`,
      "Embed fewer or smaller files."
    ]
  )
}

const sizeOf = (invoice: EInvoice): number =>
  new TextEncoder().encode(fatturaDocument(invoice, { progressive: "00000", regime: "RF01" })).length
