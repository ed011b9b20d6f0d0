import { readFileSync, writeFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import type { Answer, Call } from "../../support/App.ts"

/** A request that a test sent, and the successful answer to it. */
interface Exchange {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly status: number
  readonly answer?: unknown
}

const moment = "2026-03-01T10:00:00.000Z"

/** Values that differ between two runs, with the replacement that the example shows. */
const volatile: ReadonlyArray<readonly [RegExp, string]> = [
  [/https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g, "https://invoicing.example"],
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, moment],
  [/\b(oat|ort|pat|org|evt|whsec)_[\w+/=-]{6,}/g, "$1_example"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "01939d2c-7e5b-7c3f-9f0a-0d7f5a1f2c11"],
  // The ids of a test's database begin at 2 ** 31, or at 9,006,000,000,000,000.
  [/\b(?:21474\d{5}|9006\d{12})\b/g, "42"],
  [/\b[0-9a-f]{64}\b/g, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"]
]

const id_name = /(?:^|_)ids?$/
const measured = new Set(["sequence", "duration_ms", "expires_in", "used_bytes", "size_bytes", "stored_bytes"])
const day = /^\d{4}-\d{2}-\d{2}$/

/** Maximum number of rows of a list in an example. In an example answer, a list not named in `complete` has one row. */
const rows_max = 6

/**
 * Lists of which an example answer shows up to `rows_max` rows. With one row, the results of an answer would not match
 * the rows of its request, and the totals of an answer would not match its rows.
 */
const complete = new Set(["results", "items", "tax_rates", "tax_rate_ids", "tax_breakdown", "discounts", "charges"])

const rowsOf = (name: string) => (complete.has(name) ? rows_max : 1)

/** Replaces what differs between two runs; `rows` returns the maximum length of a list by its name. */
const steady = (value: unknown, name = "", rows = rowsOf): unknown => {
  if (Array.isArray(value)) return value.slice(0, rows(name)).map((item) => steady(item, name, rows))
  if (typeof value === "number") return id_name.test(name) || measured.has(name) ? 42 : value
  if (typeof value === "string") {
    if (day.test(value)) return value < "2026-11-01" ? value : "2026-03-01"
    return volatile.reduce((text, [pattern, example]) => text.replaceAll(pattern, example), value)
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, steady(part, key, rows)]))
}

/** Keeps the first successful exchange of every operation, and the first refusal of every code and shape. */
export const recorder = () => {
  const exchanges = new Map<string, Exchange>()
  const refusals = new Map<string, unknown>()
  const recordRefusal = (answer: Answer["body"]) => {
    const code = answer?.code ?? answer?.error
    if (typeof code !== "string") return
    const name = [code, ...Object.keys(answer)].join(" ")
    if (!refusals.has(name)) refusals.set(name, steady(answer))
  }
  return {
    exchanges,
    refusals,
    record: (operation: string, method: string, path: string, { body }: Call, { body: answer, status }: Answer) => {
      if (status >= 400) return recordRefusal(answer)
      if (status >= 300 || exchanges.has(operation)) return
      exchanges.set(operation, {
        method,
        path: String(steady(path)).replaceAll(/\/\d+(?=\/|\?|$)/g, "/42"),
        ...(body === undefined ? {} : { body: steady(body, "", () => rows_max) }),
        status,
        ...(typeof answer === "object" ? { answer: steady(answer) } : {})
      })
    }
  }
}

const folder = new URL("../../../src/reference/", import.meta.url)
const file = new URL("examples.json", folder)
const refusals_file = new URL("refusals.json", folder)

export const examples: Readonly<Record<string, Exchange>> = JSON.parse(readFileSync(file, "utf8"))
export const refusalsShown: ReadonlyArray<unknown> = JSON.parse(readFileSync(refusals_file, "utf8"))

export const sortedRefusals = (refusals: ReadonlyMap<string, unknown>) =>
  [...refusals].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, refusal]) => refusal)

/** Saves the examples whose fields have changed, so that a diff contains no mere changes of ids, tokens and days. */
export const saveExamples = (exchanges: ReadonlyMap<string, Exchange>, refusals: ReadonlyMap<string, unknown>) => {
  const lines = [...exchanges]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, exchange]) => {
      const isSame = isDeepStrictEqual(outlined(examples[name]), outlined(exchange))
      return `  ${JSON.stringify(name)}: ${JSON.stringify(isSame ? examples[name] : exchange)}`
    })
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`)
  const refused = sortedRefusals(refusals).map((refusal) => `  ${JSON.stringify(refusal)}`)
  writeFileSync(refusals_file, `[\n${refused.join(",\n")}\n]\n`)
}

/** Replaces each value by the same text, and each list by its first row, so that only names of fields are compared. */
export const outlined = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(outlined)
  if (typeof value !== "object" || value === null) return "value"
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, outlined(part)]))
}

/**
 * Codes of answers to an outage, overload, a defect, a huge document, a repeated or concurrent request, or a request that
 * no client library makes. Other tests cause them.
 */
export const elsewhere = [
  "expense_rejected",
  "pdf_unavailable",
  "answer_in_progress",
  "answer_refused",
  "document_unreadable",
  "document_refused",
  "document_self_billed",
  "pdf_too_complex",
  "logo_unavailable",
  "storage_unavailable",
  "submission_failed",
  "ocr_unavailable",
  "idempotency_in_progress",
  "rule_budget_exceeded",
  "rule_check_unavailable",
  "provider_not_configured",
  "temporarily_unavailable",
  "server_error",
  "several_payments",
  "too_many_contacts",
  "method_not_allowed",
  "malformed_request",
  "headers_too_large",
  "request_timeout",
  "expectation_failed",
  "unsupported_content_encoding",
  "idempotency_key_reused",
  "idempotency_answer_lost",
  "unavailable"
]
