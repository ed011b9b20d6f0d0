import { Schema } from "effect"
import { InvoiceId } from "../../kernel/Ids.ts"
import { refusal } from "../../kernel/Refusal.ts"
import type { Quote } from "./Quote.ts"
import { described } from "../../kernel/Described.ts"

const details = described(
  Schema.Struct({
    status: described(Schema.String, "Status of the quote."),
    number: described(Schema.NullOr(Schema.String), "Number of the quote; null if it has none yet.")
  }),
  "The current quote."
)

/** A sent quote must not change, unless the customer rejected it: a change makes a rejected quote a draft again. */
export class QuoteLocked extends Schema.Error<QuoteLocked>("QuoteLocked")(
  { ...refusal("QuoteLocked", "quote_locked"), details },
  { httpApiStatus: 409, description: "The quote was sent or decided and can no longer be changed or deleted." }
) {
  static change({ number, status }: Pick<Quote, "number" | "status">) {
    return new QuoteLocked({ message: `A quote that is ${status} cannot be changed.`, details: { status, number } })
  }
  static removal({ number, status }: Pick<Quote, "number" | "status">) {
    return new QuoteLocked({ message: `A quote that is ${status} cannot be deleted.`, details: { status, number } })
  }
}

export class QuoteDecided extends Schema.Error<QuoteDecided>("QuoteDecided")(
  { ...refusal("QuoteDecided", "quote_decided"), details },
  {
    httpApiStatus: 422,
    description: "The quote was already accepted, rejected or converted, so the action is not possible."
  }
) {
  static of(action: string, { number, status }: Pick<Quote, "number" | "status">) {
    return new QuoteDecided({
      message: `A quote that is ${status} cannot be ${action}.`,
      details: { status, number }
    })
  }
  static reopened({ number, status }: Pick<Quote, "number" | "status">) {
    return new QuoteDecided({
      message: "The quote was rejected and changed since this send began; send it again.",
      details: { status, number }
    })
  }
}

export class AlreadyConverted extends Schema.Error<AlreadyConverted>("AlreadyConverted")(
  {
    ...refusal("AlreadyConverted", "already_converted"),
    details: described(Schema.Struct({ invoice_id: InvoiceId }), "The invoice to which the quote was converted.")
  },
  { httpApiStatus: 422, description: "The quote was already converted to the invoice in `details`." }
) {
  static of(invoice_id: InvoiceId) {
    return new AlreadyConverted({ message: "The quote was already converted to an invoice.", details: { invoice_id } })
  }
}
