import { Schema } from "effect"

/** What a rule of EN 16931 or Peppol says against a document. */
export const Finding = Schema.Struct({
  /** As the rule's publisher names it: "BR-CO-15", "PEPPOL-EN16931-R010". */
  rule: Schema.String,
  /** A document with an error is not sent. */
  severity: Schema.Literals(["error", "warning"]),
  message: Schema.String,
  /** The field it is about (RFC 6901): of the request, or below `/invoice`, `/customer` or `/organization`. */
  pointer: Schema.String,
  /** What to do about it. */
  fix: Schema.String
})
export type Finding = typeof Finding.Type

/** Where it applies, what a broken rule is told as. */
type Clause = readonly [broken: boolean, rule: string, message: string, pointer: string, fix: string]

export const errors = (...clauses: ReadonlyArray<Clause>): ReadonlyArray<Finding> => told("error", clauses)
export const warnings = (...clauses: ReadonlyArray<Clause>): ReadonlyArray<Finding> => told("warning", clauses)

const told = (severity: Finding["severity"], clauses: ReadonlyArray<Clause>): ReadonlyArray<Finding> =>
  clauses.flatMap(([broken, rule, message, pointer, fix]) =>
    broken ? [{ rule, severity, message, pointer, fix }] : []
  )

/** As XML sees it. */
export const isBlank = (text: string | null): boolean => text === null || !/[^ \t\r\n]/.test(text)
