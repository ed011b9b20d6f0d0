import { Effect } from "effect"
import type { DocumentKind } from "../../kernel/DocumentKind.ts"
import { number_format_default, type OrganizationSettings } from "../../kernel/OrganizationSettings.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import type { SettingChange } from "./Settings.ts"

export const number_prefixes: Readonly<Record<DocumentKind, string>> = {
  invoice: "INV",
  quote: "QUO",
  credit_note: "CN"
}

const keys = {
  invoice: "invoice_number_format",
  quote: "quote_number_format",
  credit_note: "credit_note_number_format"
} as const

type Formats = Partial<Pick<OrganizationSettings, (typeof keys)[DocumentKind]>>

const sequence_digits_max = 10

/**
 * Quotes and credit notes without their own format use that of invoices if it has `{PREFIX}`, which tells the kinds of
 * documents apart.
 */
export const numberFormatOf = (document: DocumentKind, settings: Formats): string => {
  const invoices = settings.invoice_number_format ?? number_format_default
  return settings[keys[document]] ?? (invoices.includes("{PREFIX}") ? invoices : number_format_default)
}

/** Refuses formats with which documents of two kinds could get the same number. */
export const requireDistinctNumbers = Effect.fnUntraced(function* (
  settings: OrganizationSettings,
  changes: ReadonlyArray<SettingChange>
) {
  const index = changes.findLastIndex(({ key }) => key.endsWith("_number_format"))
  if (index < 0) return
  const changed = changes.reduce<Formats>(withFormat, settings)
  for (const [one, other] of pairs) {
    if (!canCoincide(one, other, changed)) continue
    const message = `must not let an ${nouns[one]} and a ${nouns[other]} get the same number; add {PREFIX} or other letters.`
    return yield* ValidationFailed.field(`settings.${index}.value`, message)
  }
})

const nouns: Readonly<Record<DocumentKind, string>> = { invoice: "invoice", quote: "quote", credit_note: "credit note" }

const pairs = [
  ["invoice", "quote"],
  ["invoice", "credit_note"],
  ["quote", "credit_note"]
] as const

const withFormat = (formats: Formats, { key, value }: SettingChange): Formats => {
  return key === "invoice_number_format" || key === "quote_number_format" || key === "credit_note_number_format"
    ? { ...formats, [key]: value ?? undefined }
    : formats
}

const canCoincide = (one: DocumentKind, other: DocumentKind, settings: Formats): boolean => {
  const others = shapesOf(other, settings)
  return shapesOf(one, settings).some((shape) => others.some((another) => fits(shape, another)))
}

/** The numbers of a document kind, one for each length of the sequence, with `#` for each digit that varies. */
const shapesOf = (document: DocumentKind, settings: Formats): ReadonlyArray<string> => {
  const format = numberFormatOf(document, settings)
    .replaceAll("{PREFIX}", number_prefixes[document])
    .replaceAll("{YYYY}", "####")
    .replaceAll(/\{(?:YY|MM)\}/g, "##")
  const digits_min = Number(/\{SEQ:(\d+)\}/.exec(format)?.[1] ?? 1)
  return Array.from({ length: sequence_digits_max + 1 - digits_min }, (_, more) =>
    format.replace(/\{SEQ(?::\d+)?\}/, "#".repeat(digits_min + more))
  )
}

const fits = (one: string, other: string): boolean =>
  one.length === other.length &&
  Array.from(one).every((character, at) => {
    const another = other.charAt(at)
    const isVaried = character === "#" ? /\d/.test(another) : another === "#" && /\d/.test(character)
    return character === another || isVaried
  })
