import { Books, type Expected } from "./Books.ts"
import { addDays, daysBetween } from "./Days.ts"
import { type Line, lineOf, sum, totalsOf } from "./Lines.ts"
import type { Customer, Expense, Invoice, Note, Payment, Quote, Record } from "./Records.ts"

export interface Terms {
  readonly customer: Customer | undefined
  readonly issue_date: string
  readonly last_day: string
  readonly lines: ReadonlyArray<Line>
}

interface Item {
  readonly target?: Record | undefined
  readonly run: () => Expected
}

const refused = (status: number, code: string): Expected => ({ status, code })
const invalid = refused(422, "validation_failed")
const usual_terms_days = 30
const default_rates = [21]

/** A rule about a record of the path, which has to be there. */
const on =
  <R extends Record, Args extends ReadonlyArray<unknown>>(rule: (record: R, ...args: Args) => Expected) =>
  (record: R | undefined, ...args: Args) =>
    isThere(record) ? rule(record, ...args) : refused(404, "not_found")
const isThere = <R extends Record>(record: R | undefined): record is R => record !== undefined && !record.deleted

const isInverted = ({ issue_date, last_day }: Partial<Terms>) =>
  issue_date !== undefined && last_day !== undefined && last_day < issue_date
const unreachable = ({ deleted, email }: Customer, named: boolean) => !named && (deleted || !email)
const blank = { id: 0, number: null, deleted: false }

/** The rules of the business as spec and contract tell them. */
export class Model extends Books {
  clone = () => Object.assign(new Model(this.today, this.allow_overpayment), structuredClone(this.facts()))

  createCustomer = (customer: Customer) => this.add(customer, "customer.created")
  renameCustomer = on((customer: Customer, name: string) => {
    customer.name = name
    this.tell("customer.updated", customer)
    return this.answer(customer)
  })

  createInvoice = (terms: Terms, quote: Quote | null = null) => {
    const { customer, ...rest } = terms
    if (!isThere(customer) || isInverted(terms) || totalsOf(terms.lines).total < 0) return invalid
    const invoice = { ...blank, ...rest, customer, quote, sent_method: null, announced: null }
    return this.add({ kind: "invoice", ...invoice }, "invoice.created")
  }
  createQuote = (terms: Terms) => {
    const { customer, ...rest } = terms
    if (!isThere(customer) || isInverted(terms) || totalsOf(terms.lines).total < 0) return invalid
    const quote = { ...blank, ...rest, customer, sent: false, invoice: null }
    return this.add({ kind: "quote", status: "draft", ...quote }, "quote.created")
  }
  private copied = ({ customer, issue_date, last_day, lines }: Invoice | Quote) => {
    const days = daysBetween(issue_date, last_day)
    return { customer, issue_date: this.today, last_day: addDays(this.today, days), lines }
  }
  duplicateInvoice = on((invoice: Invoice) => this.createInvoice(this.copied(invoice)))
  duplicateQuote = on((quote: Quote) => this.createQuote(this.copied(quote)))

  /** Whether a draft takes the changes; lines are priced for a customer who is there. */
  private change = (document: Invoice | Quote, changes: Partial<Terms>) => {
    const { customer, issue_date, last_day, lines } = { ...document, ...changes }
    if (last_day < issue_date || totalsOf(lines).total < 0 || customer === undefined) return false
    if (("customer" in changes || "lines" in changes) && customer.deleted) return false
    Object.assign(document, { customer, issue_date, last_day, lines })
    return true
  }
  updateInvoice = (invoice: Invoice | undefined, changes: Partial<Terms>) =>
    isInverted(changes) ? invalid : this.updateInvoiceThere(invoice, changes)
  private updateInvoiceThere = on((invoice: Invoice, changes: Partial<Terms>) => {
    const keys = Object.keys(changes)
    if (keys.length === 0) return this.answer(invoice)
    const movable = ["sent", "overdue", "partially_paid"].includes(this.statusOf(invoice)) && keys.join() === "last_day"
    if (invoice.number !== null && !movable) return refused(422, "invoice_locked")
    if (!this.change(invoice, changes)) return invalid
    this.unbill(invoice)
    this.tell("invoice.updated", invoice)
    return this.answer(invoice)
  })
  updateQuote = (quote: Quote | undefined, changes: Partial<Terms>) =>
    isInverted(changes) ? invalid : this.updateQuoteThere(quote, changes)
  private updateQuoteThere = on((quote: Quote, changes: Partial<Terms>) => {
    if (quote.status !== "draft" && quote.status !== "rejected") return refused(409, "quote_locked")
    if (!this.change(quote, changes)) return invalid
    if (quote.status === "rejected") Object.assign(quote, { status: "draft", sent: false })
    return this.answer(quote)
  })

  /** Why a record must be kept. */
  private kept = (record: Record) => {
    if (record.kind === "customer") return record.documented && refused(422, "customer_has_documents")
    if (record.kind === "invoice") return record.number !== null && refused(422, "invoice_locked")
    if (record.kind === "quote")
      return ["accepted", "converted"].includes(record.status) && refused(409, "quote_locked")
    if (record.kind === "note") return record.number !== null && refused(422, "credit_note_locked")
    if (record.kind === "payment") return record.refunds.length > 0 && refused(422, "payment_locked")
    return (record.paid || record.billed !== null) && refused(422, "expense_locked")
  }
  remove = on((record: Record) => {
    const refusal = this.kept(record)
    if (refusal !== false) return refusal
    record.deleted = true
    if (record.kind === "invoice") this.tell("invoice.deleted", record)
    if (record.kind === "invoice") this.unbill(record)
    return { status: 200, view: {} }
  })

  private bring = (invoice: Invoice, method: string) => {
    if (invoice.number === null && invoice.customer.deleted) return refused(422, "customer_deleted")
    const warnings = this.issue(invoice)
    if (invoice.sent_method === null) this.tell("invoice.sent", invoice)
    invoice.sent_method ??= method
    return this.answer(invoice, warnings)
  }
  markSent = on((invoice: Invoice) => {
    const settled = ["paid", "credited"].includes(this.statusOf(invoice))
    return settled ? refused(422, "invoice_locked") : this.bring(invoice, "manual")
  })
  sendInvoice = on((invoice: Invoice, named: boolean) =>
    unreachable(invoice.customer, named) ? refused(422, "no_recipient") : this.bring(invoice, "email")
  )
  sendQuote = on((quote: Quote, named: boolean) => {
    if (quote.status === "rejected") return refused(422, "quote_decided")
    if (unreachable(quote.customer, named)) return refused(422, "no_recipient")
    if (quote.status === "draft" && quote.customer.deleted) return refused(422, "customer_deleted")
    if (quote.status === "draft") this.issue(quote)
    if (quote.status === "draft") quote.status = "sent"
    quote.sent = true
    return this.answer(quote)
  })
  accept = on((quote: Quote) => {
    const status = this.quoteStatusOf(quote)
    if (status === "accepted") return this.answer(quote)
    if (status === "rejected" || status === "converted") return refused(422, "quote_decided")
    if (status === "draft" && quote.customer.deleted) return refused(422, "customer_deleted")
    this.issue(quote)
    quote.status = "accepted"
    this.tell("quote.accepted", quote)
    return this.answer(quote, status === "expired" ? { warnings: ["expired"] } : {})
  })
  reject = on((quote: Quote) => {
    if (quote.status === "rejected") return this.answer(quote)
    if (quote.status === "accepted" || quote.status === "converted") return refused(422, "quote_decided")
    quote.status = "rejected"
    this.tell("quote.rejected", quote)
    return this.answer(quote)
  })
  convert = on((quote: Quote) => {
    if (quote.status === "converted") return refused(422, "already_converted")
    if (quote.status === "rejected") return refused(422, "quote_decided")
    if (quote.status === "draft" && quote.customer.deleted) return refused(422, "customer_deleted")
    this.issue(quote)
    const made = this.createInvoice({ ...this.copied(quote), last_day: addDays(this.today, usual_terms_days) }, quote)
    quote.status = "converted"
    quote.invoice = this.of("invoice").at(-1) ?? null
    return made
  })

  private book = (invoice: Invoice, asked: number | undefined, date: string) => {
    const { net } = this.sums(invoice)
    const settled =
      net <= 0 && (asked === undefined || !this.allow_overpayment || this.statusOf(invoice) === "credited")
    if (invoice.number === null && invoice.customer.deleted) return refused(422, "customer_deleted")
    if (settled) return refused(422, "already_paid")
    const amount = asked ?? net
    if (amount > net && !this.allow_overpayment) return refused(422, "amount_exceeds_balance")
    const warnings = this.issue(invoice)
    const made = this.add(
      { id: 0, kind: "payment", invoice, amount, date, refunds: [], deleted: false },
      "payment.created"
    )
    if (net > 0) this.tell(amount < net ? "invoice.partially_paid" : "invoice.paid", invoice)
    return { ...made, warnings }
  }
  pay = (invoice: Invoice | undefined, amount: number, date: string): Expected =>
    isThere(invoice) ? this.book(invoice, amount, date) : invalid
  markPaid = on((invoice: Invoice, amount?: number) => {
    const booked = this.book(invoice, amount, this.today)
    return "warnings" in booked ? this.answer(invoice, booked.warnings) : booked
  })
  movePayment = on((payment: Payment, date: string) => {
    payment.date = date
    return this.answer(payment)
  })
  refund = on((payment: Payment, asked?: number) => {
    const rest = payment.amount - sum(payment.refunds)
    if (rest === 0 || (asked ?? rest) > rest) return refused(422, "amount_exceeds_refundable")
    payment.refunds.push(asked ?? rest)
    this.tell("payment.refunded", payment)
    return this.answer(payment)
  })

  credit = (invoice: Invoice | undefined, amount: number, full: boolean) => {
    if (!isThere(invoice)) return invalid
    if (invoice.number === null) return refused(422, "invoice_not_issued")
    const rest = totalsOf(invoice.lines).total - sum(this.notesOf(invoice).map((note) => note.amount))
    if (amount > rest) return refused(422, "exceeds_creditable_amount")
    if (full && amount < rest) return invalid
    const credit_type = amount === rest ? "full" : "partial"
    return this.add({ kind: "note", ...blank, invoice, amount, credit_type, refundable: 0 }, "credit_note.created")
  }
  sendNote = on((note: Note, named: boolean, resend: boolean) => {
    if (note.number !== null && !resend) return refused(409, "already_sent")
    if (unreachable(note.invoice.customer, named)) return refused(422, "no_recipient")
    if (note.number !== null) return this.answer(note)
    const before = this.statusOf(note.invoice)
    note.refundable = Math.max(0, note.amount - Math.max(0, this.sums(note.invoice).net))
    note.number = this.take("CN", this.today).number
    this.tell("credit_note.sent", note)
    if (before !== "paid" && this.statusOf(note.invoice) === "paid") this.tell("invoice.paid", note.invoice)
    return this.answer(note)
  })

  createExpense = (expense: Expense) => (expense.tax > expense.amount ? invalid : this.add(expense, "expense.created"))
  updateExpense = on((expense: Expense, amount: number) => {
    if (expense.tax > amount) return invalid
    expense.amount = amount
    return this.answer(expense)
  })
  duplicateExpense = on((expense: Expense) =>
    this.createExpense({ ...expense, id: 0, paid: false, billed: null, linked: null })
  )
  markBillable = on((expense: Expense) => {
    expense.billable = true
    return this.answer(expense)
  })
  payExpense = on((expense: Expense) => {
    if (expense.paid) return refused(422, "already_paid")
    expense.paid = true
    return this.answer(expense)
  })
  bill = on((expense: Expense, invoice: Invoice | undefined, markup: number) => {
    if (expense.billed !== null) return refused(422, "already_invoiced")
    if (!isThere(invoice)) return invalid
    if (invoice.number !== null) return refused(422, "invoice_locked")
    const line = lineOf(expense.amount - expense.tax, markup, default_rates)
    invoice.lines = [...invoice.lines, line]
    expense.billed = { invoice, line }
    this.tell("invoice.updated", invoice)
    return this.answer(expense)
  })
  link = on((expense: Expense, invoice: Invoice | undefined) => {
    if (!isThere(invoice)) return invalid
    expense.linked = invoice
    return this.answer(expense)
  })

  /** Each item as its own endpoint does it; all or nothing when atomic. Contract section 14. */
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

  /** The clock goes on, and the deadlines of the days are announced. */
  wait = (days: number) => {
    this.today = addDays(this.today, days)
    for (const invoice of this.of("invoice")) {
      if (invoice.deleted || this.statusOf(invoice) !== "overdue" || invoice.announced === invoice.last_day) continue
      invoice.announced = invoice.last_day
      this.tell("invoice.overdue", invoice)
    }
  }
}
