import { BigDecimal, Option, Schema } from "effect"
import { Day } from "../../../kernel/Calendar.ts"
import { CurrencyCode, exponentOf } from "../../../kernel/Currency.ts"
import { fitsExponent, formatAmount, PositiveAmount } from "../../../kernel/Money.ts"
import type { ExtractedFields } from "../Extraction.ts"
import { fatturaFacts, fatturaKind } from "./FatturaFacts.ts"
import { all, at, textAt, xmlTree, type XmlTree } from "./XmlTree.ts"

/**
 * Reads the fields of an invoice in XML: UN/CEFACT CII (Factur-X, ZUGFeRD 1 and 2, XRechnung), UBL or FatturaPA.
 * Answers none for other documents, credit notes, and invoices that ask for nothing or lack amount, date or currency.
 */
export const embeddedInvoice = (xml: string): Option.Option<ExtractedFields> =>
  Option.flatMap(xmlTree(xml), electronicDocument).pipe(
    Option.filter(({ kind }) => kind === "invoice"),
    Option.map(({ fields }) => fields)
  )

/** Reads the fields of an invoice or a credit note, whose amounts are positive, too. */
export const electronicDocument = (root: XmlTree) =>
  Option.flatMap(factsOf(root), ({ facts, kind }) => Option.map(toFields(facts), (fields) => ({ fields, kind })))

/** The facts of an invoice as any syntax states them. */
export interface Facts {
  readonly vendor: string | undefined
  readonly date: string | undefined
  readonly currency: string | undefined
  readonly reference: string | undefined
  readonly total: string | undefined
  readonly tax: string | undefined
  readonly taxes: ReadonlyArray<{
    readonly rate: string | undefined
    readonly taxable: string | undefined
    readonly tax: string | undefined
  }>
  /** Payment means code (UNTDID 4461). */
  readonly payment_code: string | undefined
}

interface Document {
  readonly kind: "invoice" | "credit_note"
  readonly facts: Facts
}

const factsOf = (root: XmlTree): Option.Option<Document> => {
  if (root.name === "CrossIndustryInvoice" || root.name === "CrossIndustryDocument") return crossIndustryFacts(root)
  if (root.name === "Invoice") return Option.some({ kind: "invoice", facts: ublFacts(root) })
  if (root.name === "CreditNote") return Option.some({ kind: "credit_note", facts: ublFacts(root) })
  const kind = root.name === "FatturaElettronica" ? fatturaKind(root) : undefined
  return kind === undefined ? Option.none() : Option.some({ kind, facts: fatturaFacts(root) })
}

/** Document types (UNTDID 1001) that ask for payment, and those that give money back. */
const invoice_types = new Set(["326", "380", "384", "386", "389", "751", "875", "876", "877"])
const credit_note_types = new Set([
  "81",
  "83",
  "261",
  "262",
  "296",
  "308",
  "381",
  "396",
  "420",
  "458",
  "502",
  "503",
  "532"
])

/** The second name of each pair is the one of ZUGFeRD 1. */
const crossIndustryFacts = (root: XmlTree): Option.Option<Document> => {
  const document = at(root, "ExchangedDocument") ?? at(root, "HeaderExchangedDocument")
  const type_code = textAt(document, "TypeCode") ?? ""
  const isInvoice = invoice_types.has(type_code)
  if (!isInvoice && !credit_note_types.has(type_code)) return Option.none()
  const trade = at(root, "SupplyChainTradeTransaction") ?? at(root, "SpecifiedSupplyChainTradeTransaction")
  const agreement = at(trade, "ApplicableHeaderTradeAgreement") ?? at(trade, "ApplicableSupplyChainTradeAgreement")
  const settlement = at(trade, "ApplicableHeaderTradeSettlement") ?? at(trade, "ApplicableSupplyChainTradeSettlement")
  const sums =
    at(settlement, "SpecifiedTradeSettlementHeaderMonetarySummation") ??
    at(settlement, "SpecifiedTradeSettlementMonetarySummation")
  const currency = textAt(settlement, "InvoiceCurrencyCode")
  const facts: Facts = {
    vendor: textAt(agreement, "SellerTradeParty", "Name"),
    date: compactDay(textAt(document, "IssueDateTime", "DateTimeString")),
    currency,
    reference: textAt(document, "ID"),
    total: textAt(sums, "GrandTotalAmount"),
    tax: textAt(inCurrency(all(sums, "TaxTotalAmount"), currency)),
    taxes: all(settlement, "ApplicableTradeTax").map((tax) => ({
      rate: textAt(tax, "RateApplicablePercent") ?? textAt(tax, "ApplicablePercent"),
      taxable: textAt(tax, "BasisAmount"),
      tax: textAt(tax, "CalculatedAmount")
    })),
    payment_code: textAt(settlement, "SpecifiedTradeSettlementPaymentMeans", "TypeCode")
  }
  return Option.some({ kind: isInvoice ? "invoice" : "credit_note", facts })
}

const ublFacts = (root: XmlTree): Facts => {
  const currency = textAt(root, "DocumentCurrencyCode")
  const party = at(root, "AccountingSupplierParty", "Party")
  const total = all(root, "TaxTotal").find((total) => inCurrency(all(total, "TaxAmount"), currency) !== undefined)
  return {
    vendor: textAt(party, "PartyName", "Name") ?? textAt(party, "PartyLegalEntity", "RegistrationName"),
    date: textAt(root, "IssueDate"),
    currency,
    reference: textAt(root, "ID"),
    total: textAt(root, "LegalMonetaryTotal", "TaxInclusiveAmount"),
    tax: textAt(total, "TaxAmount"),
    taxes: all(total, "TaxSubtotal").map((subtotal) => ({
      rate: textAt(subtotal, "TaxCategory", "Percent"),
      taxable: textAt(subtotal, "TaxableAmount"),
      tax: textAt(subtotal, "TaxAmount")
    })),
    payment_code: textAt(root, "PaymentMeans", "PaymentMeansCode")
  }
}

/** The tax may be stated a second time, in the seller's accounting currency. */
const inCurrency = (amounts: ReadonlyArray<XmlTree>, currency: string | undefined): XmlTree | undefined =>
  amounts.find(({ attributes }) => attributes.currencyID === undefined || attributes.currencyID === currency)

/** Format 102 of UNTDID 2379 writes a date as 20260314. */
const compactDay = (text: string | undefined): string | undefined =>
  text?.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3")

const isDay = Schema.is(Day)
const isCurrency = Schema.is(CurrencyCode)
const decodePositive = Schema.decodeUnknownOption(PositiveAmount)
const isPositive = (amount: string | undefined): amount is string => Option.isSome(decodePositive(amount))

const toFields = (facts: Facts): Option.Option<ExtractedFields> => {
  const { currency, date, reference, vendor } = facts
  if (!isCurrency(currency) || !isDay(date)) return Option.none()
  const amountOf = exactAmount(exponentOf(currency))
  const amount = amountOf(facts.total)
  if (!isPositive(amount)) return Option.none()
  const tax_amount = amountOf(facts.tax)
  const payment_method = facts.payment_code === undefined ? undefined : payment_methods[facts.payment_code]
  const tax_rates = facts.taxes.flatMap((row) => {
    const [rate, taxable_amount, tax_amount] = [percentage(row.rate), amountOf(row.taxable), amountOf(row.tax)]
    if (rate === undefined || taxable_amount === undefined || tax_amount === undefined) return []
    return [{ rate, taxable_amount, tax_amount }]
  })
  return Option.some({
    amount,
    expense_date: date,
    currency,
    ...(tax_amount === undefined ? {} : { tax_amount }),
    ...(vendor === undefined ? {} : { vendor: vendor.slice(0, text_characters_max) }),
    ...(reference === undefined ? {} : { reference: reference.slice(0, text_characters_max) }),
    ...(payment_method === undefined ? {} : { payment_method }),
    // Tax rows are taken only if all of them are complete.
    ...(tax_rates.length > 0 && tax_rates.length === facts.taxes.length ? { tax_rates } : {})
  })
}

const text_characters_max = 255

/** Payment means codes (UNTDID 4461) that tell how the invoice was or will be paid. */
const payment_methods: Readonly<Record<string, string>> = {
  "10": "cash",
  "30": "bank_transfer",
  "31": "bank_transfer",
  "42": "bank_transfer",
  "48": "card",
  "49": "direct_debit",
  "54": "card",
  "55": "card",
  "58": "bank_transfer",
  "59": "direct_debit"
}

const decimal = /^[+-]?\d{1,15}(?:\.\d{1,6})?$/

const exactAmount =
  (exponent: number) =>
  (text: string | undefined): string | undefined => {
    if (text === undefined || !decimal.test(text)) return undefined
    const amount = BigDecimal.fromStringUnsafe(text)
    return fitsExponent(amount, exponent) ? formatAmount(amount, exponent) : undefined
  }

const percentage = (text: string | undefined): string | undefined =>
  text !== undefined && decimal.test(text)
    ? BigDecimal.format(BigDecimal.normalize(BigDecimal.fromStringUnsafe(text)))
    : undefined
