import { Schema, SchemaGetter, Struct } from "effect"
import { TaxRateId } from "../../kernel/Ids.ts"
import { Amount, Decimal, hundred, PositiveAmount } from "../../kernel/Money.ts"
import { orNull, Text } from "../../kernel/Text.ts"
import { ExemptionCategory, taxInput, taxProblems, withChosenRates } from "./LineItem.ts"
import { TaxLine } from "./Tax.ts"
import { described } from "../../kernel/Described.ts"

const description_characters_max = 1_000
export const adjustments_max = 20

/** EN 16931 BG-20, BG-21. The amounts are never negative: a discount is subtracted, a charge is added. */
export const Adjustment = Schema.Struct({
  description: described(Schema.String, "Reason of the discount or charge (BT-97, BT-104)."),
  amount: described(
    Schema.NullOr(Amount),
    "Amount in the request, without taxes, in the currency of the document; null if it had a percentage."
  ),
  percentage: described(
    Schema.NullOr(Decimal),
    "Percentage in the request, 0 to 100 (BT-94, BT-101); null if it had an amount."
  ),
  base_amount: described(
    Schema.NullOr(Amount),
    "Base of the percentage: the sum of the lines with the same taxes (BT-93, BT-100); null if the request had an amount."
  ),
  net_amount: described(
    Amount,
    "Resulting amount without taxes, never negative, in the currency of the document (BT-92, BT-99)."
  ),
  tax_exempt: described(Schema.Boolean, "True if the discount or charge has no tax."),
  tax_exemption_reason: described(
    Schema.NullOr(ExemptionCategory),
    "Why there is no tax; null if there is tax or no reason was given."
  ),
  exemption_code: described(
    Schema.optionalKey(Schema.String),
    "VATEX code of the exemption; absent if none was given."
  ),
  tax_amount: described(Amount, "Tax on the discount or charge, in the currency of the document."),
  tax_rates: described(Schema.Array(TaxLine), "Tax rates of the discount or charge, with their amounts.")
})
export type Adjustment = typeof Adjustment.Type

/** A discount or a charge in a response, with all fields that a client needs to send it back. */
export const AnsweredAdjustment = Schema.Struct({
  ...Adjustment.fields,
  tax_rate_ids: described(Schema.Array(TaxRateId), "Tax rates of the discount or charge, as a request names them.")
}).annotate({ identifier: "Adjustment", description: "A discount or a charge on a whole document." })
type AnsweredAdjustment = typeof AnsweredAdjustment.Type

export const answeredAdjustments = (stored: ReadonlyArray<Adjustment>): ReadonlyArray<AnsweredAdjustment> =>
  stored.map((adjustment) => ({ ...adjustment, tax_rate_ids: adjustment.tax_rates.map(({ id }) => id) }))

const Percentage = PositiveAmount.check(
  Schema.isLessThanOrEqualToBigDecimal(hundred, { message: "may not be greater than 100." })
)

/** An empty `tax_rate_ids` means the taxes of the lines, which must then be the same on every line. */
const AdjustmentRequest = Schema.Struct({
  description: described(
    Text(description_characters_max).check(Schema.isPattern(/\S/, { message: "may not be empty." })),
    "Reason of the discount or charge, which the document prints."
  ),
  amount: described(
    orNull(PositiveAmount),
    "Amount without taxes, in the currency of the document, more than 0; as an alternative to `percentage`."
  ),
  percentage: described(
    orNull(Percentage),
    "Percentage of the lines with the same taxes, more than 0 and at most 100; as an alternative to `amount`."
  ),
  ...taxInput
}).check(
  Schema.makeFilter((adjustment) => {
    const { amount, percentage } = adjustment
    const problems = taxProblems(adjustment)
    if (amount === null && percentage === null) {
      problems.push({ path: ["amount"], issue: "is required when percentage is absent." })
    }
    if (amount !== null && percentage !== null) {
      problems.push({ path: ["percentage"], issue: "may not be given together with an amount." })
    }
    return problems
  })
)

const AdjustmentInput = Schema.Struct({
  ...Struct.omit(AdjustmentRequest.fields, ["tax_rates"]),
  tax_rate_ids: Schema.Array(TaxRateId)
})
export type AdjustmentInput = typeof AdjustmentInput.Type

const AdjustmentFromRequest = AdjustmentRequest.pipe(
  Schema.decodeTo(Schema.toType(AdjustmentInput), {
    decode: SchemaGetter.transform((request) => withChosenRates(request)),
    encode: SchemaGetter.transform((adjustment) => adjustment)
  })
)

/** The discounts or the charges in a request; they replace all stored ones. */
export const AdjustmentInputs = Schema.Array(AdjustmentFromRequest).check(
  Schema.isMaxLength(adjustments_max, { message: `may not have more than ${adjustments_max} entries.` })
)

/** Converts a discount or a charge of a response to the request entry that leaves it unchanged. */
export const unchangedAdjustment = (adjustment: AnsweredAdjustment): AdjustmentInput =>
  Struct.pick(adjustment, Struct.keys(AdjustmentInput.fields))
