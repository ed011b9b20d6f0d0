import { Schema } from "effect"
import type { Day } from "./Calendar.ts"

const format_characters_max = 40

/**
 * `{PREFIX}-{YYYY}-{SEQ:4}` gives INV-2026-0042. Year and sequence are required, because numbers are unique and their
 * sequence restarts each year. The name of a document's file is the number, with a hyphen for each slash.
 */
export const NumberFormat = Schema.String.check(
  Schema.isMaxLength(format_characters_max, {
    message: `may not be longer than ${format_characters_max} characters.`
  }).abort(),
  Schema.isPattern(
    /^(?![./-])(?!.*(?:\/[./]|\/$))(?:[A-Za-z0-9._/-]|\{(?:PREFIX|YYYY|YY|MM|SEQ(?::(?:[1-9]|10))?)\})*$/,
    {
      message:
        "may only contain letters, digits, '.', '_', '-', single '/' and {PREFIX}, {YYYY}, {YY}, {MM}, {SEQ} or {SEQ:1} to {SEQ:10}."
    }
  ),
  Schema.makeFilter((format) => format.split("{SEQ").length === 2, { message: "must contain {SEQ} or {SEQ:n} once." }),
  Schema.isPattern(/\{YY(?:YY)?\}/, { message: "must contain {YYYY} or {YY}." })
).pipe(Schema.brand("NumberFormat"))
export type NumberFormat = typeof NumberFormat.Type

export const fileNameOf = (number: string, ending: string): string => `${number.replaceAll("/", "-")}.${ending}`

/** A sequence number with more digits than the format has is written in full. */
export const renderNumber = (
  format: string,
  document: { readonly prefix: string; readonly issue_date: Day; readonly sequence: number }
): string => {
  const { issue_date, prefix, sequence } = document
  return format
    .replaceAll("{PREFIX}", prefix)
    .replaceAll("{YYYY}", issue_date.slice(0, 4))
    .replaceAll("{YY}", issue_date.slice(2, 4))
    .replaceAll("{MM}", issue_date.slice(5, 7))
    .replace(/\{SEQ(?::(\d+))?\}/, (_, digits: string | undefined) =>
      String(sequence).padStart(Number(digits ?? 1), "0")
    )
}
