import { Schema } from "effect"
import { Amount } from "../../kernel/Money.ts"
import { refusal } from "../../kernel/Refusal.ts"
import type { CreditNote } from "./CreditNote.ts"

/** Only an issued invoice can be credited; a draft is changed or deleted instead. */
export class InvoiceNotIssued extends Schema.Error<InvoiceNotIssued>("InvoiceNotIssued")(
  refusal("InvoiceNotIssued", "invoice_not_issued"),
  { httpApiStatus: 422 }
) {
  static of() {
    return new InvoiceNotIssued({ message: "Only an issued invoice can be credited; a draft can be changed." })
  }
}

/** Drafts and sent notes together may never exceed the invoice. */
export class ExceedsCreditableAmount extends Schema.Error<ExceedsCreditableAmount>("ExceedsCreditableAmount")(
  {
    ...refusal("ExceedsCreditableAmount", "exceeds_creditable_amount"),
    details: Schema.Struct({ remaining: Amount })
  },
  { httpApiStatus: 422 }
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
    details: Schema.Struct({ number: Schema.NullOr(Schema.String) })
  },
  { httpApiStatus: 409 }
) {
  static of({ number }: Pick<CreditNote, "number">) {
    return new AlreadySent({
      message: "The credit note was already sent; it is sent again with resend: true.",
      details: { number }
    })
  }
}

/**
 * A sent note is evidence and cannot change; a draft whose number cannot be returned must be sent, to keep the series
 * gapless.
 */
export class CreditNoteLocked extends Schema.Error<CreditNoteLocked>("CreditNoteLocked")(
  {
    ...refusal("CreditNoteLocked", "credit_note_locked"),
    details: Schema.Struct({ status: Schema.String, number: Schema.NullOr(Schema.String) })
  },
  { httpApiStatus: 422 }
) {
  static sent({ number, status }: Pick<CreditNote, "number" | "status">) {
    return new CreditNoteLocked({ message: "A sent credit note cannot be deleted.", details: { status, number } })
  }
  static change({ number, status }: Pick<CreditNote, "number" | "status">) {
    return new CreditNoteLocked({ message: "A sent credit note cannot be changed.", details: { status, number } })
  }
  static numbered(number: string) {
    return new CreditNoteLocked({
      message: `The credit note was to be sent as ${number}, and later numbers are in use: send it.`,
      details: { status: "draft", number }
    })
  }
}
