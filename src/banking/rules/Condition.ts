import { BigDecimal, Schema, SchemaGetter } from "effect"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { NonNegativeAmount } from "../../kernel/Money.ts"
import { Text } from "../../kernel/Text.ts"
import { Iban } from "../../organizations/Iban.ts"
import { folded } from "../matching/Words.ts"

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

const negate = Schema.optionalKey(Schema.Boolean)
const SaidText = Text(value_characters_max).check(
  Schema.makeFilter((text) => folded(text) !== "", { message: "may not be empty." })
)

/** A child process, which can be killed, checks the syntax and size of the expression before a rule is stored. */
const Pattern = Text(regex_characters_max)

// Each type has a member of its own, so that a wrong value is reported as such and not as a wrong type.
const conditions = [
  ...text_types.map((type) => Schema.Struct({ type: Schema.Literal(type), value: SaidText, negate })),
  Schema.Struct({ type: Schema.Literal("counterparty_iban"), value: Iban, negate }),
  Schema.Struct({ type: Schema.Literal("remittance_regex"), value: Pattern, negate }),
  ...amount_types.map((type) => Schema.Struct({ type: Schema.Literal(type), value: NonNegativeAmount, negate })),
  Schema.Struct({
    type: Schema.Literal("amount_between"),
    min: NonNegativeAmount,
    max: NonNegativeAmount,
    negate
  }).check(
    Schema.makeFilter(({ max, min }) =>
      BigDecimal.isGreaterThan(min, max) ? { path: ["max"], issue: "must be at least min." } : undefined
    )
  ),
  Schema.Struct({ type: Schema.Literal("currency_equals"), value: CurrencyCode, negate })
] as const

/** A condition that a bank line must meet. */
export const Condition = Schema.Union(conditions).annotate({ identifier: "RuleCondition" })
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

/** `{field, operator, value}` is an alias: the condition's type is field and operator, joined by `_`. */
const aliased = (input: unknown): unknown => {
  const field = property(input, "field")
  const operator = property(input, "operator")
  if (typeof input !== "object" || property(input, "type") !== undefined || typeof field !== "string") return input
  const type = field === "counterparty_iban" ? field : `${field}_${typeof operator === "string" ? operator : ""}`
  const value = property(input, "value")
  const between = type === "amount_between" && Array.isArray(value) ? { min: value[0], max: value[1] } : {}
  return { ...input, type, ...between }
}

const isKnown = (input: unknown): boolean => types.has(String(property(input, "type")))

const unknown_type = `must have a type that is one of: ${[...types].join(", ")}.`

/** A condition as clients write it; its fields are validated once its type is known. */
const Written = Schema.Struct({
  type: Schema.optionalKey(Schema.String),
  field: Schema.optionalKey(Schema.String),
  operator: Schema.optionalKey(Schema.String),
  value: Schema.optionalKey(Schema.Unknown),
  min: Schema.optionalKey(Schema.Unknown),
  max: Schema.optionalKey(Schema.Unknown),
  negate: Schema.optionalKey(Schema.Unknown)
})

/**
 * Spec, Banking: an unknown condition type is answered with 422; it is reported before other errors of the condition.
 */
export const ConditionInput = Written.pipe(
  Schema.decodeTo(Schema.Unknown.check(Schema.makeFilter((input) => isKnown(input), { message: unknown_type })), {
    decode: SchemaGetter.transform(aliased),
    encode: SchemaGetter.passthrough({ strict: false })
  }),
  Schema.decodeTo(Condition, {
    decode: SchemaGetter.passthrough({ strict: false }),
    encode: SchemaGetter.passthrough({ strict: false })
  })
).annotate({ identifier: "RuleConditionInput" })
