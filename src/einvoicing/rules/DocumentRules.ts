import { BigDecimal } from "effect"
import { exponentOf } from "../../kernel/Currency.ts"
import { fitsExponent, formatAmount } from "../../kernel/Money.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import { errors, type Finding, isBlank } from "../records/Finding.ts"
import { amount_decimals_max } from "../invoice/Written.ts"

/** Currencies that our documents may use, but that EN 16931 (BR-CL-04) or Peppol (CL007) does not list. */
const unknown_currencies = new Set(["ANG", "BGN", "CUC", "STN"])

/** Codes of UNTDID 1001 that Peppol allows for a credit note (P0101). */
const credit_note_types = new Set(["381", "396", "81", "83", "532"])

const unnumbered = { invoice: "Issue the invoice.", credit_note: "Send the credit note." }

export const documentRules = (invoice: EInvoice): ReadonlyArray<Finding> => {
  const { accounting_tax, currency, kind, number, profile, type_code } = invoice
  const wrong_type = kind === "credit_note" && profile.rules === "peppol" && !credit_note_types.has(type_code)
  return [
    ...errors(
      [isBlank(number), "BR-02", "The document needs a number.", `/${kind}/number`, unnumbered[kind]],
      [invoice.lines.length === 0, "BR-16", "An invoice needs a line.", "/invoice/items", "Add a line."],
      [
        unknown_currencies.has(currency),
        "PEPPOL-EN16931-CL007",
        `${currency} is not a currency of the network's code list.`,
        "/invoice/currency",
        "Invoice in another currency."
      ],
      [
        accounting_tax !== null && unknown_currencies.has(accounting_tax.currency),
        "BR-CL-05",
        `${accounting_tax?.currency} is not a currency of the network's code list.`,
        "/organization/currency",
        "Leave out exchange_rate on the invoice and in its submission."
      ],
      [
        wrong_type,
        "PEPPOL-EN16931-P0101",
        `A credit note of type ${type_code} cannot be sent over the network.`,
        "/credit_note/credit_note_type_code",
        `Use one of ${[...credit_note_types].join(", ")}.`
      ],
      [
        kind === "credit_note" && invoice.preceding_invoice === null,
        "BR-55",
        "A credit note needs the invoice it corrects.",
        "/credit_note/invoice_id",
        "Create the credit note from an issued invoice."
      ]
    ),
    ...totalRules(invoice)
  ]
}

/** Checks the totals exactly (BR-CO-13 to BR-CO-16), and the number of decimals of all amounts. */
export const totalRules = (invoice: EInvoice): ReadonlyArray<Finding> => {
  const { adjustments, currency, lines, tax_breakdown, totals } = invoice
  const exponent = exponentOf(currency)
  const shown = (amount: BigDecimal.BigDecimal) => formatAmount(amount, exponent)
  const sum = (
    name: string,
    rule: string,
    stated: BigDecimal.BigDecimal,
    parts: ReadonlyArray<BigDecimal.BigDecimal>
  ) =>
    [
      !BigDecimal.equals(stated, BigDecimal.sumAll(parts)),
      rule,
      `${name} is ${shown(stated)}, but its parts are ${shown(BigDecimal.sumAll(parts))}.`,
      "/invoice/items",
      "The stored totals do not add up; please report this."
    ] as const
  const net_amounts = lines.map(({ net_amount }) => net_amount)
  const discounts = lines.flatMap(({ discount }) => (discount === null ? [] : [discount.amount]))
  const taxes = tax_breakdown.map(({ tax_amount }) => tax_amount)
  const amounts: ReadonlyArray<BigDecimal.BigDecimal> = [
    ...Object.values(totals),
    ...net_amounts,
    ...discounts,
    ...adjustments.map(({ amount }) => amount),
    ...taxes
  ]
  return errors(
    sum("The total without tax", "BR-CO-13", totals.tax_exclusive, [
      totals.lines,
      BigDecimal.negate(totals.discounts),
      totals.charges
    ]),
    sum("The tax", "BR-CO-14", totals.tax, taxes),
    sum("The total with tax", "BR-CO-15", totals.tax_inclusive, [totals.tax_exclusive, totals.tax]),
    sum("The amount due", "BR-CO-16", totals.payable, [
      totals.tax_inclusive,
      BigDecimal.negate(totals.prepaid),
      totals.rounding
    ]),
    [
      !amounts.every((amount) => fitsExponent(amount, amount_decimals_max)),
      "UBL-DT-01",
      `Amounts may not have more than ${amount_decimals_max} decimals, and ${currency} has ${exponent}.`,
      "/invoice/items",
      "Use amounts without a third decimal, or another currency."
    ]
  )
}
