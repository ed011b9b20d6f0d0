import { BigDecimal } from "effect"
import { exponentOf } from "../../../kernel/Currency.ts"
import { formatAmount, hundred, roundHalfAwayFromZero, zero } from "../../../kernel/Money.ts"
import { category_default, type ExpenseFacts } from "../../Expense.ts"
import type { ExtractedFields, Extraction } from "../records/Extraction.ts"
import type { ReadingTrace } from "../records/ReadingTrace.ts"
import { isWithin, lettersOf } from "../scan/Keywords.ts"

/** An earlier expense whose receipt has a key of the vendor, such as the tax number, in common with the new receipt. */
export interface EarlierExpense extends Pick<
  ExpenseFacts,
  "id" | "vendor" | "category" | "amount" | "currency" | "tax_rates"
> {
  /** True if another expense names the same receipt, so that this one is only a part of the purchase. */
  readonly is_part: boolean
  readonly proposed: ExtractedFields
  readonly trace: ReadingTrace
}

interface Known extends EarlierExpense {
  /** English name of the strongest kind of key that its receipt has in common with the new receipt. */
  readonly evidence: string
}

/** Kinds of keys with their English names, the strongest first. */
const kinds = [
  ["tax", "tax number"],
  ["iban", "IBAN"],
  ["phone", "telephone number"],
  ["name", "name"]
] as const

/**
 * If a key belongs to more vendors than this, it identifies none of them, e.g. the telephone number of a payment
 * service.
 */
const vendors_per_key_max = 2
/** Minimum share of a name that a part of it must have, unless the longer name begins with the recorded one. */
const part_share_min = 0.6
const beginning_letters_min = 4
const misread_share_max = 0.25
const misread_letters_max = 3
/** Confidence of an amount that follows from an earlier correction: so low that a person always reviews it. */
const relabelled_confidence = 0.5
const tax_confidence = 0.9

/**
 * Completes a reading with values from earlier expenses of the vendor, the latest first. For vendor and category, an
 * expense in which a person corrected the reading comes before all others. Each change adds a warning. Only the vendor
 * is copied from a part of a purchase, because its amounts and its category differ from those of the whole receipt.
 */
export const remembered = (read: Extraction, earlier: ReadonlyArray<EarlierExpense>): Extraction => {
  if (read.status === "failed") return read
  const known = ofVendor(read, earlier)
  const whole = known.filter(({ is_part }) => !is_part)
  // An electronic invoice is exact in everything but the category, which it does not state.
  if (read.source === "embedded") return withCategory(read, whole)
  return [withCategory, withTotal, withRate].reduce(
    (extraction, step) => step(extraction, whole),
    withVendor(read, known)
  )
}

/** Returns the earlier expenses with the strongest kind of evidence that any of them has. */
const ofVendor = (read: Extraction, earlier: ReadonlyArray<EarlierExpense>): ReadonlyArray<Known> => {
  const own = new Set(read.trace?.vendor_keys)
  const printed = [lettersOf(read.fields.vendor ?? ""), ...[...own].flatMap(nameIn)].filter((name) => name !== "")
  const isPrinted = (name: string | null) => printed.some((letters) => resembles(letters, name))
  const counts = new Map([...own].map((key) => [key, vendorCount(key, earlier)]))
  const identifies = (key: string, { proposed, vendor }: EarlierExpense): boolean => {
    const count = counts.get(key)
    if (count === undefined || count > vendors_per_key_max) return false
    // A person may have renamed the vendor, so the name that was read at that time counts, too.
    if (count > 1 && !isPrinted(vendor) && !isPrinted(proposed.vendor ?? null)) return false
    return nameIn(key).every((letters) => resembles(letters, vendor))
  }
  const grouped = kinds.map(([kind, evidence]) =>
    earlier.flatMap((expense) =>
      expense.trace.vendor_keys.some((key) => key.startsWith(`${kind}:`) && identifies(key, expense))
        ? [{ ...expense, evidence }]
        : []
    )
  )
  return grouped.find((known) => known.length > 0) ?? []
}

/** Counts the named vendors of a key. Spellings that resemble each other belong to one vendor, except in a name's key. */
const vendorCount = (key: string, earlier: ReadonlyArray<EarlierExpense>): number => {
  const known = earlier.filter(({ trace }) => trace.vendor_keys.includes(key))
  const names = [...new Set(known.map(({ vendor }) => lettersOf(vendor ?? "")))].filter((name) => name !== "")
  if (key.startsWith("name:")) return names.length
  const byLength = names.toSorted((a, b) => a.length - b.length)
  return byLength.filter((name, at) => !byLength.slice(0, at).some((shorter) => resembles(name, shorter))).length
}

const nameIn = (key: string): ReadonlyArray<string> => (key.startsWith("name:") ? [key.slice(5)] : [])

/**
 * A row such as "Receipt" may be taken for the vendor's name. So a name counts only if it resembles the vendor of the
 * expense.
 */
const resembles = (letters: string, vendor: string | null): boolean => {
  const name = lettersOf(vendor ?? "")
  if (name === "") return false
  const errors_max = Math.min(misread_letters_max, Math.floor(name.length * misread_share_max))
  return (
    isLargePart(name, letters) ||
    isLargePart(letters, name) ||
    (name.length >= beginning_letters_min && letters.startsWith(name)) ||
    isWithin(letters, name, errors_max)
  )
}

const isLargePart = (part: string, whole: string): boolean =>
  whole.includes(part) && part.length >= part_share_min * whole.length

const correctedFirst = (known: ReadonlyArray<Known>, isCorrected: (expense: Known) => boolean): Known | undefined =>
  known.find(isCorrected) ?? known[0]

const said = (extraction: Extraction, field: string, { evidence, id }: Known): ReadonlyArray<string> => [
  ...extraction.warnings,
  `${field} is that of expense ${id}, whose receipt has the same ${evidence}`
]

const withVendor = (extraction: Extraction, known: ReadonlyArray<Known>): Extraction => {
  const named = known.filter(({ vendor }) => (vendor ?? "").trim() !== "")
  const source = correctedFirst(named, ({ proposed, vendor }) => vendor !== (proposed.vendor ?? null))
  const { candidates, confidence, fields } = extraction
  if (source === undefined || source.vendor === null || source.vendor === fields.vendor) return extraction
  const others = (candidates.vendor ?? []).filter(({ value }) => value !== source.vendor)
  return {
    ...extraction,
    fields: { ...fields, vendor: source.vendor },
    candidates: { ...candidates, vendor: [{ value: source.vendor, confidence: confidence.vendor ?? 0 }, ...others] },
    warnings: said(extraction, "vendor", source)
  }
}

const withCategory = (extraction: Extraction, known: ReadonlyArray<Known>): Extraction => {
  const isCorrected = ({ category, proposed }: Known) => category !== (proposed.category ?? category_default)
  const source = correctedFirst(known, isCorrected)
  if (source === undefined || source.category === (extraction.fields.category ?? category_default)) return extraction
  // "other" is the proposal for an unknown category, so accepting it confirms nothing.
  if (source.category === category_default && !isCorrected(source)) return extraction
  return {
    ...extraction,
    fields: { ...extraction.fields, category: source.category },
    warnings: said(extraction, "category", source)
  }
}

/**
 * Replaces an amount that was read at the wrong label, if a person corrected the same mistake in an earlier expense. A
 * person must review the new amount, too.
 */
const withTotal = (extraction: Extraction, known: ReadonlyArray<Known>): Extraction => {
  const { candidates, confidence, fields } = extraction
  for (const source of known) {
    const amount = relabelled(extraction, source)
    if (amount === undefined) continue
    const others = (candidates.amount ?? []).filter(({ value }) => value !== amount)
    const value = { value: amount, confidence: Math.min(relabelled_confidence, confidence.amount ?? 0) }
    return {
      ...extraction,
      status: "needs_review",
      fields: { ...withoutTax(fields), amount },
      confidence: {
        ...withoutTax(confidence),
        amount: value.confidence,
        overall: Math.min(confidence.overall, value.confidence)
      },
      candidates: { ...candidates, amount: [value, ...others] },
      warnings: said(extraction, "the label of the amount", source)
    }
  }
  return extraction
}

/** Removes the taxes, because they were computed for the amount that is replaced. */
const withoutTax = <A extends { readonly tax_amount?: unknown; readonly tax_rates?: unknown }>({
  tax_amount: _amount,
  tax_rates: _rates,
  ...rest
}: A) => rest

const relabelled = ({ fields, trace }: Extraction, { amount, currency, proposed, trace: before }: Known) => {
  const right = formatAmount(amount, exponentOf(currency))
  if (currency !== fields.currency || proposed.amount === undefined || proposed.amount === right) return undefined
  const labelsOf = (value: string | undefined) =>
    new Set(before.figures.filter((figure) => figure.label !== "" && figure.amount === value).map(({ label }) => label))
  const [totals, mistaken] = [labelsOf(right), labelsOf(proposed.amount)]
  const figures = trace?.figures ?? []
  const isSameMistake = figures.some(({ amount, label }) => amount === fields.amount && mistaken.has(label))
  const found = new Set(
    figures.filter(({ label }) => totals.has(label) && !mistaken.has(label)).map((figure) => figure.amount)
  )
  const [only] = found
  return isSameMistake && found.size === 1 && only !== fields.amount ? only : undefined
}

/** Takes the only rate of an earlier expense if the receipt prints the tax or the net amount that follows from it. */
const withRate = (extraction: Extraction, known: ReadonlyArray<Known>): Extraction => {
  const { confidence, fields, trace } = extraction
  const source = known.find(({ currency, tax_rates }) => currency === fields.currency && tax_rates.length === 1)
  const rate = source?.tax_rates[0]?.rate ?? zero
  if (source === undefined || fields.amount === undefined || BigDecimal.isZero(rate)) return extraction
  if (fields.tax_amount !== undefined || fields.tax_rates !== undefined) return extraction
  const exponent = exponentOf(source.currency)
  const gross = BigDecimal.fromStringUnsafe(fields.amount)
  const share = BigDecimal.divideUnsafe(BigDecimal.multiply(gross, rate), BigDecimal.sum(hundred, rate))
  const tax = roundHalfAwayFromZero(share, exponent)
  const tax_amount = formatAmount(tax, exponent)
  const taxable_amount = formatAmount(BigDecimal.subtract(gross, tax), exponent)
  const isPrinted = trace?.figures.some(({ amount }) => amount === tax_amount || amount === taxable_amount) === true
  if (!isPrinted) return extraction
  return {
    ...extraction,
    fields: {
      ...fields,
      tax_amount,
      tax_rates: [{ rate: BigDecimal.format(BigDecimal.normalize(rate)), taxable_amount, tax_amount }]
    },
    confidence: {
      ...confidence,
      tax_amount: tax_confidence,
      overall: Math.min(confidence.overall, tax_confidence)
    },
    warnings: said(extraction, "tax rate", source)
  }
}
