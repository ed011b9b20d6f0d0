import { Option } from "effect"
import { type Extraction, failed } from "../records/Extraction.ts"
import { categoryOf, categoryOfVendor } from "../fields/Categories.ts"
import { currencyOf, type CurrencyReading, decimalsOf } from "../fields/Currencies.ts"
import { type IssueDateCandidate, isPlausible } from "../fields/IssueDates.ts"
import { paymentMethodOf } from "../fields/PaymentMethods.ts"
import { referenceOf } from "../fields/References.ts"
import type { Taxes } from "../taxes/PrintedTaxes.ts"
import { isPaidByVoucher, isReducedBelow } from "../fields/SettledTotals.ts"
import { taxesOf } from "../taxes/Taxes.ts"
import type { TotalCandidate } from "../fields/Totals.ts"
import type { VendorCandidate } from "../fields/Vendors.ts"
import { decimalText, inDecimals } from "../scan/Amounts.ts"
import type { Scan } from "../scan/Scan.ts"
import { isOtherDocument } from "./OtherDocuments.ts"
import { embeddedInvoice } from "./EmbeddedInvoice.ts"
import { respelled } from "../scan/VendorNames.ts"
import type { Hints } from "./Hints.ts"
import {
  contradicts,
  type Evidence,
  type FieldChoice,
  chooseAmount,
  chooseDate,
  chooseVendor,
  type Rechecks
} from "./FieldChoice.ts"

/** Minimum confidence of a field that needs no review by a person. */
export const review_threshold = 0.9
/** The threshold is higher for a date, because a date mostly occurs once, and no sum of the receipt confirms it. */
const date_review_threshold = 0.97

/** Sentences for failed checks that need an explanation, by the code of the check. */
const explanations: Readonly<Record<string, string>> = {
  all_amounts_read: "An amount is larger than those that are read, and may be the total.",
  all_pages_read: "Not everything in the document was read exactly, so its total may be on another page.",
  shows_one_receipt: "The document seems to show two receipts. Upload each in a separate file.",
  amount_is_after_discount: "A discount stands below the total, so less may have been paid.",
  document_is_an_invoice: "The document seems to be a credit note or an offer, and no invoice.",
  amount_is_positive: "The receipt states that nothing was paid, or that money was returned.",
  amount_is_paid_in_money: "A voucher seems to be the only payment, so the amount may not be an expense."
}

const legible_words_min = 6
const legible_confidence_min = 0.5
const tax_confidences = { table: 0.97, sum: 0.9, label: 0.7 }

export interface ChosenFields {
  readonly extraction: Extraction
  readonly amount: FieldChoice<TotalCandidate> | undefined
  readonly date: FieldChoice<IssueDateCandidate> | undefined
  readonly vendor: FieldChoice<VendorCandidate> | undefined
}

/** Chooses the value and the confidence of every field, and decides whether a person must review the receipt. */
export const chooseFields = (evidence: Evidence, hints: Hints, rechecks: Rechecks = {}): ChosenFields => {
  const { scan, source } = evidence
  const amount = chooseAmount(evidence, rechecks.amount)
  const date = chooseDate(evidence, hints.today, rechecks.date)
  const vendor = spelled(chooseVendor(evidence, hints.own_names), rechecks.vendorTexts ?? [])
  if (!isLegible(evidence) && (amount !== undefined || !isClear(evidence)))
    return {
      extraction: failed(source, "unreadable", "The file shows no text that can be read."),
      amount: undefined,
      date: undefined,
      vendor: undefined
    }
  if (amount === undefined) return { extraction: withoutAmount(evidence, date, vendor), amount, date, vendor }
  const currency = currencyOf(evidence, amount.best.amounts, hints.currency)
  const taxes = taxesOf(scan, evidence.sums, evidence.rates, amount.best.units)
  const taxConfidence =
    taxes === undefined ? undefined : rounded(Math.min(amount.confidence, tax_confidences[taxes.proof]))
  const checks = checksOf(evidence, hints, amount, date, taxes)
  const confidence = {
    amount: rounded(amount.confidence),
    currency: rounded(currency.confidence),
    ...(date === undefined ? {} : { expense_date: rounded(date.confidence) }),
    ...(taxConfidence === undefined ? {} : { tax_amount: taxConfidence }),
    ...(vendor === undefined ? {} : { vendor: rounded(vendor.confidence) })
  }
  const required = [confidence.amount, confidence.currency, date === undefined ? 0 : rounded(date.confidence)]
  const isDone =
    (["amount", "currency", "expense_date"] as const).every((field) => isSure(field, confidence[field] ?? 0)) &&
    isSure("tax_amount", taxConfidence ?? 1) &&
    checks.every(({ passed }) => passed)
  const extraction: Extraction = {
    source,
    status: isDone ? "done" : "needs_review",
    fields: fieldsOf(evidence, amount, date, vendor, currency, taxes),
    confidence: { overall: Math.min(...required, taxConfidence ?? 1), ...confidence },
    candidates: candidatesOf(scan, amount, date, vendor, decimalsOf(currency.currency)),
    checks,
    warnings: [...warningsOf(confidence, date, checks), ...(currency.doubt === undefined ? [] : [currency.doubt])],
    error: null
  }
  return { extraction, amount, date, vendor }
}

/** A page without an amount counts as a receipt if it has a date with at least this confidence. */
const receipt_date_min = 0.5

/**
 * Returns a result without an amount, which a person has to enter. Without a likely date, the page may not be a
 * receipt, so the result has no fields at all.
 */
const withoutAmount = (
  { scan, source }: Evidence,
  date: FieldChoice<IssueDateCandidate> | undefined,
  vendor: FieldChoice<VendorCandidate> | undefined
): Extraction => {
  const extraction = failed(source, "no_amount", "No amount was found on the receipt.")
  if (date === undefined || date.confidence < receipt_date_min) return extraction
  return {
    ...extraction,
    fields: { expense_date: date.best.day, ...(vendor === undefined ? {} : { vendor: vendor.best.name }) },
    confidence: {
      overall: 0,
      expense_date: rounded(date.confidence),
      ...(vendor === undefined ? {} : { vendor: rounded(vendor.confidence) })
    },
    candidates: candidatesOf(scan, undefined, date, vendor, scan.exponent)
  }
}

const spelled = (vendor: FieldChoice<VendorCandidate> | undefined, texts: ReadonlyArray<string>) =>
  vendor && { ...vendor, best: { ...vendor.best, name: respelled(vendor.best.name, texts) } }

/**
 * Takes the fields from an e-invoice. Its pages are not read, because the same program wrote the pages and the XML. The
 * date is checked, because the seller may have entered a wrong one.
 */
export const embeddedExtraction = (xml: string, hints: Hints): Extraction => {
  const embedded = Option.getOrUndefined(embeddedInvoice(xml, hints))
  if (embedded === undefined)
    return failed("embedded", "invalid_xml", "The electronic invoice is damaged, or in a format that cannot be read.")
  const { doubts, fields } = embedded
  const { amount, currency, expense_date, tax_amount, vendor } = fields
  if (amount === undefined && currency !== undefined)
    return failed("embedded", "no_amount", "The electronic invoice states no exact amount other than 0.")
  const checks =
    expense_date === undefined ? [] : [{ code: "date_is_plausible", passed: isPlausible(expense_date, hints.today) }]
  const warnings = [...doubts, ...(expense_date === undefined ? ["no date was found"] : []), ...failures(checks)]
  const category = vendor === undefined ? undefined : categoryOfVendor(vendor)
  const isDone = warnings.length === 0
  return {
    source: "embedded",
    status: isDone ? "done" : "needs_review",
    fields: { ...fields, ...(category === undefined ? {} : { category }) },
    confidence: {
      overall: isDone ? 1 : 0,
      ...Object.fromEntries(
        Object.entries({ amount, currency, expense_date, tax_amount, vendor }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, 1]]
        )
      )
    },
    candidates: {},
    checks,
    warnings,
    error: null
  }
}

const wordsOf = ({ scan }: Evidence) => scan.rows.flatMap((row) => row.words)

/** Few recognized words are mostly specks and stains, so an amount among them is not trusted. */
const isLegible = (evidence: Evidence) =>
  evidence.source !== "ocr" ||
  wordsOf(evidence).filter(({ confidence }) => confidence > legible_confidence_min).length >= legible_words_min

/** True if the page shows text, however little, and each word was recognized well. */
const isClear = (evidence: Evidence) => {
  const words = wordsOf(evidence).filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
  return words.length > 0 && words.every(({ confidence }) => confidence > legible_confidence_min)
}

const fieldsOf = (
  { scan }: Evidence,
  amount: FieldChoice<TotalCandidate>,
  date: FieldChoice<IssueDateCandidate> | undefined,
  vendor: FieldChoice<VendorCandidate> | undefined,
  { currency }: CurrencyReading,
  taxes: Taxes | undefined
): Extraction["fields"] => {
  const exponent = decimalsOf(currency)
  const amountText = (units: number) => decimalText(inDecimals(units, scan.exponent, exponent), exponent)
  const optional = {
    expense_date: date?.best.day,
    vendor: vendor?.best.name,
    tax_amount: taxes && amountText(taxes.tax),
    category: categoryOf(scan, vendor?.best.name),
    reference: referenceOf(scan),
    payment_method: paymentMethodOf(scan)
  }
  return {
    amount: amountText(amount.best.units),
    currency,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    ...(taxes === undefined || taxes.groups.length === 0
      ? {}
      : {
          tax_rates: taxes.groups.map((group) => ({
            rate: percentText(group.rate),
            taxable_amount: amountText(group.net),
            tax_amount: amountText(group.tax)
          }))
        })
  }
}

/** Formats hundredths of a percent: 2100 is "21" and 550 is "5.5". */
const percentText = (rate: number) => decimalText(rate, 2).replace(/\.?0+$/, "")

const candidatesOf = (
  { exponent }: Scan,
  amount: FieldChoice<TotalCandidate> | undefined,
  date: FieldChoice<IssueDateCandidate> | undefined,
  vendor: FieldChoice<VendorCandidate> | undefined,
  decimals: number
): Extraction["candidates"] => ({
  ...(amount === undefined
    ? {}
    : { amount: listed(amount, ({ units }) => decimalText(inDecimals(units, exponent, decimals), decimals)) }),
  ...(date === undefined ? {} : { expense_date: listed(date, ({ day }) => day) }),
  ...(vendor === undefined ? {} : { vendor: listed(vendor, ({ name }) => name) })
})

/** The confidence of another candidate is at most 1 minus the confidence of the best candidate. */
const listed = <A>({ best, confidence, others }: FieldChoice<A>, value: (candidate: A) => string) => [
  { value: value(best), confidence: rounded(confidence) },
  ...others.map(({ candidate, probability }) => ({
    value: value(candidate),
    confidence: rounded(Math.min(probability, 1 - confidence))
  }))
]

const checksOf = (
  evidence: Evidence,
  hints: Hints,
  amount: FieldChoice<TotalCandidate>,
  date: FieldChoice<IssueDateCandidate> | undefined,
  taxes: Taxes | undefined
): Extraction["checks"] => {
  const { arithmetic, rates, scan, source, sums } = evidence
  const hasTable = [...sums.values()].some((groups) => groups.some(({ evidence: figures }) => figures >= 3))
  const hasPayment = arithmetic.paid.size > 0 || arithmetic.cashLessChange.size > 0
  const isCaptured = source === "ocr"
  const isProven = taxes !== undefined && taxes.proof !== "label"
  const checks: ReadonlyArray<readonly [string, boolean, boolean]> = [
    ["net_plus_tax_equals_total", isProven || hasTable || arithmetic.subtotalAndTax.size > 0, isProven],
    [
      "rate_is_known_for_country",
      (taxes?.groups.length ?? 0) > 0,
      // If the tax table adds up to the total, its rates need not be in `rates`, which may be out of date.
      taxes?.proof === "table" || (taxes?.groups.every(({ rate }) => rate === 0 || rates.has(rate)) ?? true)
    ],
    ["date_is_plausible", date !== undefined, date !== undefined && isPlausible(date.best.day, hints.today)],
    ["date_is_unambiguous", date !== undefined, date?.best.isAmbiguous === false],
    ["amount_is_labelled", true, amount.best.features.total === 1 || amount.best.features.card === 1],
    [
      "amount_seen_by_both_passes",
      isCaptured && scan.passes > 1 && !amount.isProven,
      amount.best.features.both_passes === 1
    ],
    ["amount_is_confirmed", isCaptured, amount.isConfirmed],
    ["second_look_agrees", isCaptured, !amount.isDenied && date?.isDenied !== true],
    ["document_is_an_invoice", isOtherDocument(scan), false],
    ["amount_is_positive", amount.best.units <= 0, false],
    ["amount_is_paid_in_money", amount.best.units > 0, !isPaidByVoucher(scan, amount.best.units)],
    ["amount_is_after_discount", isReducedBelow(scan, arithmetic, amount.best), false],
    ["shows_one_receipt", evidence.isOneReceipt !== undefined, evidence.isOneReceipt !== false],
    ["all_amounts_read", scan.isCutOff, false],
    ["all_pages_read", evidence.isWhole !== undefined, evidence.isWhole !== false],
    ["payment_matches_amount", hasPayment, !contradicts(evidence, amount.best.units)]
  ]
  return checks.filter(([, applies]) => applies).map(([code, , passed]) => ({ code, passed }))
}

const warningsOf = (
  confidence: Readonly<Record<string, number>>,
  date: FieldChoice<IssueDateCandidate> | undefined,
  checks: Extraction["checks"]
): ReadonlyArray<string> => [
  ...(date === undefined ? ["no date was found"] : []),
  ...Object.entries(confidence)
    .filter(([field, value]) => !isSure(field, value))
    .map(([field]) => `${field} below review threshold`),
  ...failures(checks)
]

const isSure = (field: string, confidence: number) =>
  confidence >= (field === "expense_date" ? date_review_threshold : review_threshold)

const failures = (checks: Extraction["checks"]) =>
  checks.filter(({ passed }) => !passed).map(({ code }) => explanations[code] ?? `check failed: ${code}`)

/** Rounds down to two decimals, so that 0.899 does not reach the threshold of 0.90. */
const rounded = (confidence: number) => Math.floor(confidence * 100) / 100
