import { BigDecimal, Schema, SchemaGetter, Struct } from "effect"
import { TaxRateId } from "../../kernel/Ids.ts"
import { Amount, AmountInput, Decimal, hundred, NonNegativeAmount, PositiveAmount, zero } from "../../kernel/Money.ts"
import { nullable, orDefault, orNull, Text } from "../../kernel/Text.ts"
import { ExemptionCode, TaxLine } from "./Tax.ts"
import { described } from "../../kernel/Described.ts"

const description_characters_max = 2_000
export const tax_rates_max = 10
export const items_max = 500

export const LineItemId = Schema.Int.pipe(Schema.brand("LineItemId"))
export type LineItemId = typeof LineItemId.Type

const DiscountType = Schema.Literals(["percent", "amount"])
type DiscountType = typeof DiscountType.Type

export const ExemptionCategory = Schema.Literals(["E", "AE", "K", "G", "O"]).annotate({
  identifier: "ExemptionCategory",
  description:
    "Why there is no tax (UNCL 5305). `E`: exempt; `AE`: reverse charge; `K`: intra-community supply; `G`: export; `O`: not subject to tax."
})
export type ExemptionCategory = typeof ExemptionCategory.Type

/** `price` in `Totals.ts` computes the amounts. */
export const LineItem = Schema.Struct({
  id: described(LineItemId, "Number of the line within the document; send it back to keep the line."),
  position: described(Schema.Int, "Position of the line in the document, from 1."),
  description: described(Schema.String, "What is sold."),
  quantity: described(Decimal, "Number of units sold."),
  unit: described(Schema.String, "UN/ECE Recommendation 20 code of the unit.", "HUR"),
  unit_price: described(Amount, "Price of one unit without taxes, in the currency of the document."),
  discount: described(Decimal, "Discount on the line, before taxes: percent or an amount, as `discount_type` says."),
  discount_type: described(
    DiscountType,
    "`percent`: `discount` is a percentage; `amount`: it is an amount for the whole line."
  ),
  line_subtotal: described(Amount, "Quantity times unit price, before the discount, in the currency of the document."),
  discount_amount: described(Amount, "Discount on the line as an amount, in the currency of the document."),
  line_total: described(
    Amount,
    "Amount of the line after its discount, without taxes, in the currency of the document."
  ),
  tax_exempt: described(Schema.Boolean, "True if the line has no tax."),
  tax_exemption_reason: described(
    Schema.NullOr(ExemptionCategory),
    "Why the line has no tax; null if it has tax or no reason was given."
  ),
  exemption_code: described(
    Schema.optionalKey(Schema.String),
    "VATEX code of the exemption (BT-121); absent if none was given."
  ),
  tax_amount: described(Amount, "Tax on the line, in the currency of the document."),
  tax_rates: described(Schema.Array(TaxLine), "Tax rates of the line, with their amounts.")
})
export type LineItem = typeof LineItem.Type

/** The price of a line that states an amount as one unit without a discount. */
export const lumpSum = (net: BigDecimal.BigDecimal) => ({
  quantity: one,
  unit: "C62",
  unit_price: net,
  discount: zero,
  discount_type: "percent" as const,
  line_subtotal: net,
  discount_amount: zero,
  line_total: net
})
const one = BigDecimal.fromBigInt(1n)

/** A line in a response, with all fields that a client needs to send it back. */
export const AnsweredLineItem = Schema.Struct({
  ...LineItem.fields,
  tax_rate_ids: described(Schema.Array(TaxRateId), "Tax rates of the line, as a request names them.")
}).annotate({
  identifier: "LineItem",
  description: "A line of a document, with its amounts."
})
type AnsweredLineItem = typeof AnsweredLineItem.Type

export const answeredLines = (items: ReadonlyArray<LineItem>): ReadonlyArray<AnsweredLineItem> =>
  items.map((item) => ({ ...item, tax_rate_ids: item.tax_rates.map(({ id }) => id) }))

const unit_message = "must be a UN/ECE Recommendation 20 unit code, or a name such as hour, pcs or kg."

/** A unit code of UN/ECE Recommendation 20, or a common name of a unit ("hour", "pcs", "kg") in upper or lower case. */
const UnitInput = Schema.String.annotate({ message: unit_message }).pipe(
  Schema.decodeTo(Schema.String.check(Schema.isPattern(/^[A-Z0-9]{2,3}$/, { message: unit_message })), {
    decode: SchemaGetter.transform((text) => unit_aliases.get(text.trim().toLowerCase()) ?? text.trim()),
    encode: SchemaGetter.passthrough()
  })
)

const few_rates = Schema.isMaxLength(tax_rates_max, { message: `may not have more than ${tax_rates_max} entries.` })

/** The tax fields of a line, a discount or a charge in a request. */
export const taxInput = {
  tax_exempt: described(
    orDefault(Schema.Boolean, false),
    "True if there is no tax; `tax_rate_ids` must then be empty. Default: false."
  ),
  tax_rate_ids: described(
    nullable(Schema.Array(TaxRateId).check(few_rates, Schema.isUnique({ message: "may not name a rate twice." }))),
    "Tax rates, at most 10. An empty list, which is the default, means the default rates of the organization, " +
      "or on a discount or charge for the rates of the lines."
  ),
  tax_exemption_reason: described(
    orNull(ExemptionCategory.annotate({ message: "must be one of E, AE, K, G, O." })),
    "Why there is no tax; only with `tax_exempt`. Default: null."
  ),
  exemption_code: described(
    nullable(ExemptionCode),
    "VATEX code of the reason (BT-121); only with `tax_exempt`.",
    "VATEX-EU-132"
  ),
  tax_rates: described(
    nullable(Schema.Array(Schema.Unknown).check(few_rates)),
    "Tax rates as responses state them. They are not read, so they need `tax_rate_ids` beside them."
  )
}
const TaxInput = Schema.Struct(taxInput)
type TaxInput = typeof TaxInput.Type

export const taxProblems = (item: TaxInput) => {
  const problems = []
  const ids = item.tax_rate_ids ?? null
  if (item.tax_exempt && ids !== null && ids.length > 0) {
    problems.push({ path: ["tax_rate_ids"], issue: "must be empty when tax_exempt is true." })
  }
  // Without this error, the default rates would silently replace the rates that the client meant.
  if (!item.tax_exempt && ids === null && (item.tax_rates ?? []).length > 0) {
    problems.push({
      path: ["tax_rate_ids"],
      issue: "is required when tax_rates is given, because only ids choose rates."
    })
  }
  for (const field of ["tax_exemption_reason", "exemption_code"] as const) {
    if (item.tax_exempt || (item[field] ?? null) === null) continue
    problems.push({ path: [field], issue: "may only be given when tax_exempt is true." })
  }
  return problems
}

/** Returns the request without `tax_rates`, which is not read, and with an empty list if `tax_rate_ids` is absent. */
export const withChosenRates = <Request extends TaxInput>(request: Request) => ({
  ...Struct.omit(request, ["tax_rates"]),
  tax_rate_ids: request.tax_rate_ids ?? []
})

/**
 * A line with the `id` of a stored line replaces it. Rates that both lines have keep their stored version, even if the
 * organization has archived or changed them since.
 */
const LineItemRequest = Schema.Struct({
  id: described(
    nullable(LineItemId),
    "Number of a stored line, which this line replaces; null or absent for a new line. A stored line keeps the tax rates that it still names as they were when it was written."
  ),
  description: described(
    Text(description_characters_max).check(Schema.isPattern(/\S/, { message: "may not be empty." })),
    "What is sold."
  ),
  quantity: described(orDefault(PositiveAmount, 1), "Number of units sold; more than 0. Default: 1."),
  unit: described(
    orDefault(UnitInput, "C62"),
    "UN/ECE Recommendation 20 code, or a common name such as `hour`, `pcs` or `kg`. Default: `C62`, one piece.",
    "HUR"
  ),
  unit_price: described(
    AmountInput,
    "Price of one unit without taxes, in the currency of the document; it may be negative."
  ),
  discount: described(
    orDefault(NonNegativeAmount, 0),
    "Discount on the line, before taxes, not negative: at most 100 percent, or an amount. Default: 0."
  ),
  discount_type: described(
    orDefault(DiscountType.annotate({ message: "must be percent or amount." }), "percent"),
    "Whether `discount` is a percentage or an amount for the whole line. Default: `percent`."
  ),
  ...taxInput
})
  .annotate({ description: "A line of a document to be written." })
  .check(
    Schema.makeFilter((item) => {
      const problems = taxProblems(item)
      if (item.discount_type === "percent" && BigDecimal.isGreaterThan(item.discount, hundred)) {
        problems.push({ path: ["discount"], issue: "may not be greater than 100." })
      }
      return problems
    })
  )
  .annotate({ identifier: "LineItemInput" })

const LineItemInput = Schema.Struct({
  ...Struct.omit(LineItemRequest.fields, ["tax_rates"]),
  tax_rate_ids: Schema.Array(TaxRateId)
})
export type LineItemInput = typeof LineItemInput.Type

/** Converts a line of a response to the request line that leaves it unchanged. */
export const unchangedLine = (item: AnsweredLineItem): LineItemInput =>
  Struct.pick(item, Struct.keys(LineItemInput.fields))

export const LineItemFromRequest = LineItemRequest.pipe(
  Schema.decodeTo(Schema.toType(LineItemInput), {
    decode: SchemaGetter.transform((request) => withChosenRates(request)),
    encode: SchemaGetter.transform((item) => item)
  })
)

export const LineItemInputs = Schema.Array(LineItemFromRequest).check(
  Schema.isMinLength(1, { message: "must have at least 1 entry." }),
  Schema.isMaxLength(items_max, { message: `may not have more than ${items_max} entries.` })
)

/** An alias may not be the code of another unit: KW is not kilowatt but kilogram per millimetre. */
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
