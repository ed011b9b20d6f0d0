import { BigDecimal, Option } from "effect"
import { isDay } from "../../../kernel/Calendar.ts"
import { type CurrencyCode, exponentOf, isCurrency } from "../../../kernel/Currency.ts"
import { fitsExponent, formatAmount } from "../../../kernel/Money.ts"
import { cut } from "../../../kernel/Text.ts"
import type { ExtractedFields } from "../records/Extraction.ts"
import { fatturaFacts, fatturaKind, isFatturaSelfBilled } from "./FatturaFacts.ts"
import type { Hints } from "./Hints.ts"
import { crossIndustryFacts, type Facts, type Seller, ublFacts } from "./InvoiceFacts.ts"
import { lettersOf } from "../scan/Keywords.ts"
import { at, textAt, xmlTree, type XmlTree } from "../../../platform/documents/XmlTree.ts"

/** An invoice or a credit note, with the fields that it states. The amounts of a credit note are negative. */
interface EmbeddedInvoice {
  readonly fields: ExtractedFields
  /** English sentences about what a person must check; the fields are exact if there are none. */
  readonly doubts: ReadonlyArray<string>
}

/** Reads UN/CEFACT CII (Factur-X, ZUGFeRD, XRechnung), UBL or FatturaPA. None for any other document. */
export const embeddedInvoice = (xml: string, own: Own): Option.Option<EmbeddedInvoice> =>
  Option.map(Option.flatMap(xmlTree(xml), factsOf), ({ facts, is_self_billed, kind, type_code }) => {
    const fields = toFields(facts)
    const doubts = [
      ...(is_self_billed ? [self_billed] : isOwnSale(facts.seller, own) ? [own_sale] : []),
      ...(kind === "credit_note" ? ["The document is a credit note, so its amounts are negative."] : []),
      ...(type_code !== undefined && !invoice_types.has(type_code) && !credit_note_types.has(type_code)
        ? [`EN 16931 has no type of document with the code ${type_code}.`]
        : []),
      ...(kind === "invoice" && fields.amount?.startsWith("-") === true ? ["The invoice has a negative amount."] : []),
      ...(statesUnreadAmount(facts, fields) ? ["An amount of the document is missing or cannot be read exactly."] : []),
      ...(addsUp(fields, facts.extras) ? [] : ["The taxable amounts and the taxes do not add up to the total."]),
      ...(fields.currency === undefined
        ? ["The electronic invoice names no currency of ISO 4217, so its amounts are unknown."]
        : [])
    ]
    return { fields: kind === "credit_note" ? credited(fields) : fields, doubts }
  })

/**
 * Reads an invoice or a credit note, and leaves the signs of its amounts unchanged. None for any other document, or
 * without amount, date or currency.
 */
export const electronicDocument = (root: XmlTree) =>
  factsOf(root).pipe(
    Option.map(({ facts, is_self_billed, kind }) => {
      const fields = toFields(facts)
      const states_unread_amount = statesUnreadAmount(facts, fields)
      return { fields, kind, is_self_billed, states_unread_amount, extras: facts.extras }
    }),
    Option.filter(({ fields }) => fields.amount !== undefined && fields.expense_date !== undefined)
  )

interface Document {
  readonly kind: "invoice" | "credit_note"
  /** Code of the document's type (UNTDID 1001). */
  readonly type_code: string | undefined
  /** True if the buyer issued the document in the name of the seller. */
  readonly is_self_billed: boolean
  readonly facts: Facts
}

const factsOf = (root: XmlTree): Option.Option<Document> => {
  // Drafts of ZUGFeRD 1 call the root element "Invoice", so a child element also identifies a CII document.
  const document = at(root, "ExchangedDocument") ?? at(root, "HeaderExchangedDocument")
  if (document !== undefined || root.name === "CrossIndustryInvoice" || root.name === "CrossIndustryDocument") {
    const type_code = textAt(document, "TypeCode")
    return Option.some({ ...typeOf(type_code), facts: crossIndustryFacts(root, document) })
  }
  if (root.name === "FatturaElettronica") {
    const kind = fatturaKind(root)
    if (kind === undefined) return Option.none()
    const is_self_billed = isFatturaSelfBilled(root)
    return Option.some({ kind, type_code: undefined, is_self_billed, facts: fatturaFacts(root) })
  }
  if (root.name !== "Invoice" && root.name !== "CreditNote") return Option.none()
  const type_code = textAt(root, "InvoiceTypeCode") ?? textAt(root, "CreditNoteTypeCode")
  const type = typeOf(type_code)
  return Option.some({ ...type, kind: root.name === "CreditNote" ? "credit_note" : type.kind, facts: ublFacts(root) })
}

const codes = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/**
 * Codes of document types in EN 16931 (BT-3, a part of UNTDID 1001): first those of documents that request payment,
 * then those of documents that return money.
 */
const invoice_types = codes(
  "71 80 82 84 102 130 202 203 204 211 218 219 295 325 326 331 380 382 383 384 385 386 387 388 389 390 393 394 395 " +
    "456 457 471 472 473 500 501 527 553 575 623 633 751 780 817 870 875 876 877 935"
)
export const credit_note_types = codes("81 83 261 262 296 308 381 396 420 458 502 503 532")

/** Codes with which a buyer issues an invoice or a credit note in the name of the seller. */
const self_billed_types = codes("261 389 471 473 500 501 502 527")

/** Says what a document is that its buyer issued in the name of the seller. */
export const self_billed =
  "The buyer issued this document in the name of the seller (self-billing). If you are the seller, it is a sale of " +
  "yours, not an expense. If you are the buyer, create the expense by hand."

const own_sale = "The seller is your own organization: this is a sale of yours, not an expense."

type Own = Pick<Hints, "own_name" | "own_names">

/** A number with fewer digits may be a part of another one by chance; letters may name a town or a register. */
const own_digits_min = 7

const isOwnSale = ({ names, numbers }: Seller, { own_name = "", own_names }: Own): boolean => {
  const name = lettersOf(own_name)
  const own = own_names.map(lettersOf).filter(isNumber)
  return (
    (name !== "" && names.some((text) => lettersOf(text) === name)) ||
    numbers
      .map(lettersOf)
      .filter(isNumber)
      // A document and a profile may state a number with or without its country and its suffix.
      .some((number) => own.some((mine) => mine.includes(number) || number.includes(mine)))
  )
}

const isNumber = (text: string): boolean => text.replace(/\D/g, "").length >= own_digits_min

const typeOf = (type_code: string | undefined): Pick<Document, "kind" | "type_code" | "is_self_billed"> => ({
  kind: type_code !== undefined && credit_note_types.has(type_code) ? "credit_note" : "invoice",
  type_code,
  is_self_billed: type_code !== undefined && self_billed_types.has(type_code)
})

/** Removes the time zone with which a date of XML Schema may end (2026-03-14+01:00); it does not change the day. */
export const localDay = (text: string | undefined): string | undefined =>
  text?.replace(/^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})$/, "$1")

/** A field that is missing or is not exact in the currency's decimals is left out. */
const toFields = ({ date, reference, vendor, ...facts }: Facts): ExtractedFields => {
  const day = localDay(date)
  return {
    ...(isDay(day) ? { expense_date: day } : {}),
    ...(vendor === undefined ? {} : { vendor: cut(vendor, text_characters_max) }),
    ...(reference === undefined ? {} : { reference: cut(reference, text_characters_max) }),
    ...(isCurrency(facts.currency) ? amountsOf(facts, facts.currency) : {})
  }
}

const amountsOf = (
  { payment_code = "", tax, taxes, total }: Pick<Facts, "payment_code" | "tax" | "taxes" | "total">,
  currency: CurrencyCode
) => {
  const amountOf = exactAmount(exponentOf(currency))
  const [amount, tax_amount, payment_method] = [amountOf(total), amountOf(tax), payment_methods[payment_code]]
  const tax_rates = taxes.flatMap((row) => {
    const [rate, taxable_amount, tax_amount] = [percentage(row.rate), amountOf(row.taxable), amountOf(row.tax)]
    if (rate === undefined || taxable_amount === undefined || tax_amount === undefined) return []
    return [{ rate, taxable_amount, tax_amount }]
  })
  return {
    currency,
    // An amount of zero is never paid, so there is no expense.
    ...(amount === undefined || Number(amount) === 0 ? {} : { amount }),
    ...(tax_amount === undefined ? {} : { tax_amount }),
    ...(payment_method === undefined ? {} : { payment_method }),
    // Tax rows are used only if all of them are complete.
    ...(tax_rates.length > 0 && tax_rates.length === taxes.length ? { tax_rates } : {})
  }
}

/**
 * Tells whether the fields lack taxes that the document has. A row of a category without rate (O) has no rate, but its
 * taxable amount and its tax are always stated.
 */
const statesUnreadAmount = (facts: Facts, fields: ExtractedFields): boolean => {
  if (!isCurrency(facts.currency)) return false
  const amountOf = exactAmount(exponentOf(facts.currency))
  return (
    (facts.tax !== undefined && fields.tax_amount === undefined) ||
    facts.taxes.some(
      ({ rate, tax, taxable }) =>
        amountOf(taxable) === undefined ||
        amountOf(tax) === undefined ||
        (rate !== undefined && percentage(rate) === undefined)
    )
  )
}

/** Checks the sums that BR-CO-14 and BR-CO-15 of EN 16931 require. */
const addsUp = ({ amount, tax_amount, tax_rates = [] }: ExtractedFields, extras: Facts["extras"]): boolean => {
  if (tax_rates.length === 0 || amount === undefined) return true
  const tax = sum(tax_rates.map((row) => row.tax_amount))
  const net = sum(tax_rates.map((row) => row.taxable_amount))
  const isTax = tax_amount === undefined || BigDecimal.equals(tax, BigDecimal.fromStringUnsafe(tax_amount))
  const total = BigDecimal.fromStringUnsafe(amount)
  return isTax && extras.some((extra) => BigDecimal.equals(BigDecimal.sumAll([tax, net, extra]), total))
}

const sum = (amounts: ReadonlyArray<string>) => BigDecimal.sumAll(amounts.map(BigDecimal.fromStringUnsafe))

/** Turns the positive amounts of a credit note into negative ones. Amounts that are already negative stay unchanged. */
const credited = (fields: ExtractedFields): ExtractedFields => {
  const { amount, tax_amount, tax_rates } = fields
  if (amount === undefined || amount.startsWith("-")) return fields
  return {
    ...fields,
    amount: negated(amount),
    ...(tax_amount === undefined ? {} : { tax_amount: negated(tax_amount) }),
    ...(tax_rates === undefined
      ? {}
      : {
          tax_rates: tax_rates.map(({ rate, tax_amount, taxable_amount }) => ({
            rate,
            taxable_amount: negated(taxable_amount),
            tax_amount: negated(tax_amount)
          }))
        })
  }
}

const negated = (amount: string): string => {
  if (Number(amount) === 0) return amount
  return amount.startsWith("-") ? amount.slice(1) : `-${amount}`
}

const text_characters_max = 255

/** Payment means codes (UNTDID 4461) that state how the invoice was or will be paid. */
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

const decimal = /^[+-]?\d{1,12}(?:\.\d{1,6})?$/

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
