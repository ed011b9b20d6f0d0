import { BigDecimal, Effect, Schema, SchemaGetter, Struct } from "effect"
import { TaxRateId } from "../../kernel/Ids.ts"
import { Amount, AmountInput, Decimal, NonNegativeAmount, PositiveAmount } from "../../kernel/Money.ts"
import { nullable, Text } from "../../kernel/Text.ts"
import { ExemptionCode, TaxLine } from "./Tax.ts"

const description_characters_max = 2_000
export const tax_rates_max = 10
export const items_max = 500
export const percent_max = BigDecimal.fromBigInt(100n)

export const LineItemId = Schema.Int.pipe(Schema.brand("LineItemId"))
export type LineItemId = typeof LineItemId.Type

const DiscountType = Schema.Literals(["percent", "amount"])
type DiscountType = typeof DiscountType.Type

/** The reason why a line has no tax, as a UNCL 5305 category. */
export const ExemptionCategory = Schema.Literals(["E", "AE", "K", "G", "O"]).annotate({
  identifier: "ExemptionCategory"
})
export type ExemptionCategory = typeof ExemptionCategory.Type

/** The stored line of a document; contract section 5. `price` in Totals computes the amounts. */
export const LineItem = Schema.Struct({
  id: LineItemId,
  position: Schema.Int,
  description: Schema.String,
  quantity: Decimal,
  unit: Schema.String,
  unit_price: Amount,
  discount: Decimal,
  discount_type: DiscountType,
  line_subtotal: Amount,
  discount_amount: Amount,
  line_total: Amount,
  tax_exempt: Schema.Boolean,
  tax_exemption_reason: Schema.NullOr(ExemptionCategory),
  /** BT-121: the VATEX code of the exemption; absent when none was given. */
  exemption_code: Schema.optionalKey(Schema.String),
  tax_amount: Amount,
  tax_rates: Schema.Array(TaxLine)
})
export type LineItem = typeof LineItem.Type

/** A line in a response, with all fields that a client needs to send it back. */
export const AnsweredLineItem = Schema.Struct({ ...LineItem.fields, tax_rate_ids: Schema.Array(TaxRateId) }).annotate({
  identifier: "LineItem"
})
type AnsweredLineItem = typeof AnsweredLineItem.Type

export const answeredLines = (items: ReadonlyArray<LineItem>): ReadonlyArray<AnsweredLineItem> =>
  items.map((item) => ({ ...item, tax_rate_ids: item.tax_rates.map(({ id }) => id) }))

const withDefault = <S extends Schema.Top>(schema: S, value: S["Encoded"]) =>
  schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value)))

const unit_message = "must be a UN/ECE Recommendation 20 unit code."

/** A UN/ECE Rec 20 code, or a common name of a unit ("hour", "pcs", "kg") in any case. */
const UnitInput = Schema.String.annotate({ message: unit_message }).pipe(
  Schema.decodeTo(Schema.String.check(Schema.isPattern(/^[A-Z0-9]{2,3}$/, { message: unit_message })), {
    decode: SchemaGetter.transform((text) => unit_aliases.get(text.trim().toLowerCase()) ?? text.trim()),
    encode: SchemaGetter.passthrough()
  })
)

/** The tax fields of a line or an adjustment in a request. An empty `tax_rate_ids` selects the default rates. */
export const taxInput = {
  tax_exempt: withDefault(Schema.Boolean, false),
  tax_rate_ids: withDefault(
    Schema.Array(TaxRateId).check(
      Schema.isMaxLength(tax_rates_max, { message: `may not have more than ${tax_rates_max} entries.` }),
      Schema.isUnique({ message: "may not name a rate twice." })
    ),
    []
  ),
  tax_exemption_reason: withDefault(
    Schema.NullOr(ExemptionCategory.annotate({ message: "must be one of E, AE, K, G, O." })),
    null
  ),
  /** BT-121: the VATEX code of the reason. */
  exemption_code: nullable(ExemptionCode)
}
const TaxInput = Schema.Struct(taxInput)
type TaxInput = typeof TaxInput.Type

export const taxProblems = (item: TaxInput) => {
  const problems = []
  if (item.tax_exempt && item.tax_rate_ids.length > 0) {
    problems.push({ path: ["tax_rate_ids"], issue: "must be empty when tax_exempt is true." })
  }
  for (const field of ["tax_exemption_reason", "exemption_code"] as const) {
    if (item.tax_exempt || (item[field] ?? null) === null) continue
    problems.push({ path: [field], issue: "may only be given when tax_exempt is true." })
  }
  return problems
}

/**
 * A line in a request. An empty `tax_rate_ids` means the organization's default rates. A line with the `id` of a stored
 * line replaces that line: rates that it still names keep their stored version, even if the organization has archived
 * or changed them since.
 */
export const LineItemInput = Schema.Struct({
  id: nullable(LineItemId),
  description: Text(description_characters_max).check(Schema.isPattern(/\S/, { message: "may not be empty." })),
  quantity: withDefault(PositiveAmount, 1),
  unit: withDefault(UnitInput, "C62"),
  unit_price: AmountInput,
  discount: withDefault(NonNegativeAmount, 0),
  discount_type: withDefault(DiscountType.annotate({ message: "must be percent or amount." }), "percent"),
  ...taxInput
})
  .check(
    Schema.makeFilter((item) => {
      const problems = taxProblems(item)
      if (item.discount_type === "percent" && BigDecimal.isGreaterThan(item.discount, percent_max)) {
        problems.push({ path: ["discount"], issue: "may not be greater than 100." })
      }
      return problems
    })
  )
  .annotate({ identifier: "LineItemInput" })
export type LineItemInput = typeof LineItemInput.Type

/** Returns the request form that leaves a line unchanged. */
export const unchangedLine = (item: AnsweredLineItem): LineItemInput =>
  Struct.pick(item, Struct.keys(LineItemInput.fields))

/** The lines of a document in a request. */
export const LineItemInputs = Schema.Array(LineItemInput).check(
  Schema.isMinLength(1, { message: "must have at least 1 entry." }),
  Schema.isMaxLength(items_max, { message: `may not have more than ${items_max} entries.` })
)

/**
 * Aliases of unit codes. An alias that is also a Rec 20 code of another unit is left out: KW, for example, is kilogram
 * per millimetre.
 */
const unit_aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    C62: ["unit", "units", "piece", "pieces", "pc", "pcs", "item", "items", "one"],
    EA: ["each"],
    HUR: ["hour", "hours", "hr", "hrs", "h"],
    MIN: ["minute", "minutes", "min"],
    SEC: ["second", "seconds", "sec", "s"],
    DAY: ["day", "days", "d"],
    WEE: ["week", "weeks", "wk"],
    MON: ["month", "months", "mo"],
    ANN: ["year", "years", "yr"],
    MGM: ["milligram", "milligrams", "mg"],
    GRM: ["gram", "grams", "g"],
    KGM: ["kilogram", "kilograms", "kg"],
    TNE: ["tonne", "tonnes", "t"],
    LBR: ["pound", "pounds", "lb", "lbs"],
    MMT: ["millimetre", "millimetres", "millimeter", "millimeters", "mm"],
    CMT: ["centimetre", "centimetres", "centimeter", "centimeters", "cm"],
    MTR: ["metre", "metres", "meter", "meters", "m"],
    KMT: ["kilometre", "kilometres", "kilometer", "kilometers", "km"],
    SMI: ["mile", "miles"],
    FOT: ["foot", "feet", "ft"],
    INH: ["inch", "inches"],
    MTK: ["square metre", "square metres", "square meter", "square meters", "sqm", "m2", "m²"],
    MTQ: ["cubic metre", "cubic metres", "cubic meter", "cubic meters", "m3", "m³"],
    MLT: ["millilitre", "millilitres", "milliliter", "milliliters", "ml"],
    LTR: ["litre", "litres", "liter", "liters", "l"],
    KWH: ["kilowatt hour", "kilowatt hours", "kwh"],
    SET: ["set", "sets"],
    PR: ["pair", "pairs"],
    DZN: ["dozen", "dozens"],
    XBX: ["box", "boxes"],
    XPK: ["package", "packages", "pack", "packs"],
    LS: ["lump sum", "lump_sum", "flat", "fixed"]
  }).flatMap(([code, names]) => names.map((name) => [name, code] as const))
)
