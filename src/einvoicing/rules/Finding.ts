import { Schema } from "effect"
import type { EInvoice, PartyAddress } from "../invoice/EInvoice.ts"

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

export const payment_fix = "Set payment_iban in the organization's settings."

/** Names the missing parts of an address, each with the rule that requires it. */
export const addressed = (
  address: PartyAddress,
  rules: { readonly line1?: string; readonly city?: string; readonly postal_code?: string },
  pointer: string,
  of: string
): ReadonlyArray<Finding> =>
  errors(
    ...(
      [
        ["line1", "address_line1"],
        ["city", "city"],
        ["postal_code", "postal_code"]
      ] as const
    ).map(
      ([part, field]) =>
        [
          rules[part] !== undefined && isBlank(address[part]),
          rules[part] ?? "",
          `${of} needs ${field}.`,
          `${pointer}/${field}`,
          `Set ${field}.`
        ] as const
    )
  )

export const sellerAddressed = ({ seller }: EInvoice, rules: Parameters<typeof addressed>[1]) =>
  addressed(seller.address, rules, "/organization", "The seller's address")
