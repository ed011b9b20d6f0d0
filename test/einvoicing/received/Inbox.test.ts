import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { crossIndustryInvoice, ublInvoice } from "../../expenses/receipts/extraction/embedded/EmbeddedInvoices.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { line, race, statuses } from "../../support/Billing.ts"
import { digestOf, sha256 } from "../../support/files/Digest.ts"
import { enterpriseNumber } from "../../support/counterparts/Network.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { arrivalOf, collecting } from "./Arriving.ts"
import { fatturaPa } from "./Fatture.ts"

const { app, open } = useEinvoicing()

const services = Inbox.layer.pipe(Layer.provide(ConnectedProviders))
const collect = () => app.run(Inbox.use((inbox) => inbox.collect).pipe(Effect.provide(services)))

/** Two organizations of the installation: what the first sends arrives in the inbox of the second. */
const traders = async () => {
  const [supplier, buyer] = [await open({ rates: [21, 6] }), await open()]
  await supplier.register()
  const identifier_value = enterpriseNumber()
  await buyer.register({ identifier_value })
  const toBuyer = { recipient_identifier_scheme: "0208", recipient_identifier_value: identifier_value }
  const deliver = async (document: { id: number }, given: object = {}) => {
    const { id } = await supplier.submitted(document, { ...toBuyer, ...given })
    const sent = await supplier.carried(id)
    await collect()
    const [received] = await buyer.made("GET", "/einvoicing/received")
    return { sent, received }
  }
  return { supplier, buyer, deliver }
}

/** Lets a document with any content arrive twice for an organization. */
const arrive = async (books: { id: number }, content: string | Uint8Array) => {
  const arrival = arrivalOf(books, content)
  await app.run(collecting([arrival, arrival]))
}

describe("a document that arrives", () => {
  it("is kept byte for byte, read exactly, listed once and announced by an event", async () => {
    const { buyer, deliver, supplier } = await traders()
    const [standard, reduced] = supplier.tax_rate_ids
    const items = [
      line(19.99, { quantity: 3, discount: 10, description: "Paper", tax_rate_ids: [standard] }),
      line(100, { description: "Books", tax_rate_ids: [reduced] })
    ]
    const invoice = await supplier.issued({ items, due_date: "2026-12-31" })
    const { received, sent } = await deliver(invoice)
    expect(sent).toMatchObject({ status: "delivered", network_status: "AB" })
    expect(received).toMatchObject({
      status: "received",
      environment: "sandbox",
      document_type: "invoice",
      syntax: "ubl",
      number: sent.number,
      issue_date: "2026-03-01",
      due_date: "2026-12-31",
      currency: "EUR",
      total: invoice.total,
      tax_total: invoice.tax_total,
      description: "Paper; Books",
      supplier: { tax_number: "BE0202239951", country: "BE", iban: "BE71096123456769", identifier_scheme: "0208" },
      problem: null,
      expense_id: null,
      sha256: sent.xml_sha256
    })
    await collect()
    expect((await buyer.call("GET", "/einvoicing/received")).body.meta.total).toBe(1)
    expect((await buyer.call("GET", "/einvoicing/received?status=accepted")).body.data).toEqual([])
    expect(await buyer.made("GET", `/einvoicing/received/${received.id}`)).toEqual(received)
    const { headers, text } = await buyer.call("GET", `/einvoicing/received/${received.id}/document`)
    expect([sha256(text), headers.get("content-type")]).toEqual([sent.xml_sha256, "application/xml"])
    const kept = (await buyer.call("GET", "/archive/documents?direction=inbound")).body.data
    expect(kept.map(({ object_kind }: { object_kind: string }) => object_kind).toSorted()).toEqual([
      "received_document_json",
      "ubl_xml"
    ])
    const events = (await buyer.call("GET", "/events?per_page=100")).body.data
    const told = events.filter(({ type }: { type: string }) => type === "einvoice.received")
    expect(told).toMatchObject([{ livemode: false, data: { id: received.id, attributes: { number: sent.number } } }])
    await app.run(verifiedAuditLog(buyer.id))
  })

  it("becomes an expense to the cent from a FatturaPA", async () => {
    const buyer = await open()
    await arrive(buyer, fatturaPa())
    const [received] = await buyer.made("GET", "/einvoicing/received")
    expect(received).toMatchObject({ syntax: "fatturapa", number: "FT/7", total: 129.33, problem: null })
    const { id: expense_id } = await buyer.made("POST", `/einvoicing/received/${received.id}/create-expense`, {})
    expect(await buyer.made("GET", `/expenses/${expense_id}`)).toMatchObject({
      amount: 129.33,
      tax_amount: 14.23,
      tax_rates: [
        { rate: 22, taxable_amount: 55.53, tax_amount: 12.22 },
        { rate: 10, taxable_amount: 20.06, tax_amount: 2.01 },
        { rate: 0, taxable_amount: 39.51, tax_amount: 0 }
      ],
      vendor: "Torrefazione Àlfa S.r.l.",
      expense_date: "2026-02-01",
      notes: "Due: 2026-03-31\nIBAN: IT60X0542811101000000123456\nSupplier's tax number: IT00743110157"
    })
  })

  it("becomes an expense to the cent, once", async () => {
    const { buyer, deliver, supplier } = await traders()
    const [standard, reduced] = supplier.tax_rate_ids
    const items = [line(33.33, { tax_rate_ids: [standard] }), line(0.07, { quantity: 3, tax_rate_ids: [reduced] })]
    const invoice = await supplier.issued({ items })
    const { received } = await deliver(invoice)
    const path = `/einvoicing/received/${received.id}/create-expense`
    expect((await buyer.call("POST", path, { description: " " })).body.errors).toHaveProperty("description")
    expect((await buyer.call("POST", path, { vat_deductible_percentage: 101 })).body.errors).toHaveProperty(
      "vat_deductible_percentage"
    )
    const choice = { category: "office", is_vat_deductible: true, vat_deductible_percentage: 50 }
    const answers = await race(4, () => buyer.call("POST", path, choice))
    expect(statuses(answers)).toEqual({ 201: 1, 422: 3 })
    expect(answers.find(({ status }) => status === 422)?.body.code).toBe("already_expensed")
    const { expense_id, updated_at: booked_at } = await buyer.made("GET", `/einvoicing/received/${received.id}`)
    expect(answers.find(({ status }) => status === 201)?.body.data.id).toBe(expense_id)
    expect(await buyer.made("GET", `/expenses/${expense_id}`)).toMatchObject({
      amount: invoice.total,
      tax_amount: invoice.tax_total,
      tax_rates: [
        { rate: 21, taxable_amount: 33.33, tax_amount: 7 },
        { rate: 6, taxable_amount: 0.21, tax_amount: 0.01 }
      ],
      currency: "EUR",
      expense_date: "2026-03-01",
      category: "office",
      vendor: received.supplier.name,
      country: "BE",
      reference: invoice.number,
      is_vat_deductible: true,
      vat_deductible_percentage: 50,
      deductible_tax_amount: 3.51,
      notes: "Due: 2999-03-31\nIBAN: BE71096123456769\nSupplier's tax number: BE0202239951"
    })
    expect((await buyer.call("GET", "/expenses")).body.meta.total).toBe(1)
    // A mistaken expense can be deleted, and the document booked again.
    expect((await buyer.call("DELETE", `/expenses/${expense_id}`)).status).toBe(200)
    const { expense_id: none, updated_at } = await buyer.made("GET", `/einvoicing/received/${received.id}`)
    expect([none, updated_at > booked_at]).toEqual([null, true])
    expect(await buyer.made("GET", "/events?types=received_document.updated")).toHaveLength(2)
    const again = await buyer.made("POST", path, { category: "rent" })
    expect(again.id).toBeGreaterThan(expense_id)
    expect((await buyer.made("GET", "/einvoicing/received"))[0].expense_id).toBe(again.id)
    expect((await buyer.call("POST", path)).body.code).toBe("already_expensed")
  })

  it.each([
    ["accept", undefined, "accepted", "accepted", "AP"],
    ["refuse", { reason: "Never ordered" }, "refused", "rejected", "RE"]
  ] as const)("is answered by %s, which reaches the sender's document once", async (verb, body, status, end, code) => {
    const { buyer, deliver, supplier } = await traders()
    const { received, sent } = await deliver(await supplier.draft())
    const path = `/einvoicing/received/${received.id}`
    const { 200: told = 0, 409: late = 0 } = statuses(await race(3, () => buyer.call("POST", `${path}/${verb}`, body)))
    expect([told > 0, told + late]).toEqual([true, 3])
    const again = await buyer.made("POST", `${path}/${verb}`, body)
    expect(again).toMatchObject({ status, refusal_reason: body?.reason ?? null })
    const other = verb === "accept" ? "refuse" : "accept"
    const second = await buyer.call("POST", `${path}/${other}`, other === "refuse" ? { reason: "Late" } : undefined)
    expect([second.status, second.body.code]).toEqual([422, "already_answered"])
    await supplier.follow(sent.id)
    await supplier.follow(sent.id)
    const after = (await supplier.at(sent.id)).body.data
    expect([after.status, after.network_status, after.reason]).toEqual([end, code, body?.reason ?? null])
    const { history } = (await supplier.at(sent.id, "/status")).body.data
    expect(history.filter((entry: { code: string }) => entry.code === code)).toHaveLength(1)
  })

  it("is another organization's business", async () => {
    const { buyer, deliver, supplier } = await traders()
    const { received } = await deliver(await supplier.draft())
    const before = await app.run(digestOf(buyer.id))
    const path = `/einvoicing/received/${received.id}`
    for (const [method, rest, body] of [
      ["GET", "", undefined],
      ["GET", "/document", undefined],
      ["POST", "/create-expense", undefined],
      ["POST", "/accept", undefined],
      ["POST", "/refuse", { reason: "No" }]
    ] as const) {
      expect([rest, (await supplier.call(method, `${path}${rest}`, body)).status]).toEqual([rest, 404])
    }
    expect((await supplier.call("GET", "/einvoicing/received")).body.data).toEqual([])
    expect(await app.run(digestOf(buyer.id))).toEqual(before)
  })

  it("may be a credit note, whose amounts are positive", async () => {
    const { deliver, supplier } = await traders()
    const { id: invoice_id } = await supplier.issued()
    const note = await supplier.made("POST", "/credit-notes", { invoice_id, amount: 24.2, reason: "Damaged" })
    const { received } = await deliver(note, { invoice_id: undefined, credit_note_id: note.id })
    expect(received).toMatchObject({ document_type: "credit_note", total: 24.2, tax_total: 4.2, problem: null })
  })
})

describe("a document of another program", () => {
  it.each([
    ["ubl", ublInvoice],
    ["cii", crossIndustryInvoice]
  ] as const)("in %s becomes an expense", async (syntax, written) => {
    const books = await open()
    await arrive(books, written())
    const [received] = await books.made("GET", "/einvoicing/received")
    expect(received).toMatchObject({ syntax, number: "000123", total: 118.4, problem: null, sha256: sha256(written()) })
    const { id: expense_id } = await books.made("POST", `/einvoicing/received/${received.id}/create-expense`)
    expect(await books.made("GET", `/expenses/${expense_id}`)).toMatchObject({ amount: 118.4, tax_amount: 20.55 })
  })

  const packaging =
    '<cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">-10.00</cbc:TaxableAmount>' +
    '<cbc:TaxAmount currencyID="EUR">0.00</cbc:TaxAmount>' +
    "<cac:TaxCategory><cbc:Percent>0</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal>"
  it.each([
    [
      "with returned packaging",
      ublInvoice().replace(">97.85<", ">107.85<").replace("</cac:TaxTotal>", `${packaging}</cac:TaxTotal>`),
      { amount: 118.4, tax_amount: 20.55 },
      [107.85, -10]
    ],
    [
      "that takes an invoice back by negative amounts",
      ublInvoice().replaceAll(/>(\d+\.\d\d)<\/cbc:(\w+Amount)/g, ">-$1</cbc:$2"),
      { amount: -118.4, tax_amount: -20.55 },
      [-97.85]
    ],
    [
      "with a time zone in its dates",
      ublInvoice().replace("2026-02-27", "2026-02-27+01:00"),
      { amount: 118.4, expense_date: "2026-02-27" },
      [97.85]
    ]
  ])("%s becomes an expense with the right signs", async (_, xml, expected, taxable) => {
    const books = await open()
    await arrive(books, xml)
    const [received] = await books.made("GET", "/einvoicing/received")
    expect(received.problem).toBeNull()
    const { id: expense_id } = await books.made("POST", `/einvoicing/received/${received.id}/create-expense`, {})
    const expense = await books.made("GET", `/expenses/${expense_id}`)
    expect(expense).toMatchObject(expected)
    expect(expense.tax_rates.map((row: { taxable_amount: number }) => row.taxable_amount)).toEqual(taxable)
  })

  it("inside a PDF becomes an expense", async () => {
    const { buyer, supplier } = await traders()
    const invoice = await supplier.issued({ items: [line(19.99, { description: "Hybrid" })] })
    const answer = await fetch(`${app.url}/api/v1/invoices/${invoice.id}/facturx`, {
      headers: { authorization: `Bearer ${supplier.owner.token}`, "x-organization-id": String(supplier.id) }
    })
    const pdf = new Uint8Array(await answer.arrayBuffer())
    await arrive(buyer, pdf)
    const [received] = await buyer.made("GET", "/einvoicing/received")
    expect(received).toMatchObject({
      syntax: "cii",
      content_type: "application/pdf",
      sha256: sha256(pdf),
      number: invoice.number,
      total: invoice.total,
      description: "Hybrid",
      problem: null
    })
  })

  it.each([
    ["<Invoice><ID>1</ID>", "The document is not well-formed XML"],
    ["Dear Sir or Madam", "The document is not well-formed XML"],
    ["<Order/>", "The document is not an invoice or a credit note, but Order."],
    ["%PDF-1.7 broken", "The PDF holds no XML."],
    [ublInvoice().replace("EUR</cbc:Doc", "XXY</cbc:Doc"), "The document lacks its amount"],
    [ublInvoice().replace("118.40<", "118.41<"), "The taxable amounts and the taxes do not add up to the total."],
    [ublInvoice().replace(">20.55<", ">20.54<"), "The taxes do not add up to the total tax."],
    [ublInvoice().replace("<cbc:ID>000123</cbc:ID>", ""), "The document has no number."],
    [ublInvoice().replace("2026-02-27", "2026-02-30"), "The document lacks its amount"],
    [
      ublInvoice()
        .replace(">380<", ">381<")
        .replaceAll(/>(\d+\.\d\d)<\/cbc:(\w+Amount)/g, ">-$1</cbc:$2"),
      "The credit note has a negative total"
    ],
    ["", "The document is not well-formed XML"]
  ])("that is broken is kept, named and becomes nothing: %#", async (text, problem) => {
    const books = await open()
    await arrive(books, text)
    const [received] = await books.made("GET", "/einvoicing/received")
    expect(received.problem).toContain(problem)
    const { body, status } = await books.call("POST", `/einvoicing/received/${received.id}/create-expense`)
    expect([status, body.code, body.message]).toEqual([422, "document_unreadable", received.problem])
    expect((await books.call("GET", `/einvoicing/received/${received.id}/document`)).text).toBe(text)
    expect((await books.call("GET", "/expenses")).body.data).toEqual([])
  })
})
