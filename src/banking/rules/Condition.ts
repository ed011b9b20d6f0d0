import { BigDecimal, Schema, SchemaGetter } from "effect"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { NonNegativeAmount } from "../../kernel/Money.ts"
import { nullable, Text } from "../../kernel/Text.ts"
import { Iban } from "../../organizations/profile/Iban.ts"
import { folded, lettersAndDigits } from "../texts/Words.ts"
import { described } from "../../kernel/Described.ts"

const regex_characters_max = 200
const value_characters_max = 500

const text_types = [
  "counterparty_equals",
  "counterparty_contains",
  "counterparty_starts_with",
  "remittance_equals",
  "remittance_contains",
  "remittance_starts_with",
  "reference_equals"
] as const
const amount_types = ["amount_equals", "amount_min", "amount_max"] as const

const negate = described(Schema.optionalKey(Schema.Boolean), "True if the condition must not be met. Default: false.")
const kind = "What the condition compares, and how."
const text_value = "Text to compare with; case, accents and repeated spaces are ignored."
const reference_value = "Reference to compare with; only its letters and digits count, without case and accents."
const SaidText = Text(value_characters_max).check(
  Schema.makeFilter((text) => folded(text) !== "", { message: "may not be empty." })
)

/** A regular expression. Before a rule is stored, a child process, which can be killed, checks its syntax and size. */
const Pattern = Text(regex_characters_max)

// Each condition type has a schema of its own. A wrong value is then not reported as a wrong type.
const conditions = [
  ...text_types.map((type) =>
    Schema.Struct({
      type: described(Schema.Literal(type), kind),
      value: described(SaidText, type === "reference_equals" ? reference_value : text_value),
      negate
    })
  ),
  Schema.Struct({
    type: described(Schema.Literal("counterparty_iban"), kind),
    value: described(Iban, "IBAN of the other party."),
    negate
  }),
  Schema.Struct({
    type: described(Schema.Literal("remittance_regex"), kind),
    value: described(Pattern, "Regular expression (RE2), at most 200 characters."),
    negate
  }),
  ...amount_types.map((type) =>
    Schema.Struct({
      type: described(Schema.Literal(type), kind),
      value: described(NonNegativeAmount, "Amount in the currency of the transaction, compared without sign."),
      negate
    })
  ),
  Schema.Struct({
    type: described(Schema.Literal("amount_between"), kind),
    min: described(NonNegativeAmount, "Minimum amount in the currency of the transaction, compared without sign."),
    max: described(NonNegativeAmount, "Maximum amount in the currency of the transaction, compared without sign."),
    negate
  }).check(
    Schema.makeFilter(({ max, min }) =>
      BigDecimal.isGreaterThan(min, max) ? { path: ["max"], issue: "must be at least min." } : undefined
    )
  ),
  Schema.Struct({
    type: described(Schema.Literal("currency_equals"), kind),
    value: described(CurrencyCode, "Currency of the transaction."),
    negate
  })
] as const

export const Condition = Schema.Union(conditions).annotate({
  identifier: "RuleCondition",
  description: "A condition that a bank transaction must meet."
})
export type Condition = typeof Condition.Type

const types = new Set<string>([
  ...text_types,
  ...amount_types,
  "counterparty_iban",
  "remittance_regex",
  "amount_between",
  "currency_equals"
])

const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && name in value ? Reflect.get(value, name) : undefined

/**
 * `{field, operator, value}` is an alias: the condition's type is field and operator, joined by `_`. A field that is null
 * counts as absent.
 */
const aliased = (condition: object): unknown => {
  const input = Object.fromEntries(Object.entries(condition).filter(([, value]) => value !== null))
  const field = property(input, "field")
  const operator = property(input, "operator")
  if (property(input, "type") !== undefined || typeof field !== "string") return input
  const type = field === "counterparty_iban" ? field : `${field}_${typeof operator === "string" ? operator : ""}`
  const value = property(input, "value")
  const between = type === "amount_between" && Array.isArray(value) ? { min: value[0], max: value[1] } : {}
  return { ...input, type, ...between }
}

const isKnown = (input: unknown): boolean => types.has(String(property(input, "type")))

const unknown_type = `must have a type that is one of: ${[...types].join(", ")}.`

/** A condition as clients write it; its fields are validated once its type is known. */
const Written = Schema.Struct({
  type: described(nullable(Schema.String), "Kind of condition, such as `remittance_contains`.", "remittance_contains"),
  field: described(nullable(Schema.String), "Alias: `field` and `operator` make the type, joined by `_`."),
  operator: described(nullable(Schema.String), "Alias: the second part of the type, such as `contains`."),
  value: described(
    Schema.optionalKey(Schema.Unknown),
    "Text, IBAN, regular expression (RE2), currency or absolute amount to compare with."
  ),
  min: described(Schema.optionalKey(Schema.Unknown), "Minimum absolute amount, for `amount_between`."),
  max: described(Schema.optionalKey(Schema.Unknown), "Maximum absolute amount, for `amount_between`."),
  negate: described(Schema.optionalKey(Schema.Unknown), "True if the condition must not be met. Default: false.")
}).annotate({ description: "A condition that a bank transaction must meet; its fields depend on its type." })

/** Stored rules of older versions may break this check, so it applies only to requests. */
const NewCondition = Condition.check(
  Schema.makeFilter((condition) =>
    condition.type === "reference_equals" && lettersAndDigits(condition.value) === ""
      ? { path: ["value"], issue: "must have a letter or a digit." }
      : undefined
  )
)

/** An unknown type is reported before other errors of the condition (rules/banking.md, Rules). */
export const ConditionInput = Written.pipe(
  Schema.decodeTo(Schema.Unknown.check(Schema.makeFilter((input) => isKnown(input), { message: unknown_type })), {
    decode: SchemaGetter.transform(aliased),
    encode: SchemaGetter.passthrough({ strict: false })
  }),
  Schema.decodeTo(NewCondition, {
    decode: SchemaGetter.passthrough({ strict: false }),
    encode: SchemaGetter.passthrough({ strict: false })
  })
).annotate({
  identifier: "RuleConditionInput"
})
