import { BigDecimal, Schema, type SchemaAST, SchemaGetter, SchemaTransformation } from "effect"
import { guard_annotation } from "./Compiled.ts"
import { shownAs } from "./Described.ts"

/** Limits of amounts, which are in `numeric(18,6)` columns: six decimals, and less than 10^12. */
const decimals_max = 6
export const amount_limit = BigDecimal.make(1n, -12)
/** The powers of ten that a double holds exactly; looking one up takes half the time of `**`. */
const exactPowers = Array.from({ length: 23 }, (_, power) => 10 ** power)
/** Allows more digits than any column has, but too few for a hostile text to become a huge integer. */
const decimal_text = /^-?\d{1,40}(?:\.\d{1,40})?$/
const amount_annotation = "invoicing/amount"

export const hundred = BigDecimal.fromBigInt(100n)

export const zero = BigDecimal.fromBigInt(0n)

/** JSON schemas of decimals in the API reference. A request may also send each decimal as text. */
export const amountSchemas = {
  Amount: {
    type: "number",
    description:
      "An amount of money in the currency of its record, exact to 15 significant digits. `Prefer: amounts=string` answers an " +
      '`AmountText` instead. A request may send a text such as `"1250.50"`, too.',
    examples: [1250.5],
    // Schema of the same field in answers to `Prefer: amounts=string`.
    "x-with-amounts-string": { $ref: "#/components/schemas/AmountText" }
  },
  AmountText: {
    type: "string",
    pattern: "^-?\\d+(\\.\\d+)?$",
    description:
      "An amount of money as decimal text. It has at least the decimals of its currency if the answer states the currency.",
    examples: ["1250.50"]
  },
  Decimal: {
    type: "number",
    description: "An exact decimal other than money: a quantity, a percentage or an exchange rate.",
    examples: [21]
  }
}

/** A decimal as JSON and the PostgreSQL driver write it. The API reference refers to the schema named `component`. */
const numberOrText = (component: keyof typeof amountSchemas) =>
  Schema.declare(isNumberOrText, {
    [guard_annotation]: isNumberOrText,
    message: "must be a number.",
    toCodecJson: () =>
      Schema.link<number | string>()(
        Schema.Union([Schema.Finite, Schema.String]).annotate(shownAs({ $ref: `#/components/schemas/${component}` })),
        SchemaTransformation.passthrough<number | string>()
      )
  })

const decimal = (component: keyof typeof amountSchemas) =>
  numberOrText(component).pipe(
    Schema.decodeTo(Schema.BigDecimal.annotate({ [guard_annotation]: BigDecimal.isBigDecimal }), {
      decode: SchemaGetter.transform(toDecimal),
      encode: SchemaGetter.transform(toNumber)
    })
  )

/**
 * An exact decimal that is not money. Decodes the `numeric` text of a row and the JSON number or numeric string of a
 * client; encodes to a JSON number, exact up to 15 significant digits. A number is read through its shortest decimal
 * text, so 0.1 is one tenth.
 */
export const Decimal = decimal("Decimal")

/** Money in a response and in a row: a {@link Decimal} that `Prefer: amounts=string` turns into a string. */
export const Amount = decimal("Amount").annotate({ [amount_annotation]: true })
export type Amount = typeof Amount.Type

export const AmountText = Schema.String.annotate(shownAs({ $ref: "#/components/schemas/AmountText" }))

export const isAmountSchema = (ast: SchemaAST.AST): boolean => ast.annotations?.[amount_annotation] === true

/** An amount in a request is below 10^12 and has at most six decimals, like the database columns. */
export const AmountInput = Amount.check(
  Schema.makeFilter((amount) => fitsExponent(amount, decimals_max), {
    message: `may not have more than ${decimals_max} decimal places.`
  }),
  Schema.makeFilter((amount) => BigDecimal.isLessThan(BigDecimal.abs(amount), amount_limit), {
    message: `must be less than ${BigDecimal.format(amount_limit)}.`
  })
)

export const PositiveAmount = AmountInput.check(
  Schema.isGreaterThanBigDecimal(zero, { message: "must be greater than 0." })
)

export const NonNegativeAmount = AmountInput.check(
  Schema.isGreaterThanOrEqualToBigDecimal(zero, { message: "must be at least 0." })
)

export const Percentage = NonNegativeAmount.check(
  Schema.isLessThanOrEqualToBigDecimal(hundred, { message: "may not be greater than 100." })
)

/** Writes exactly `exponent` decimals: "271.36", "100.00", "2126". */
export const formatAmount = (amount: BigDecimal.BigDecimal, exponent: number): string => {
  const units = toUnits(amount, exponent)
  const digits = String(units < 0n ? -units : units).padStart(exponent + 1, "0")
  const sign = units < 0n ? "-" : ""
  const point = digits.length - exponent
  return exponent === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Rounds halves away from zero (EN 16931), as every amount on a document is rounded. */
export const roundHalfAwayFromZero = (amount: BigDecimal.BigDecimal, exponent: number): BigDecimal.BigDecimal =>
  amount.scale <= exponent ? amount : BigDecimal.make(toUnits(amount, exponent), exponent)

const one_percent = BigDecimal.make(1n, 2)

const half = BigDecimal.make(5n, 1)

/** True if the difference may come from rounding the amount to pay: at most the larger of 0.5 and 1 % of the amount. */
export const isRounding = (difference: BigDecimal.BigDecimal, amount: BigDecimal.BigDecimal): boolean =>
  !BigDecimal.isGreaterThan(
    BigDecimal.abs(difference),
    BigDecimal.max(half, BigDecimal.multiply(BigDecimal.abs(amount), one_percent))
  )

/** The result is exact. The caller rounds it, because only the caller knows the currency. */
export const percentOf = (amount: BigDecimal.BigDecimal, percent: BigDecimal.BigDecimal): BigDecimal.BigDecimal =>
  BigDecimal.multiply(BigDecimal.multiply(amount, percent), one_percent)

/** True if the amount can be paid in a currency with this exponent: 1.50 is not an amount of yen. */
export const fitsExponent = (amount: BigDecimal.BigDecimal, exponent: number): boolean =>
  amount.scale <= exponent || amount.value % powerOfTen(amount.scale - exponent) === 0n

/**
 * Splits `total` in proportion to `weights` by largest remainder, in `exponent` decimals; of equal remainders, the
 * earlier one wins. The parts sum exactly to the rounded `total`, and are equal if the weights sum to zero.
 */
export const allocate = (
  total: BigDecimal.BigDecimal,
  weights: ReadonlyArray<BigDecimal.BigDecimal>,
  exponent: number
): ReadonlyArray<BigDecimal.BigDecimal> => {
  const units = toUnits(total, exponent)
  const scale = largestScale(weights)
  const scaled = weights.map((weight) => toUnits(weight, scale))
  const sum = scaled.reduce((left, right) => left + right, 0n)
  const sign = sum < 0n ? -1n : 1n
  const shares = sum === 0n ? weights.map(() => units) : scaled.map((weight) => units * weight * sign)
  const divisor = sum === 0n ? BigInt(weights.length) : sum * sign
  return largestRemainder(units, shares, divisor).map((part) => BigDecimal.make(part, exponent))
}

/**
 * Rounds `shares` by largest remainder so that they sum to `total`, which must be the exact sum of the shares, rounded
 * up or down. The default of `total` is that sum, with halves rounded away from zero. Of equal remainders, the earlier
 * one wins.
 */
export const roundShares = (
  shares: ReadonlyArray<BigDecimal.BigDecimal>,
  exponent: number,
  total: BigDecimal.BigDecimal = BigDecimal.sumAll(shares)
): ReadonlyArray<BigDecimal.BigDecimal> => {
  const scale = Math.max(exponent, largestScale(shares))
  const scaled = shares.map((share) => toUnits(share, scale))
  return largestRemainder(toUnits(total, exponent), scaled, powerOfTen(scale - exponent)).map((part) =>
    BigDecimal.make(part, exponent)
  )
}

/** Rounds `shares / divisor` to integers that sum to `total`, which must differ from the exact sum by less than 1. */
const largestRemainder = (total: bigint, shares: ReadonlyArray<bigint>, divisor: bigint): ReadonlyArray<bigint> => {
  const parts = shares.map((share, index) => {
    const remainder = ((share % divisor) + divisor) % divisor
    return { index, floor: (share - remainder) / divisor, remainder }
  })
  const left = Number(parts.reduce((rest, part) => rest - part.floor, total))
  const byRemainder = parts.toSorted((a, b) => Number(b.remainder - a.remainder) || a.index - b.index)
  const raised = new Set(byRemainder.slice(0, left).map((part) => part.index))
  return parts.map((part) => (raised.has(part.index) ? part.floor + 1n : part.floor))
}

const largestScale = (values: ReadonlyArray<BigDecimal.BigDecimal>): number =>
  values.reduce((scale, value) => Math.max(scale, value.scale), 0)

/** Returns the amount in units of 10^-exponent; halves are rounded away from zero. */
const toUnits = (amount: BigDecimal.BigDecimal, exponent: number): bigint => {
  if (amount.scale <= exponent) return amount.value * powerOfTen(exponent - amount.scale)
  const divisor = powerOfTen(amount.scale - exponent)
  const half = divisor / 2n
  return (amount.value < 0n ? amount.value - half : amount.value + half) / divisor
}

const powersOfTen = Array.from({ length: 40 }, (_, power) => 10n ** BigInt(power))
const powerOfTen = (power: number): bigint => powersOfTen[power] ?? 10n ** BigInt(power)

/** Parses text that the schemas above have checked, at half the cost of `BigDecimal.fromString`. */
function toDecimal(input: string | number): BigDecimal.BigDecimal {
  if (BigDecimal.isBigDecimal(input)) return input
  // Most numbers in stored document lines are integers, which can be converted without text.
  if (Number.isSafeInteger(input)) return BigDecimal.make(BigInt(input), 0)
  if (typeof input === "number") return BigDecimal.fromNumberUnsafe(input)
  const point = input.indexOf(".")
  if (point === -1) return BigDecimal.make(BigInt(input), 0)
  return BigDecimal.make(BigInt(input.slice(0, point) + input.slice(point + 1)), input.length - point - 1)
}

/** A double holds both operands exactly, so the division rounds once, to the double nearest to the decimal. */
function toNumber(amount: BigDecimal.BigDecimal): number {
  const units = Number(amount.value)
  return Number.isSafeInteger(units) && amount.scale >= 0 && amount.scale < exactPowers.length
    ? units / (exactPowers[amount.scale] ?? 1)
    : BigDecimal.toNumberUnsafe(amount)
}

/**
 * Boundary: this guard also accepts a `BigDecimal`, which the driver returns for `numeric`. The type of the guard does
 * not say so, because the amounts of a JSON body are only numbers and strings.
 */
function isNumberOrText(input: unknown): input is number | string {
  if (typeof input === "string") return decimal_text.test(input)
  return Number.isFinite(input) || BigDecimal.isBigDecimal(input)
}
