import type { Expected } from "./Books.ts"
import { addDays } from "./Days.ts"
import { Documents } from "./Documents.ts"
import { grossOf, isExhausted, takenOf } from "./CreditedLines.ts"
import { lineOf, sum, totalsOf } from "./Lines.ts"
import type { Expense, Invoice, Note, Payment, Record } from "./Records.ts"
import { invalid, isThere, isUnreachable, on, refused, unnumbered } from "./Rules.ts"

interface Item {
  readonly target?: Record | undefined
  readonly run: () => Expected
}

const default_rates = [21]

/** The rules of the specification and the contract about documents and about the money that is paid for them. */
export class Model extends Documents {
  clone = () =>
    Object.assign(
      new Model(this.today, this.allow_overpayment, this.numbers_drafts, this.exponent),
      structuredClone(this.facts())
    )

  private book = (invoice: Invoice, asked: number | undefined, date: string, onlyUnpaid: boolean) => {
    const { net } = this.sums(invoice)
    const takesMore =
      asked !== undefined && !onlyUnpaid && this.allow_overpayment && this.statusOf(invoice) !== "credited"
    const settled = net <= 0 && !takesMore
    if (invoice.void) return refused(422, "invoice_locked")
    if (!invoice.issued && invoice.customer.deleted) return refused(422, "customer_deleted")
    if (settled) return refused(422, "already_paid")
    const amount = asked ?? net
    if (amount > net && !this.allow_overpayment) return refused(422, "amount_exceeds_balance")
    const wasPaid = invoice.issued && net <= 0
    const warnings = this.issue(invoice)
    const made = this.add(
      { id: 0, kind: "payment", invoice, amount, date, refunds: [], first_refund: undefined, deleted: false },
      "payment.created"
    )
    this.tell(wasPaid ? "invoice.updated" : amount < net ? "invoice.partially_paid" : "invoice.paid", invoice)
    return { ...made, warnings }
  }
  pay = (invoice: Invoice | undefined, amount: number, date: string): Expected =>
    isThere(invoice) ? this.book(invoice, amount, date, false) : invalid
  markPaid = on((invoice: Invoice, amount?: number) => {
    const isWritable = !invoice.issued && !invoice.void && !invoice.customer.deleted
    if (isWritable && amount === undefined && this.sums(invoice).net <= 0) {
      const warnings = this.issue(invoice)
      this.tell("invoice.paid", invoice)
      return this.answer(invoice, warnings)
    }
    const booked = this.book(invoice, amount, this.today, true)
    return "warnings" in booked ? this.answer(invoice, booked.warnings) : booked
  })
  movePayment = on((payment: Payment, date: string) => {
    if (payment.date === date) return this.answer(payment)
    if (payment.first_refund !== undefined && date > payment.first_refund) return invalid
    this.tell("payment.updated", payment)
    payment.date = date
    return this.answer(payment)
  })
  refund = on((payment: Payment, asked?: number) => {
    const rest = payment.amount - sum(payment.refunds)
    if (rest === 0 || (asked ?? rest) > rest) return refused(422, "amount_exceeds_refundable")
    payment.refunds.push(asked ?? rest)
    const day = this.today < payment.date ? payment.date : this.today
    if (payment.first_refund === undefined || day < payment.first_refund) payment.first_refund = day
    this.tell("payment.refunded", payment)
    this.tell("invoice.updated", payment.invoice)
    return this.answer(payment)
  })

  credit = (invoice: Invoice | undefined, amount: number, full: boolean) => {
    if (!isThere(invoice)) return invalid
    if (!invoice.issued) return refused(422, "invoice_not_issued")
    const rest = totalsOf(invoice.lines).total - sum(this.notesOf(invoice).map((note) => note.amount))
    if (amount > rest) return refused(422, "exceeds_creditable_amount")
    if (full && amount < rest) return invalid
    return this.addNote(invoice, amount, rest, null)
  }
  private addNote = (invoice: Invoice, amount: number, rest: number, lines: Note["lines"]) => {
    const credit_type = amount === rest ? "full" : "partial"
    const note = { ...unnumbered, invoice, amount, lines, credit_type, refundable: 0 }
    return this.add({ kind: "note", ...note }, "credit_note.created")
  }
  /** The model knows the remaining quantity of a line only if all notes of the invoice credit quantities. */
  creditLine = (invoice: Invoice | undefined, place: number, quantity: number) => {
    if (!isThere(invoice)) return invalid
    if (!invoice.issued) return refused(422, "invoice_not_issued")
    const notes = this.notesOf(invoice)
    const earlier = notes.flatMap(({ lines }) => lines ?? [])
    const line = takenOf(invoice.lines, earlier, place, quantity, this.exponent)
    if (line === undefined || grossOf(line) <= 0) return invalid
    const rest = totalsOf(invoice.lines).total - sum(notes.map((note) => note.amount))
    const amount = grossOf(line)
    if (amount > rest) return refused(422, "exceeds_creditable_amount")
    if (amount === rest && !isExhausted(invoice.lines, [...earlier, line])) return invalid
    return this.addNote(invoice, amount, rest, [line])
  }
  sendNote = on((note: Note, named: boolean, resend: boolean) => {
    if (note.number !== null && !resend) return refused(409, "already_sent")
    if (isUnreachable(note.invoice.customer, named)) return refused(422, "no_recipient")
    if (note.number !== null) return this.answer(note)
    const before = this.statusOf(note.invoice)
    const number = this.take("CN", this.today)
    note.refundable = Math.max(0, note.amount - Math.max(0, this.sums(note.invoice).net))
    note.number = number
    this.tell("credit_note.sent", note)
    this.tell(
      before !== "paid" && this.statusOf(note.invoice) === "paid" ? "invoice.paid" : "invoice.updated",
      note.invoice
    )
    this.releaseExpenses(note.invoice)
    return this.answer(note)
  })

  createExpense = (expense: Expense) => (expense.tax > expense.amount ? invalid : this.add(expense, "expense.created"))
  updateExpense = on((expense: Expense, amount: number) => {
    const isSettled = expense.paid || expense.billed !== null
    if (isSettled && amount !== expense.amount) return refused(422, "expense_locked")
    if (expense.tax > amount) return invalid
    if (expense.amount !== amount) this.tell("expense.updated", expense)
    expense.amount = amount
    return this.answer(expense)
  })
  duplicateExpense = on((expense: Expense) =>
    this.createExpense({ ...expense, id: 0, paid: false, billed: null, linked: null })
  )
  markBillable = on((expense: Expense) => {
    if (!expense.billable) this.tell("expense.updated", expense)
    expense.billable = true
    return this.answer(expense)
  })
  payExpense = on((expense: Expense) => {
    if (expense.paid) return refused(422, "already_paid")
    expense.paid = true
    this.tell("expense.updated", expense)
    return this.answer(expense)
  })
  bill = on((expense: Expense, invoice: Invoice | undefined, markup: number) => {
    if (expense.billed !== null) return refused(422, "already_invoiced")
    if (!isThere(invoice)) return invalid
    if (invoice.issued || invoice.void) return refused(422, "invoice_locked")
    const line = lineOf(expense.amount - expense.tax, markup, default_rates)
    invoice.lines = [...invoice.lines, line]
    expense.billed = { invoice, line }
    this.tell("invoice.updated", invoice)
    this.tell("expense.updated", expense)
    return this.answer(expense)
  })
  link = on((expense: Expense, invoice: Invoice | undefined) => {
    if (!isThere(invoice)) return invalid
    if (invoice.void) return refused(422, "invoice_locked")
    if (expense.linked !== invoice) this.tell("expense.updated", expense)
    expense.linked = invoice
    return this.answer(expense)
  })

  /** Runs each item like a request; an atomic batch succeeds as a whole or not at all (rules/batches.md, Items). */
  batch = (status: number, atomic: boolean, items: ReadonlyArray<Item>): Expected => {
    const [events, series] = [[...this.events], { ...this.series }]
    const before = this.records.map((record) => [record, { ...record }] as const)
    const seen = new Set<Record | undefined>()
    const ran = items.map((item) => {
      if ("target" in item && seen.has(item.target)) return { status: 208 }
      seen.add(item.target)
      const expected = item.run()
      return expected.status < 300 ? { ...expected, status } : expected
    })
    const undone = atomic && ran.some((result) => result.status >= 400)
    if (undone) {
      for (const [record, was] of before) Object.assign(record, was)
      Object.assign(this, { records: before.map(([record]) => record), events, series })
    }
    const results = ran.map((result) => (undone && result.status === status ? refused(424, "rolled_back") : result))
    if (results.some((result) => result.status === status)) return { status, results }
    return { ...refused(422, "batch_failed"), results }
  }

  /** Moves the clock forward, and announces the deadlines that pass. */
  wait = (days: number) => {
    this.today = addDays(this.today, days)
    for (const invoice of this.of("invoice")) {
      if (invoice.deleted || this.statusOf(invoice) !== "overdue" || invoice.announced === invoice.last_day) continue
      invoice.announced = invoice.last_day
      this.tell("invoice.overdue", invoice)
    }
  }
}
