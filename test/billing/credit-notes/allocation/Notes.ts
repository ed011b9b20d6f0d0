import { BigDecimal, Effect, Result } from "effect"
import type { Allocation } from "../../../../src/billing/credit-notes/Allocation.ts"
import { creditByAmount } from "../../../../src/billing/credit-notes/allocation/CreditByAmount.ts"
import { creditByLines } from "../../../../src/billing/credit-notes/allocation/CreditByLines.ts"
import type { CreditedInvoice } from "../../../../src/billing/credit-notes/Remaining.ts"
import type { CreditedItem } from "../../../../src/billing/credit-notes/CreditNoteItem.ts"
import { zero } from "../../../../src/kernel/Money.ts"
import { decimal, sum } from "./RandomInvoices.ts"

/** Credit notes of one invoice; a test can delete them again. */
export class Notes {
  readonly invoice: CreditedInvoice
  notes: ReadonlyArray<Allocation> = []
  constructor(invoice: CreditedInvoice) {
    this.invoice = invoice
  }

  credited = () => {
    const [first, ...others] = this.notes.map(({ shares }) => shares)
    return others.reduce(
      (sums, shares) => sums.map((share, index) => BigDecimal.sum(share, shares[index] ?? zero)),
      first ?? []
    )
  }
  left = () => BigDecimal.subtract(this.invoice.total, sum(this.notes.map(({ total }) => total)))
  amount = (amount: BigDecimal.BigDecimal) => {
    const note = creditByAmount(this.invoice, this.credited(), amount, "Returned")
    this.notes = [...this.notes, note]
    return note
  }
  lines = (items: ReadonlyArray<CreditedItem>) => {
    const result = Effect.runSync(Effect.result(creditByLines(this.invoice, this.credited(), items)))
    if (Result.isSuccess(result)) this.notes = [...this.notes, result.success]
    return result
  }
  made = (items: ReadonlyArray<CreditedItem>) => Result.getOrThrow(this.lines(items))
  refused = (items: ReadonlyArray<CreditedItem>) => {
    const refusal = Result.getOrThrow(Result.flip(this.lines(items)))
    return "errors" in refusal ? refusal.errors : BigDecimal.format(refusal.details.remaining)
  }
  quantity = (line: number, quantity: string): CreditedItem => ({
    invoice_item_id: this.idOf(line),
    quantity: decimal(quantity)
  })
  gross = (line: number, amount: string): CreditedItem => ({
    invoice_item_id: this.idOf(line),
    amount: decimal(amount)
  })
  private idOf = (line: number) => {
    const id = this.invoice.items[line]?.id
    if (id === undefined) throw new Error(`The invoice has no line ${line}.`)
    return id
  }
}
