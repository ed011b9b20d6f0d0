import { sum, totalsOf } from "./Lines.ts"
import type { Invoice, Kind, Quote, Record, RecordOf } from "./Records.ts"
import { viewOf } from "./View.ts"

/** The expected answer: a status, and either the code of the refusal or the content of the record. */
export interface Expected {
  readonly status: number
  readonly code?: string
  readonly view?: object
  /** The record whose id the answer contains. */
  readonly made?: Record
  readonly results?: ReadonlyArray<Expected>
}

interface Event {
  readonly type: string
  readonly record: Record
  /**
   * The record as the event shows it. Null until the operation is over, unless the event shows an intermediate state.
   */
  view: object | null
}

/** The records of one organization in one currency, and values derived from them, in the currency's smallest unit. */
export class Books {
  records: Array<Record> = []
  /** Events that must be published for the last command. */
  events: Array<Event> = []
  series: { [name: string]: { readonly taken: number; readonly latest: string | null } } = {}
  today: string
  readonly allow_overpayment: boolean
  /** True if invoices get their number as drafts. */
  readonly numbers_drafts: boolean
  /** The number of decimals of the currency. */
  readonly exponent: number

  constructor(today: string, allow_overpayment: boolean, numbers_drafts: boolean, exponent: number) {
    this.today = today
    this.allow_overpayment = allow_overpayment
    this.numbers_drafts = numbers_drafts
    this.exponent = exponent
  }

  /** Returns everything that commands change, so that it can be copied. */
  facts = () => ({ records: this.records, events: this.events, series: this.series, today: this.today })

  of = <K extends Kind>(kind: K) => this.records.filter((record): record is RecordOf<K> => record.kind === kind)
  paymentsOf = (invoice: Invoice) => this.of("payment").filter((one) => one.invoice === invoice && !one.deleted)
  notesOf = (invoice: Invoice) => this.of("note").filter((one) => one.invoice === invoice && !one.deleted)

  sums = (invoice: Invoice) => {
    const { total } = totalsOf(invoice.lines)
    const paid = invoice.prepaid + sum(this.paymentsOf(invoice).map(({ amount }) => amount))
    const refunded = sum(this.paymentsOf(invoice).flatMap(({ refunds }) => refunds))
    const credited = sum(this.notesOf(invoice).map(({ amount, number }) => (number === null ? 0 : amount)))
    return { total, paid, refunded, credited, net: total - credited - (paid - refunded) }
  }

  /** Returns the status of an invoice: the first state that applies (rules/invoices.md, States). */
  statusOf = (invoice: Invoice) => {
    const { credited, net, paid, refunded, total } = this.sums(invoice)
    if (invoice.void) return "void"
    if (!invoice.issued) return "draft"
    if (credited > 0 && credited === total) return "credited"
    if (net <= 0) return "paid"
    if (invoice.last_day < this.today) return "overdue"
    return paid > refunded || credited > 0 ? "partially_paid" : "sent"
  }

  quoteStatusOf = ({ last_day, status }: Quote) => (status === "sent" && last_day < this.today ? "expired" : status)

  answer = (record: Record, further: object = {}): Expected => ({
    status: 200,
    view: { ...viewOf(this, record), ...further }
  })

  tell = (type: string, record: Record) => void this.events.push({ type, record, view: null })

  /** Adds an event that shows the record as it is now, because the same operation changes the record again later. */
  tellNow = (type: string, record: Record) => void this.events.push({ type, record, view: viewOf(this, record) })

  /** Fills in the events with the records as they are after the whole operation. */
  showEvents = (from: number) => {
    for (const event of this.events.slice(from)) event.view ??= viewOf(this, event.record)
  }

  add = (record: Record, event: string): Expected => {
    this.records.push(record)
    this.tell(event, record)
    return { ...this.answer(record), status: 201, made: record }
  }

  private seriesOf = (prefix: string, day: string) => {
    const name = `${prefix}-${day.slice(0, 4)}`
    return { name, ...(this.series[name] ?? { taken: 0, latest: null }) }
  }

  take = (prefix: string, day: string) => {
    const { latest, name, taken } = this.seriesOf(prefix, day)
    this.series[name] = { taken: taken + 1, latest }
    return `${name}-${String(taken + 1).padStart(4, "0")}`
  }

  /** Records the date of an issued document; warns if its series already has a document with a later date. */
  private date = (prefix: string, day: string) => {
    const { latest, name, taken } = this.seriesOf(prefix, day)
    this.series[name] = { taken, latest: latest === null || day > latest ? day : latest }
    return { warnings: latest !== null && day < latest ? ["non_chronological"] : [] }
  }

  /** Issues a draft: it gets a number if it has none. */
  issue = (document: Invoice | Quote) => {
    if (document.kind === "quote") {
      document.number ??= this.take("QUO", document.issue_date)
      return {}
    }
    if (document.issued) return {}
    document.number ??= this.take("INV", document.issue_date)
    document.issued = true
    return this.date("INV", document.issue_date)
  }

  /**
   * Ends the billing of each expense whose line the invoice no longer has, or whose invoice is wholly credited. A deleted
   * or void invoice also loses the expenses that are linked to it.
   */
  releaseExpenses = (invoice: Invoice) => {
    const gone = invoice.deleted || invoice.void
    const isCredited = this.statusOf(invoice) === "credited"
    for (const expense of this.of("expense")) {
      const { billed, linked } = expense
      if (gone && linked === invoice) expense.linked = null
      const isEnded = gone || isCredited || !(billed === null || invoice.lines.includes(billed.line))
      if (billed?.invoice === invoice && isEnded) expense.billed = null
      const isReleased = expense.billed !== billed || expense.linked !== linked
      if (isReleased && !expense.deleted) this.tell("expense.updated", expense)
    }
  }
}
