import { randomBytes } from "node:crypto"
import type { Random } from "../support/Random.ts"
import { receiptFrom } from "../bench/ocr/receipts/Receipts.ts"
import { magic } from "../../test/support/counterparts/Network.ts"
import type { Client } from "./Client.ts"
import type { Connections } from "./Connections.ts"
import { type Answered, sha256Of } from "./audits/Ledger.ts"

const issue_date = "2026-03-01"
const file_bytes_max = 200_000
/** Maximum number of bank lines to read. Clients import fewer in a round, and the newest come first. */
const lines_max = 100
/** Test recipients on the network, each with another outcome. Every submission to them ends soon. */
const recipients = [magic.accepted, magic.rejected, magic.undeliverable, magic.unavailable_at_first]
/** A Swiss receipt with two tax rates, made once before the clients start. */
const textPdf = await receiptFrom(1005, "supermarket", "text_pdf")

/** Typical work of an organization's clients. Stories share no records. */
export class Stories {
  readonly #client: Client
  readonly #random: Random
  readonly #name: string
  readonly #connections: Connections | undefined
  #marks = 0

  constructor(client: Client, random: Random, name: string, connections: Connections | undefined) {
    this.#client = client
    this.#random = random
    this.#name = name
    this.#connections = connections
  }

  /** Runs all stories in random order, again and again until `goesOn` returns false, and finishes the last one. */
  async tell(goesOn: () => boolean) {
    const contact = { email: `${this.#name}@example.com`, country: "BE", tax_number: "BE0123456749" }
    const customer = await this.#created("/customers", "name", contact)
    const connections = this.#connections
    // A round is short, so a connected organization has only the stories of its bank account, its network and its
    // archive.
    const stories =
      connections === undefined
        ? [
            () => this.#sold(customer),
            () => this.#credited(customer),
            () => this.#quoted(customer),
            () => this.#attached(customer),
            () => this.#spent(customer),
            () => this.#uploaded(),
            () => this.#batch(customer)
          ]
        : [
            () => this.#banked(customer, connections),
            () => this.#submitted(customer, connections),
            () => this.#exported(customer)
          ]
    while (goesOn()) {
      for (const story of this.#random.sample(stories, stories.length)) if (goesOn()) await story()
    }
  }

  #mark() {
    return `${this.#name}-${++this.#marks}`
  }

  /** Creates a record in the list. The text in `field` is unique, so that the record can be found. */
  async #created(list: string, field: string, body: object): Promise<Answered> {
    const mark = this.#mark()
    const creation = this.#client.ledger.tries(list, mark)
    const record = await this.#client.post(list, { ...body, [field]: mark })
    creation.acknowledged = true
    this.#client.ledger.record(`${list}/${record.id}`, record)
    return record
  }

  async #did(path: string, action: string, body: object = {}, status = 200): Promise<Answered> {
    const record = await this.#client.post(`${path}/${action}`, body, status)
    this.#client.ledger.record(path, record)
    return record
  }

  async #sent(path: string): Promise<Answered> {
    const address = `${this.#mark()}@example.com`
    const { deliveries: _, ...record } = await this.#client.send(path, address)
    this.#client.ledger.record(path, record)
    this.#client.ledger.delivered.push(address)
    return record
  }

  #draft({ id }: Answered) {
    return this.#created("/invoices", "notes", { ...document(id, this.#random), due_date: "2999-03-31" })
  }

  async #issued(customer: Answered) {
    const { id } = await this.#draft(customer)
    const path = `/invoices/${id}`
    return this.#random.chance(0.5) ? this.#sent(path) : this.#did(path, "mark-sent")
  }

  async #sold(customer: Answered) {
    const invoice = await this.#issued(customer)
    const amount = this.#random.chance(0.5) ? invoice.balance_due : 1
    const body = { invoice_id: invoice.id, amount, payment_date: "2026-03-05", payment_method: "bank_transfer" }
    const payment = await this.#created("/payments", "reference", body)
    if (this.#random.chance(0.6)) await this.#did(`/payments/${payment.id}`, "refund", { amount: 0.5 })
  }

  async #credited(customer: Answered) {
    const invoice = await this.#issued(customer)
    const note = await this.#created("/credit-notes", "reason", { invoice_id: invoice.id, amount: 1 })
    if (this.#random.chance(0.7)) await this.#sent(`/credit-notes/${note.id}`)
  }

  async #quoted({ id }: Answered) {
    const body = { ...document(id, this.#random), valid_until: "2999-03-31" }
    const quote = await this.#created("/quotes", "notes", body)
    const path = `/quotes/${quote.id}`
    await this.#sent(path)
    if (this.#random.chance(0.3)) return this.#did(path, "mark-rejected")
    await this.#did(path, "mark-accepted")
    // The invoice copies the notes of the quote, which contain the unique text of the quote.
    const creation = this.#client.ledger.tries("/invoices", quote.notes)
    const invoice = await this.#client.post(`${path}/convert-to-invoice`, {})
    creation.acknowledged = true
    this.#client.ledger.record(`/invoices/${invoice.id}`, invoice)
  }

  async #attached(customer: Answered) {
    const path = `/invoices/${(await this.#draft(customer)).id}/attachments`
    const mark = this.#mark()
    const bytes = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(this.#random.whole(1, file_bytes_max))])
    const creation = this.#client.ledger.tries(path, mark)
    const { id } = await this.#client.post(path, formOf("file", bytes, `${mark}.pdf`, { description: mark }))
    creation.acknowledged = true
    this.#client.ledger.writes++
    this.#client.ledger.file(`${path}/${id}/download`, bytes)
  }

  async #spent(customer: Answered) {
    const body = { expense_date: issue_date, category: "meals", amount: 12.1, currency: "EUR" }
    const expense = await this.#created("/expenses", "description", body)
    const path = `/expenses/${expense.id}`
    if (this.#random.chance(0.4)) return this.#did(path, "mark-paid")
    await this.#did(path, "mark-billable")
    await this.#did(path, "convert-to-invoice-item", { invoice_id: (await this.#draft(customer)).id })
  }

  async #uploaded() {
    // A comment with a unique text after the end of the PDF makes each file different.
    const own = Buffer.concat([textPdf.bytes, Buffer.from(`\n% ${this.#mark()}\n`)])
    const form = formOf("receipt", own, "receipt.pdf")
    const { receipt_ref } = await this.#client.post("/expenses/upload-receipt", form, 202)
    this.#client.ledger.writes++
    this.#client.ledger.receipts.set(receipt_ref, sha256Of(own))
  }

  /** Imports a bank line, matches the line with an invoice, and sometimes unmatches it. */
  async #banked(customer: Answered, { bank_account_id }: Connections) {
    const client = this.#client
    const invoice = await this.#issued(customer)
    const text = `${invoice.number} ${this.#mark()}`
    const table = `Date;Amount;Name;Description\n${issue_date};${invoice.balance_due};${customer.name};${text}`
    const creation = client.ledger.tries("/bank-transactions", text)
    const form = formOf("file", Buffer.from(table), "statement.csv")
    await client.post(`/bank-accounts/${bank_account_id}/import-statement`, form)
    creation.acknowledged = true
    client.ledger.writes++
    const { data } = await client.get(`/bank-transactions?per_page=${lines_max}`)
    const { id } = data.find((line: Answered) => line.remittance_text === text)
    const path = `/bank-transactions/${id}`
    if (this.#random.chance(0.5)) await client.post("/bank-transactions/bulk-confirm", { transaction_ids: [id] }, 200)
    // The confirmation of a suggestion, or an attempt without an answer, may have matched the line already.
    await client.post(`${path}/match`, { invoice_id: invoice.id }, 200, ["already_matched"])
    const matched = (await client.get(path)).data
    client.ledger.record(path, matched)
    if (matched.status !== "matched") client.ledger.found(`${path} is not matched: ${JSON.stringify(matched)}`)
    if (this.#random.chance(0.5)) return
    client.ledger.records.delete(path)
    await client.post(`${path}/unmatch`, {}, 200, ["not_matched"])
    const apart = (await client.get(path)).data
    if (apart.matched_amount !== 0) client.ledger.found(`${path} is still matched: ${JSON.stringify(apart)}`)
  }

  async #submitted(customer: Answered, { organization_id }: Connections) {
    const invoice = await this.#issued(customer)
    const list = "/einvoicing/invoices"
    const creation = this.#client.ledger.tries(list, invoice.number)
    const body = {
      organization_id,
      invoice_id: invoice.id,
      recipient_identifier_scheme: "0088",
      recipient_identifier_value: this.#random.pick(recipients),
      recipient_name: customer.name,
      recipient_country_code: "BE"
    }
    await this.#client.post(list, body, 201, ["already_submitted"])
    creation.acknowledged = true
    this.#client.ledger.writes++
  }

  /** Issues an invoice, and requests an export of the archive, unless another export is in progress. */
  async #exported(customer: Answered) {
    await this.#issued(customer)
    const order = await this.#client.post("/archive/exports", {}, 202, ["export_in_progress"])
    if (order === undefined) return
    this.#client.ledger.writes++
    this.#client.ledger.exports.push(order.id)
  }

  async #batch({ id }: Answered) {
    const creations = [1, 2, 3].map(() => this.#client.ledger.tries("/invoices", this.#mark()))
    const invoices = creations.map(({ mark }) => ({
      ...document(id, this.#random),
      due_date: "2999-03-31",
      notes: mark
    }))
    const { results } = await this.#client.post("/batch/invoices/create", { invoices })
    for (const [index, creation] of creations.entries()) {
      const { data, status } = results[index]
      if (status !== "succeeded") return this.#client.ledger.found(`batch: ${JSON.stringify(results[index])}`)
      creation.acknowledged = true
      this.#client.ledger.record(`/invoices/${data.id}`, data)
    }
  }
}

const document = (customer_id: number, random: Random) => ({
  customer_id,
  issue_date,
  currency: "EUR",
  items: [{ description: "Consulting", quantity: random.whole(1, 9), unit_price: random.whole(100, 99_999) / 100 }]
})

const formOf = (part: string, bytes: Uint8Array, name: string, fields: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [field, text] of Object.entries(fields)) form.set(field, text)
  form.set(part, new Blob([Uint8Array.from(bytes)]), name)
  return form
}
