import { Books } from "./Books.ts"
import { addDays, daysBetween } from "./Days.ts"
import { type Line, totalsOf } from "./Lines.ts"
import type { Customer, Invoice, Quote, Record } from "./Records.ts"
import { invalid, isThere, isUnreachable, on, refused, unnumbered } from "./Rules.ts"

export interface Terms {
  readonly customer: Customer | undefined
  readonly issue_date: string
  readonly last_day: string
  readonly lines: ReadonlyArray<Line>
  readonly prepaid: number
}

const usual_terms_days = 30

const isInverted = ({ issue_date, last_day }: Partial<Terms>) =>
  issue_date !== undefined && last_day !== undefined && last_day < issue_date

/** True if the total of the lines is negative, or less than the prepaid amount. */
const isTooLittle = ({ lines, prepaid }: Pick<Terms, "lines" | "prepaid">) =>
  totalsOf(lines).total < 0 || prepaid > totalsOf(lines).total

/** True if the new date is in another year than the number of the document. */
const leavesYearOfNumber = ({ issue_date, number }: Invoice | Quote, changes: Partial<Terms>) =>
  number !== null && changes.issue_date !== undefined && changes.issue_date.slice(0, 4) !== issue_date.slice(0, 4)

/** Returns the given fields that differ from the document. New lines always differ, because only old lines have ids. */
const changesTo = (document: Terms, given: Partial<Terms>): Partial<Terms> => {
  const current = new Map<string, unknown>(Object.entries(document))
  return Object.fromEntries(Object.entries(given).filter(([term, value]) => current.get(term) !== value))
}

export class Documents extends Books {
  createCustomer = (customer: Customer) => this.add(customer, "customer.created")
  renameCustomer = on((customer: Customer, name: string) => {
    if (customer.name === name) return this.answer(customer)
    customer.name = name
    this.tell("customer.updated", customer)
    return this.answer(customer)
  })

  createInvoice = (terms: Terms, quote: Quote | null = null) => {
    const { customer, ...rest } = terms
    if (!isThere(customer) || isInverted(terms) || isTooLittle(terms)) return invalid
    const number = this.numbers_drafts ? this.take("INV", terms.issue_date) : null
    const state = { number, issued: false, void: false, sent_method: null, announced: null }
    const invoice = { ...unnumbered, ...rest, customer, quote, ...state }
    return this.add({ kind: "invoice", ...invoice }, "invoice.created")
  }
  createQuote = (terms: Terms) => {
    const { customer, ...rest } = terms
    if (!isThere(customer) || isInverted(terms) || isTooLittle(terms)) return invalid
    const quote = { ...unnumbered, ...rest, customer, sent: false, accepted: false, invoice: null }
    return this.add({ kind: "quote", status: "draft", ...quote }, "quote.created")
  }
  private copied = ({ customer, issue_date, last_day, lines }: Invoice | Quote) => {
    const days = daysBetween(issue_date, last_day)
    return { customer, issue_date: this.today, last_day: addDays(this.today, days), lines, prepaid: 0 }
  }
  duplicateInvoice = on((invoice: Invoice) => this.createInvoice(this.copied(invoice)))
  duplicateQuote = on((quote: Quote) => this.createQuote(this.copied(quote)))

  /**
   * Makes the changes in the document; returns false if it does not accept them. Lines can be priced only for a
   * customer who is not deleted.
   */
  private change = (document: Invoice | Quote, changes: Partial<Terms>) => {
    const { customer, issue_date, last_day, lines, prepaid } = { ...document, ...changes }
    if (last_day < issue_date || isTooLittle({ lines, prepaid }) || customer === undefined) return false
    if (("customer" in changes || "lines" in changes) && customer.deleted) return false
    Object.assign(document, { customer, issue_date, last_day, lines, prepaid })
    return true
  }
  updateInvoice = (invoice: Invoice | undefined, changes: Partial<Terms>) =>
    isInverted(changes) ? invalid : this.updateInvoiceThere(invoice, changes)
  private updateInvoiceThere = on((invoice: Invoice, given: Partial<Terms>) => {
    const changes = changesTo(invoice, given)
    const keys = Object.keys(changes)
    if (keys.length === 0) return this.answer(invoice)
    const status = this.statusOf(invoice)
    const movable = ["sent", "overdue", "partially_paid"].includes(status) && keys.join() === "last_day"
    if (status !== "draft" && !movable) return refused(422, "invoice_locked")
    if (leavesYearOfNumber(invoice, changes)) return invalid
    if (!this.change(invoice, changes)) return invalid
    this.tell("invoice.updated", invoice)
    this.releaseExpenses(invoice)
    return this.answer(invoice)
  })
  updateQuote = (quote: Quote | undefined, changes: Partial<Terms>) =>
    isInverted(changes) ? invalid : this.updateQuoteThere(quote, changes)
  private updateQuoteThere = on((quote: Quote, given: Partial<Terms>) => {
    const changes = changesTo(quote, given)
    if (quote.status !== "draft" && quote.status !== "rejected") return refused(409, "quote_locked")
    if (Object.keys(changes).length === 0) return this.answer(quote)
    if (leavesYearOfNumber(quote, changes)) return invalid
    // A rejected quote becomes a draft, which shows the customer as of today. A deleted customer cannot be shown so.
    const reopened = quote.status === "rejected" ? { customer: quote.customer, ...changes } : changes
    if (!this.change(quote, reopened)) return invalid
    if (quote.status === "rejected") Object.assign(quote, { status: "draft", sent: false })
    this.tell("quote.updated", quote)
    return this.answer(quote)
  })

  /**
   * True if an invoice with a number (issued, void or a numbered draft), or a quote that has a number or is no draft,
   * prevents the deletion of the customer. A deleted quote, and one that now names another customer, do not count.
   */
  private hasDocuments = (customer: Customer) =>
    this.of("invoice").some((invoice) => invoice.customer === customer && invoice.number !== null) ||
    this.of("quote").some(
      (quote) => quote.customer === customer && !quote.deleted && (quote.number !== null || quote.status !== "draft")
    )
  private kept = (record: Record) => {
    if (record.kind === "customer") return this.hasDocuments(record) && refused(422, "customer_has_documents")
    if (record.kind === "invoice") return (record.issued || record.void) && refused(422, "invoice_locked")
    if (record.kind === "quote")
      return ["accepted", "converted"].includes(record.status) && refused(409, "quote_locked")
    if (record.kind === "note") return record.number !== null && refused(422, "credit_note_locked")
    if (record.kind === "payment") return record.refunds.length > 0 && refused(422, "payment_locked")
    return (record.paid || record.billed !== null) && refused(422, "expense_locked")
  }
  /** The quote of a deleted invoice can be converted again. */
  private releaseQuote = ({ quote }: Invoice) => {
    if (quote?.status !== "converted") return
    quote.status = quote.accepted ? "accepted" : quote.sent ? "sent" : "draft"
    quote.invoice = null
    this.tell("quote.updated", quote)
  }
  remove = on((record: Record) => {
    const refusal = this.kept(record)
    if (refusal !== false) return refusal
    if (record.kind === "invoice" && record.number !== null) record.void = true
    else record.deleted = true
    this.tell(`${record.kind === "note" ? "credit_note" : record.kind}.deleted`, record)
    if (record.kind === "payment") this.tellNow("invoice.updated", record.invoice)
    if (record.kind === "invoice") this.releaseExpenses(record)
    if (record.kind === "invoice") this.releaseQuote(record)
    return { status: 200, view: {} }
  })

  private bring = (invoice: Invoice, method: string) => {
    if (!invoice.issued && invoice.customer.deleted) return refused(422, "customer_deleted")
    const isDraft = !invoice.issued
    const warnings = this.issue(invoice)
    // The invoice gets its number before the mail is sent. An event of its own shows the numbered invoice that is not
    // sent yet.
    // If the invoice was paid in advance, it is fully paid as soon as it is issued, which is published once the issue
    // cannot be undone anymore.
    const isPaid = isDraft && this.sums(invoice).net <= 0
    if (isDraft && method === "email") this.tellNow("invoice.updated", invoice)
    if (invoice.sent_method === null) this.tell("invoice.sent", invoice)
    if (isPaid) this.tell("invoice.paid", invoice)
    invoice.sent_method ??= method
    return this.answer(invoice, warnings)
  }
  markSent = on((invoice: Invoice) => {
    const settled = ["paid", "credited", "void"].includes(this.statusOf(invoice))
    return settled ? refused(422, "invoice_locked") : this.bring(invoice, "manual")
  })
  sendInvoice = on((invoice: Invoice, named: boolean) => {
    if (invoice.void) return refused(422, "invoice_locked")
    return isUnreachable(invoice.customer, named) ? refused(422, "no_recipient") : this.bring(invoice, "email")
  })
  sendQuote = on((quote: Quote, named: boolean) => {
    if (quote.status === "rejected" || quote.status === "converted") return refused(422, "quote_decided")
    if (isUnreachable(quote.customer, named)) return refused(422, "no_recipient")
    if (quote.status === "draft" && quote.customer.deleted) return refused(422, "customer_deleted")
    if (quote.status === "draft") {
      this.issue(quote)
      quote.status = "sent"
      this.tellNow("quote.updated", quote)
    }
    if (!quote.sent) this.tell("quote.sent", quote)
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
    const { prepaid } = quote
    const last_day = addDays(this.today, usual_terms_days)
    const made = this.createInvoice({ ...this.copied(quote), last_day, prepaid }, quote)
    quote.accepted = quote.status === "accepted"
    quote.status = "converted"
    quote.invoice = this.of("invoice").at(-1) ?? null
    this.tell("quote.updated", quote)
    return made
  })
}
