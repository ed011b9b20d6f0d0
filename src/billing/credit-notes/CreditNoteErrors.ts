import { Schema } from "effect"
import { Amount } from "../../kernel/Money.ts"
import { refusal } from "../../kernel/Refusal.ts"
import type { CreditNote } from "./CreditNote.ts"
import { described } from "../../kernel/Described.ts"

export class InvoiceNotIssued extends Schema.Error<InvoiceNotIssued>("InvoiceNotIssued")(
  refusal("InvoiceNotIssued", "invoice_not_issued"),
  { httpApiStatus: 422, description: "The invoice is a draft and cannot be credited; change or delete it instead." }
) {
  static of() {
    return new InvoiceNotIssued({ message: "Only an issued invoice can be credited; a draft can be changed." })
  }
}

export class ExceedsCreditableAmount extends Schema.Error<ExceedsCreditableAmount>("ExceedsCreditableAmount")(
  {
    ...refusal("ExceedsCreditableAmount", "exceeds_creditable_amount"),
    details: described(
      Schema.Struct({
        remaining: described(Amount, "Amount with taxes that is left to credit, in the currency of the invoice.")
      }),
      "What may be credited."
    )
  },
  {
    httpApiStatus: 422,
    description: "The amount is greater than what is left to credit on the invoice; drafts of credit notes count."
  }
) {
  static of(remaining: Amount) {
    return new ExceedsCreditableAmount({
      message: "The amount is greater than what is left to credit on this invoice.",
      details: { remaining }
    })
  }
}

export class AlreadySent extends Schema.Error<AlreadySent>("AlreadySent")(
  {
    ...refusal("AlreadySent", "already_sent"),
    details: described(
      Schema.Struct({ number: described(Schema.NullOr(Schema.String), "Number of the credit note.") }),
      "The credit note that was sent."
    )
  },
  { httpApiStatus: 409, description: "The credit note was already sent; `resend: true` sends it again." }
) {
  static of({ number }: Pick<CreditNote, "number">) {
    return new AlreadySent({
      message: "The credit note was already sent; it is sent again with resend: true.",
      details: { number }
    })
  }
}

/**
 * A sent note is evidence, so it cannot change. A draft whose number cannot be returned can only be sent: deleting it
 * would leave a gap in the series, and a recipient may have a message with the number and the present content.
 */
export class CreditNoteLocked extends Schema.Error<CreditNoteLocked>("CreditNoteLocked")(
  {
    ...refusal("CreditNoteLocked", "credit_note_locked"),
    details: described(
      Schema.Struct({
        status: described(Schema.String, "Status of the credit note."),
        number: described(Schema.NullOr(Schema.String), "Number of the credit note; null if it has none."),
        may_have_arrived: described(
          Schema.optionalKey(Schema.Boolean),
          "True if a message with the number of the draft may have reached a recipient, or may still reach one."
        )
      }),
      "The credit note that is locked."
    )
  },
  {
    httpApiStatus: 422,
    description:
      "The credit note was sent, or has a number that cannot be returned, and can no longer be changed or deleted."
  }
) {
  static sent({ number, status }: Pick<CreditNote, "number" | "status">) {
    return new CreditNoteLocked({ message: "A sent credit note cannot be deleted.", details: { status, number } })
  }
  static change({ number, status }: Pick<CreditNote, "number" | "status">) {
    return new CreditNoteLocked({ message: "A sent credit note cannot be changed.", details: { status, number } })
  }
  static numbered(number: string) {
    return new CreditNoteLocked({
      message: `A failed send gave the credit note the number ${number}, and later numbers are in use: send it again.`,
      details: { status: "draft", number, may_have_arrived: false }
    })
  }
  static mailed(number: string | null) {
    const message = `The credit note ${number} may have reached a recipient, or may still reach one: send it again, with resend: true if it may have arrived.`
    return new CreditNoteLocked({ message, details: { status: "draft", number, may_have_arrived: true } })
  }
}
