import { BigDecimal, Result, Schema, SchemaGetter } from "effect"
import { CurrencyCode } from "../../kernel/Currency.ts"
import { NonNegativeAmount } from "../../kernel/Money.ts"
import { Text } from "../../kernel/Text.ts"
import { Iban } from "../../organizations/Iban.ts"
import { folded } from "../matching/Words.ts"
import type { StatementLine } from "../statements/Statement.ts"
import { linearRegex } from "./LinearRegex.ts"

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

const Pattern = Text(regex_characters_max).check(
  Schema.makeFilter((source) => {
    const compiled = linearRegex(source)
    return Result.isSuccess(compiled) ? undefined : compiled.failure
  })
)

// One of each type, so that a wrong value is told as that and not as a wrong type.
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

/** What a line has to be like; contract section 10. */
export const Condition = Schema.Union(conditions)
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

/** `{field, operator, value}` is another way to write a condition: its type is the two with `_` between. */
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

/** A condition as it may be written; what its type takes is looked at when that is known. */
const Written = Schema.Struct({
  type: Schema.optionalKey(Schema.String),
  field: Schema.optionalKey(Schema.String),
  operator: Schema.optionalKey(Schema.String),
  value: Schema.optionalKey(Schema.Unknown),
  min: Schema.optionalKey(Schema.Unknown),
  max: Schema.optionalKey(Schema.Unknown),
  negate: Schema.optionalKey(Schema.Unknown)
})

/** Spec, Banking: an unknown condition type is 422; it is named before anything else that may be wrong. */
export const ConditionInput = Written.pipe(
  Schema.decodeTo(Schema.Unknown.check(Schema.makeFilter((input) => isKnown(input), { message: unknown_type })), {
    decode: SchemaGetter.transform(aliased),
    encode: SchemaGetter.passthrough({ strict: false })
  }),
  Schema.decodeTo(Condition, {
    decode: SchemaGetter.passthrough({ strict: false }),
    encode: SchemaGetter.passthrough({ strict: false })
  })
)

/** What of a bank line conditions are about. */
export type Subject = Pick<
  StatementLine,
  "amount" | "currency" | "counterparty_name" | "counterparty_iban" | "remittance_text" | "reference"
>

/** A condition made ready to be asked of many lines. */
export const tester = (condition: Condition): ((line: Subject) => boolean) => {
  const holds = predicateOf(condition)
  return condition.negate === true ? (line) => !holds(line) : holds
}

const predicateOf = (condition: Condition): ((line: Subject) => boolean) => {
  switch (condition.type) {
    case "counterparty_iban":
      return ({ counterparty_iban }) => counterparty_iban === condition.value
    case "currency_equals":
      return ({ currency }) => currency === condition.value
    case "remittance_regex": {
      // Its source was checked when the rule was written.
      const matches = Result.getOrElse(linearRegex(foldedPattern(condition.value)), () => () => false)
      return ({ remittance_text }) => matches(folded(remittance_text))
    }
    case "amount_between":
      return ({ amount }) =>
        BigDecimal.between(BigDecimal.abs(amount), { minimum: condition.min, maximum: condition.max })
    case "amount_equals":
      return ({ amount }) => BigDecimal.equals(BigDecimal.abs(amount), condition.value)
    case "amount_min":
      return ({ amount }) => BigDecimal.isGreaterThanOrEqualTo(BigDecimal.abs(amount), condition.value)
    case "amount_max":
      return ({ amount }) => BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(amount), condition.value)
    default: {
      const [subject = "", operator] = condition.type.split(/_(.*)/s)
      const wanted = subject === "reference" ? plain(condition.value) : folded(condition.value)
      return (line) => compare(operator ?? "", subjectOf(line, subject), wanted)
    }
  }
}

/** Texts are compared without case and accents, so patterns are too; but an escape such as \S is not its lower case. */
const foldedPattern = (source: string): string =>
  source.replaceAll(/\\.|[^\\]+/gs, (part) =>
    part.startsWith("\\") ? part : part.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()
  )

/** References are written with and without points, slashes and spaces. */
const plain = (text: string): string => text.toUpperCase().replaceAll(/[^0-9A-Z]/g, "")

const subjectOf = (line: Subject, subject: string): string => {
  if (subject === "reference") return plain(line.reference ?? "")
  return folded(subject === "counterparty" ? (line.counterparty_name ?? "") : line.remittance_text)
}

const compare = (operator: string, text: string, wanted: string): boolean => {
  if (operator === "equals") return text === wanted
  return operator === "contains" ? text.includes(wanted) : text.startsWith(wanted)
}
