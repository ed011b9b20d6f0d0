import { Effect, Option } from "effect"
import { subdivisionBelongsTo } from "../kernel/Country.ts"
import { type FieldErrors, ValidationFailed } from "../kernel/Refusal.ts"
import type { CustomerChanges, CustomerDetails } from "./Customer.ts"
import { checkIdentifier } from "./identifiers/NetworkIdentifier.ts"

/** Checks rules that concern several fields. `details` is the customer to be stored, `given` the client's body. */
export const checkRules = Effect.fnUntraced(function* (details: CustomerDetails, given: CustomerChanges) {
  const errors: FieldErrors = { ...identifierErrors(details, given), ...subdivisionErrors(details) }
  if (Object.keys(errors).length > 0) return yield* ValidationFailed.of(errors)
})

/** Identifier scheme and value are given together or not at all (rules/customers.md, Identifiers). */
const identifierErrors = (details: CustomerDetails, given: CustomerChanges): FieldErrors => {
  const scheme = given.einvoicing_identifier_scheme ?? null
  const value = given.einvoicing_identifier_value ?? null
  if (scheme !== null && value !== null) {
    return Option.match(checkIdentifier(scheme, value), {
      onNone: () => ({}),
      onSome: (problem) => ({ einvoicing_identifier_value: [`The einvoicing_identifier_value field ${problem}`] })
    })
  }
  const isWhole = (details.einvoicing_identifier_scheme === null) === (details.einvoicing_identifier_value === null)
  if (scheme === value && isWhole) return {}
  return {
    einvoicing_identifier_scheme: [
      "The einvoicing_identifier_scheme field must be given together with einvoicing_identifier_value."
    ],
    einvoicing_identifier_value: [
      "The einvoicing_identifier_value field must be given together with einvoicing_identifier_scheme."
    ]
  }
}

/** Only the billing subdivision must belong to `country`, because the shipping address may be in another country. */
const subdivisionErrors = ({ billing_subdivision_code, country }: CustomerDetails): FieldErrors =>
  billing_subdivision_code === null || country === null || subdivisionBelongsTo(billing_subdivision_code, country)
    ? {}
    : { billing_subdivision_code: [`The billing_subdivision_code field must be a subdivision of ${country}.`] }
