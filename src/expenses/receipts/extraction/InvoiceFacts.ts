import { BigDecimal } from "effect"
import { isRounding, zero } from "../../../kernel/Money.ts"
import { all, at, textAt, type XmlTree } from "../../../platform/documents/XmlTree.ts"
import { amountOf, optionalAmount, textOf } from "./StatedAmounts.ts"

/** All names and numbers (tax, register) that a document states of its seller. */
export interface Seller {
  readonly names: ReadonlyArray<string>
  readonly numbers: ReadonlyArray<string>
}

export const stated = (texts: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  texts.filter((text) => text !== undefined)

/** The values of an electronic invoice or credit note, as it states them. */
export interface Facts {
  readonly vendor: string | undefined
  readonly seller: Seller
  readonly date: string | undefined
  readonly currency: string | undefined
  readonly reference: string | undefined
  /** Amount with taxes and the rounding of the amount to pay; a prepayment is not deducted. */
  readonly total: string | undefined
  /** The amounts by which the total may exceed the sum of the taxable amounts and the taxes. */
  readonly extras: ReadonlyArray<BigDecimal.BigDecimal>
  readonly tax: string | undefined
  readonly taxes: ReadonlyArray<{
    readonly rate: string | undefined
    readonly taxable: string | undefined
    readonly tax: string | undefined
  }>
  /** Payment means code (UNTDID 4461). */
  readonly payment_code: string | undefined
}

/** Reads the values of a CII document. Where a second element name is tried, it is the name in ZUGFeRD 1. */
export const crossIndustryFacts = (root: XmlTree, document: XmlTree | undefined): Facts => {
  const trade = at(root, "SupplyChainTradeTransaction") ?? at(root, "SpecifiedSupplyChainTradeTransaction")
  const agreement = at(trade, "ApplicableHeaderTradeAgreement") ?? at(trade, "ApplicableSupplyChainTradeAgreement")
  const settlement = at(trade, "ApplicableHeaderTradeSettlement") ?? at(trade, "ApplicableSupplyChainTradeSettlement")
  const sums =
    at(settlement, "SpecifiedTradeSettlementHeaderMonetarySummation") ??
    at(settlement, "SpecifiedTradeSettlementMonetarySummation")
  const currency = textAt(settlement, "InvoiceCurrencyCode")
  const party = at(agreement, "SellerTradeParty")
  const entity = at(party, "SpecifiedLegalOrganization")
  const taxNumbers = all(party, "SpecifiedTaxRegistration").map((tax) => textAt(tax, "ID"))
  return {
    vendor: textAt(party, "Name"),
    seller: {
      names: stated([textAt(party, "Name"), textAt(entity, "TradingBusinessName")]),
      numbers: stated([textAt(entity, "ID"), ...taxNumbers])
    },
    date: compactDay(textAt(document, "IssueDateTime", "DateTimeString") ?? textAt(document, "IssueDateTime")),
    currency,
    reference: textAt(document, "ID"),
    ...rounded(textAt(sums, "GrandTotalAmount"), textAt(sums, "RoundingAmount")),
    tax: textAt(inCurrency(all(sums, "TaxTotalAmount"), currency)),
    taxes: all(settlement, "ApplicableTradeTax").map((tax) => ({
      rate: textAt(tax, "RateApplicablePercent") ?? textAt(tax, "ApplicablePercent"),
      taxable: textAt(tax, "BasisAmount"),
      tax: textAt(tax, "CalculatedAmount")
    })),
    payment_code: textAt(settlement, "SpecifiedTradeSettlementPaymentMeans", "TypeCode")
  }
}

export const ublFacts = (root: XmlTree): Facts => {
  const currency = textAt(root, "DocumentCurrencyCode")
  const party = at(root, "AccountingSupplierParty", "Party")
  const totals = all(root, "TaxTotal").filter((total) => inCurrency(all(total, "TaxAmount"), currency) !== undefined)
  // Some documents state the total tax twice, once without its rates.
  const total = totals.find((total) => at(total, "TaxSubtotal") !== undefined) ?? totals[0]
  const sums = at(root, "LegalMonetaryTotal")
  const names = stated([textAt(party, "PartyName", "Name"), textAt(party, "PartyLegalEntity", "RegistrationName")])
  const taxNumbers = all(party, "PartyTaxScheme").map((scheme) => textAt(scheme, "CompanyID"))
  return {
    vendor: names[0],
    seller: { names, numbers: stated([textAt(party, "PartyLegalEntity", "CompanyID"), ...taxNumbers]) },
    date: textAt(root, "IssueDate"),
    currency,
    reference: textAt(root, "ID"),
    ...rounded(textAt(sums, "TaxInclusiveAmount"), textAt(sums, "PayableRoundingAmount")),
    tax: textAt(total, "TaxAmount"),
    taxes: all(total, "TaxSubtotal").map((subtotal) => ({
      rate: textAt(subtotal, "TaxCategory", "Percent"),
      taxable: textAt(subtotal, "TaxableAmount"),
      tax: textAt(subtotal, "TaxAmount")
    })),
    payment_code: textAt(root, "PaymentMeans", "PaymentMeansCode")
  }
}

/**
 * Adds the rounding of the amount to pay (BT-114) to the total with tax (BT-112). A larger amount is no rounding, but for
 * example the balance of an earlier invoice, so the total does not contain it.
 */
const rounded = (total: string | undefined, rounding: string | undefined): Pick<Facts, "total" | "extras"> => {
  const [stated, change] = [amountOf(total), optionalAmount(rounding)]
  if (stated === undefined || change === undefined) return { total: undefined, extras: [zero] }
  const extra = isRounding(change, stated) ? change : zero
  return { total: textOf(BigDecimal.sum(stated, extra)), extras: [extra] }
}

/** Finds the amount in the document's currency: the tax may be stated in the seller's currency, too. */
const inCurrency = (amounts: ReadonlyArray<XmlTree>, currency: string | undefined): XmlTree | undefined =>
  amounts.find(({ attributes }) => attributes.currencyID === undefined || attributes.currencyID === currency)

/** Rewrites a date of format 102 (UNTDID 2379), such as 20260314, as 2026-03-14. */
const compactDay = (text: string | undefined): string | undefined =>
  text?.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3")
