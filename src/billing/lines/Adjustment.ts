import { Schema, Struct } from "effect"
import { TaxRateId } from "../../kernel/Ids.ts"
import { Amount, Decimal, PositiveAmount } from "../../kernel/Money.ts"
import { orNull, Text } from "../../kernel/Text.ts"
import { ExemptionCategory, percent_max, taxInput, taxProblems } from "./LineItem.ts"
import { TaxLine } from "./Tax.ts"

const description_characters_max = 1_000
const adjustments_max = 20

/**
 * A stored discount or charge on a whole document (EN 16931 BG-20, BG-21). The amounts have the currency's decimals and
 * are not negative: a discount is subtracted from the document, a charge is added.
 */
export const Adjustment = Schema.Struct({
  /** BT-97, BT-104: the reason of the discount or charge. */
  description: Schema.String,
  /** The amount sent by the client; null when the client sent a percentage. */
  amount: Schema.NullOr(Amount),
  /** BT-94, BT-101: the percentage; null when the client sent an amount. */
  percentage: Schema.NullOr(Decimal),
  /** BT-93, BT-100: the base of the percentage, which is the sum of the lines with the same taxes. */
  base_amount: Schema.NullOr(Amount),
  /** BT-92, BT-99: the resulting amount, without taxes. */
  net_amount: Amount,
  tax_exempt: Schema.Boolean,
  tax_exemption_reason: Schema.NullOr(ExemptionCategory),
  exemption_code: Schema.optionalKey(Schema.String),
  tax_amount: Amount,
  tax_rates: Schema.Array(TaxLine)
})
export type Adjustment = typeof Adjustment.Type

/** A discount or a charge in a response, with all fields that a client needs to send it back. */
export const AnsweredAdjustment = Schema.Struct({
  ...Adjustment.fields,
  tax_rate_ids: Schema.Array(TaxRateId)
}).annotate({ identifier: "Adjustment" })
type AnsweredAdjustment = typeof AnsweredAdjustment.Type

export const answeredAdjustments = (stored: ReadonlyArray<Adjustment>): ReadonlyArray<AnsweredAdjustment> =>
  stored.map((adjustment) => ({ ...adjustment, tax_rate_ids: adjustment.tax_rates.map(({ id }) => id) }))

const Percentage = PositiveAmount.check(
  Schema.isLessThanOrEqualToBigDecimal(percent_max, { message: "may not be greater than 100." })
)

/**
 * A discount or a charge in a request: an amount without taxes, or a percentage of the lines with the same taxes. An
 * empty `tax_rate_ids` means the taxes of the lines, which must then be the same on every line.
 */
const AdjustmentInput = Schema.Struct({
  description: Text(description_characters_max).check(Schema.isPattern(/\S/, { message: "may not be empty." })),
  amount: orNull(PositiveAmount),
  percentage: orNull(Percentage),
  ...taxInput
}).check(
  Schema.makeFilter((adjustment) => {
    const { amount, percentage } = adjustment
    const problems = taxProblems(adjustment)
    if (amount === null && percentage === null) {
      problems.push({ path: ["amount"], issue: "is required when percentage is absent." })
    }
    if (amount !== null && percentage !== null) {
      problems.push({ path: ["percentage"], issue: "may not be given beside an amount." })
    }
    return problems
  })
)
export type AdjustmentInput = typeof AdjustmentInput.Type

/** The discounts or the charges in a request; they replace all stored ones. */
export const AdjustmentInputs = Schema.Array(AdjustmentInput).check(
  Schema.isMaxLength(adjustments_max, { message: `may not have more than ${adjustments_max} entries.` })
)

/** Returns the request form that leaves a discount or a charge unchanged. */
export const unchangedAdjustment = (adjustment: AnsweredAdjustment): AdjustmentInput =>
  Struct.pick(adjustment, Struct.keys(AdjustmentInput.fields))
