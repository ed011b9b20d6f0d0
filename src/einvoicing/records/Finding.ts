import { Schema } from "effect"
import type { EInvoice, PartyAddress } from "../invoice/EInvoice.ts"
import { described } from "../../kernel/Described.ts"

/** A rule of EN 16931, of Peppol or of a country that a document breaks. */
export const Finding = Schema.Struct({
  rule: described(Schema.String, "The publisher's identifier of the rule.", "BR-CO-15"),
  severity: described(
    Schema.Literals(["error", "warning"]),
    "A document with an `error` is not sent; a `warning` prevents nothing."
  ),
  message: described(Schema.String, "Description of the error, in one English sentence."),
  pointer: described(
    Schema.String,
    "JSON Pointer (RFC 6901) into the request, or below `/invoice`, `/credit_note`, `/customer` or `/organization`."
  ),
  fix: described(Schema.String, "The change that resolves the finding, in one English sentence.")
}).annotate({
  identifier: "EinvoiceFinding",
  description: "A rule of EN 16931, of Peppol or of a country that a document breaks."
})
export type Finding = typeof Finding.Type

/** A finding, which is reported if `broken` is true. */
type Clause = readonly [broken: boolean, rule: string, message: string, pointer: string, fix: string]

export const errors = (...clauses: ReadonlyArray<Clause>): ReadonlyArray<Finding> => told("error", clauses)
export const warnings = (...clauses: ReadonlyArray<Clause>): ReadonlyArray<Finding> => told("warning", clauses)

const told = (severity: Finding["severity"], clauses: ReadonlyArray<Clause>): ReadonlyArray<Finding> =>
  clauses.flatMap(([broken, rule, message, pointer, fix]) =>
    broken ? [{ rule, severity, message, pointer, fix }] : []
  )

/** Unlike `isBlank` of `kernel/Text.ts`, counts only the white space of XML as blank, as the official rules do. */
export const isBlank = (text: string | null): boolean => text === null || !/[^ \t\r\n]/.test(text)

/** An issued document cannot get an exchange rate any more, because its books and its seal contain the rate. */
export const exchange_rate_fix = "Submit the document with exchange_rate, or set it on the draft of the invoice."

export const payment_fix = "Set payment_iban in the organization's settings."

/** Reports each missing part of an address under the rule that requires the part. */
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
