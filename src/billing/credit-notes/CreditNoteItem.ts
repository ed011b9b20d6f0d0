import { Schema } from "effect"
import { Amount, PositiveAmount } from "../../kernel/Money.ts"
import { nullable } from "../../kernel/Text.ts"
import { AnsweredLineItem, answeredLines, items_max, LineItem, LineItemId } from "../lines/LineItem.ts"

/** A line of a credit note as its note stores it. */
export const CreditNoteItem = Schema.Struct({
  ...LineItem.fields,
  /** The line of the invoice that is credited; absent in a note that was asked for by its amount. */
  invoice_item_id: Schema.optionalKey(LineItemId),
  /** The gross amount that was asked for; absent when a quantity was. */
  amount: Schema.optionalKey(Amount)
})
export type CreditNoteItem = typeof CreditNoteItem.Type

export const AnsweredCreditNoteItem = Schema.Struct({
  ...AnsweredLineItem.fields,
  invoice_item_id: Schema.NullOr(LineItemId),
  amount: Schema.NullOr(Amount)
})
type AnsweredCreditNoteItem = typeof AnsweredCreditNoteItem.Type

export const answeredItems = (items: ReadonlyArray<CreditNoteItem>): ReadonlyArray<AnsweredCreditNoteItem> => {
  const answered = answeredLines(items)
  return items.flatMap(({ amount = null, invoice_item_id = null }, index) => {
    const line = answered[index]
    return line === undefined ? [] : [{ ...line, amount, invoice_item_id }]
  })
}

/**
 * A line of the invoice that is credited: by `quantity`, with the unit price and the discount of that line, or by
 * `amount`, which includes taxes like the `amount` of a credit note. What an amount takes, here or in a note without
 * items, uses up the same fraction of the line's quantity.
 */
export const CreditedItem = Schema.Struct({
  invoice_item_id: LineItemId,
  quantity: nullable(PositiveAmount),
  amount: nullable(PositiveAmount)
}).check(
  Schema.makeFilter(({ amount, quantity }) => {
    if ((amount ?? null) === null) {
      return (quantity ?? null) === null
        ? { path: ["quantity"], issue: "is required when amount is absent." }
        : undefined
    }
    return (quantity ?? null) === null ? undefined : { path: ["amount"], issue: "may not be given beside a quantity." }
  })
)
export type CreditedItem = typeof CreditedItem.Type

export const CreditedItems = Schema.Array(CreditedItem).check(
  Schema.isMinLength(1, { message: "must have at least 1 entry." }),
  Schema.isMaxLength(items_max, { message: `may not have more than ${items_max} entries.` })
)
