import { BigDecimal, Effect, Schema, Struct } from "effect"
import { Amount, PositiveAmount } from "../../kernel/Money.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"
import { nullable } from "../../kernel/Text.ts"
import { adjustments_max } from "../lines/Adjustment.ts"
import { AnsweredLineItem, answeredLines, items_max, LineItem, LineItemId } from "../lines/LineItem.ts"
import { described } from "../../kernel/Described.ts"

export const CreditNoteItem = Schema.Struct({
  ...LineItem.fields,
  /** Absent in a note created by amount, and for a charge or discount on the invoice. */
  invoice_item_id: Schema.optionalKey(LineItemId),
  /** The tax-inclusive amount that the client sent; absent when the client sent a quantity. */
  amount: Schema.optionalKey(Amount)
})
export type CreditNoteItem = typeof CreditNoteItem.Type

export const AnsweredCreditNoteItem = Schema.Struct({
  ...AnsweredLineItem.fields,
  invoice_item_id: described(
    Schema.NullOr(LineItemId),
    "Line of the invoice that is credited; null in a note that was created by amount, and for a charge or discount on the invoice."
  ),
  amount: described(
    Schema.NullOr(Amount),
    "Amount with taxes in the request, in the currency of the invoice; null if it had a quantity."
  )
}).annotate({ identifier: "CreditNoteItem", description: "A line of a credit note, with its amounts." })
type AnsweredCreditNoteItem = typeof AnsweredCreditNoteItem.Type

export const answeredItems = (items: ReadonlyArray<CreditNoteItem>): ReadonlyArray<AnsweredCreditNoteItem> => {
  const answered = answeredLines(items)
  return items.flatMap(({ amount = null, invoice_item_id = null }, index) => {
    const line = answered[index]
    return line === undefined ? [] : [{ ...line, amount, invoice_item_id }]
  })
}

const quantity_description =
  "Quantity to credit, more than 0, at the line's unit price and discount. An amount that was credited of the line, by an item or by a credit note " +
  "without items, has used up the same fraction of its quantity."
const amount_description =
  "Amount to credit, in the currency of the invoice. It includes taxes, like the amount of a credit note, but not the charges on the invoice, which go along with its lines."

export const CreditedItem = Schema.Struct({
  invoice_item_id: described(LineItemId, "Line of the invoice that is credited."),
  quantity: described(nullable(PositiveAmount), quantity_description),
  amount: described(nullable(PositiveAmount), amount_description)
})
  .annotate({ description: "A line of the invoice to credit: a part of its quantity, or an amount." })
  .check(Schema.makeFilter(({ amount = null, quantity = null }) => problemOf({ amount, quantity })))
  .annotate({ identifier: "CreditedItem" })
export type CreditedItem = typeof CreditedItem.Type

interface HowMuch {
  readonly amount: BigDecimal.BigDecimal | null
  readonly quantity: BigDecimal.BigDecimal | null
}

const problemOf = ({ amount, quantity }: HowMuch) => {
  if (amount === null && quantity === null) return { path: ["quantity"], issue: "is required when amount is absent." }
  if (amount === null || quantity === null) return undefined
  return { path: ["amount"], issue: "may not be given together with a quantity." }
}

const ChangedItem = Schema.Struct({
  id: described(nullable(LineItemId), "Number of a stored line of the note; null or absent for a new one."),
  invoice_item_id: described(nullable(LineItemId), "Line of the invoice that is credited."),
  quantity: described(nullable(PositiveAmount), "Quantity to credit, more than 0; as an alternative to `amount`."),
  amount: described(
    nullable(PositiveAmount),
    "Amount with taxes to credit, in the currency of the invoice, more than 0; as an alternative to `quantity`."
  )
})
type ChangedItem = typeof ChangedItem.Type

/** Maximum number of items of a note: the lines of its invoice, and the discounts and charges that become lines. */
export const credited_items_max = items_max + 2 * adjustments_max

const limited = <S extends Schema.Top>(item: S, entries_max: number) =>
  Schema.Array(item).check(
    Schema.isMinLength(1, { message: "must have at least 1 entry." }),
    Schema.isMaxLength(entries_max, { message: `may not have more than ${entries_max} entries.` })
  )

export const CreditedItems = limited(CreditedItem, items_max)

/** The items of an update. A client may send back the items of a response, which have both quantity and amount. */
export const ChangedItems = limited(ChangedItem, credited_items_max)

/** Converts an item of a response to the request item that leaves it unchanged. */
export const unchangedItem = (item: AnsweredCreditNoteItem): ChangedItem =>
  Struct.pick(item, Struct.keys(ChangedItem.fields))

export const creditedItems = (changed: ReadonlyArray<ChangedItem>, stored: ReadonlyArray<CreditNoteItem>) => {
  const errors: Record<string, ReadonlyArray<string>> = {}
  const byLines = stored.some((item) => item.invoice_item_id !== undefined)
  const items = changed.flatMap(({ amount = null, id, invoice_item_id = null, quantity = null }, index) => {
    const before = stored.find((item) => item.id === id)
    // An item that represents a charge is ignored, because charges are credited in proportion to the credited lines.
    if (byLines && invoice_item_id === null && before !== undefined) return []
    const asked = before === undefined ? { amount, quantity } : changeOf({ amount, quantity }, before)
    const required = { path: ["invoice_item_id"], issue: "is required." }
    const problem = invoice_item_id === null ? required : problemOf(asked)
    if (invoice_item_id !== null && problem === undefined) return [{ invoice_item_id, ...asked }]
    const field = `items.${index}.${problem?.path[0]}`
    errors[field] = [`The ${field} field ${problem?.issue}`]
    return []
  })
  return Object.keys(errors).length > 0 ? Effect.fail(ValidationFailed.of(errors)) : Effect.succeed(items)
}

/**
 * Keeps only the field that the client changed, because a client that sends an item of a response back may send both
 * `amount` and `quantity`.
 */
const changeOf = ({ amount, quantity }: HowMuch, before: CreditNoteItem): HowMuch => {
  if (before.amount === undefined || amount === null || quantity === null) return { amount, quantity }
  if (BigDecimal.equals(quantity, before.quantity)) return { amount, quantity: null }
  return BigDecimal.equals(amount, before.amount) ? { amount: null, quantity } : { amount, quantity }
}
