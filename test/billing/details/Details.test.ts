import { beforeAll, describe, expect, it } from "vitest"
import { type Books, line, no_details, pick, useBilling } from "../../support/Billing.ts"

const { app, open } = useBilling()

let books: Books
beforeAll(async () => {
  books = await open({ rates: [21, 6] })
})

const address = {
  name: "Depot",
  address_line1: "Dok 4",
  address_line2: null,
  city: "Gent",
  state: null,
  postal_code: "9000",
  country: "BE"
}
const means = {
  method: "direct_debit",
  mandate_reference: "M-77",
  creditor_identifier: "BE69ZZZ050D000000008",
  debited_iban: "BE68539007547034",
  card_last_digits: null,
  card_holder: null
}
const references = {
  purchase_order: "PO-1",
  buyer_reference: "04011000-1234512345-06",
  contract_reference: "C-9",
  project_reference: "P-3"
}
const offered = {
  delivery_date: null,
  delivery_period: { start: "2026-02-01", end: "2026-02-28" },
  delivery_address: address,
  ...references,
  operation_nature: "mixed",
  payee: { name: "Factor", identifier: "0123", identifier_scheme: "0208", registration_number: null },
  payment_means: means
}

const like = (record: Readonly<Record<string, unknown>>, fields: object) => pick(record, Object.keys(fields))

const refused = async (method: string, path: string, body: unknown, fields: ReadonlyArray<string>) => {
  const answer = await books.call(method, path, body)
  expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"])
  expect(Object.keys(answer.body.errors).toSorted()).toEqual(fields.toSorted())
}

describe("the optional fields of a document", () => {
  it("are answered by POST, GET and PUT, with null for what is unset", async () => {
    const draft = await books.draft(offered)
    expect(like(draft, no_details)).toEqual({ ...no_details, ...offered })
    expect(like(await books.invoice(draft.id), no_details)).toEqual({ ...no_details, ...offered })
    const path = `/invoices/${draft.id}`
    const changed = await books.made("PUT", path, { delivery_period: null, delivery_date: "2026-02-27", payee: null })
    expect(like(changed, no_details)).toEqual({
      ...no_details,
      ...offered,
      delivery_period: null,
      delivery_date: "2026-02-27",
      payee: null
    })
    expect(changed.purchase_order).toBe("PO-1")
  })

  it("fills in null for absent parts, and removes spaces from an IBAN", async () => {
    const draft = await books.draft({
      delivery_address: { country: "NL" },
      payment_means: { method: "direct_debit", mandate_reference: "M", debited_iban: "BE68 5390 0754 7034" }
    })
    expect(draft.delivery_address).toEqual({ ...noValues(address), country: "NL" })
    expect(draft.payment_means).toMatchObject({ debited_iban: "BE68539007547034", card_holder: null })
  })

  it("keeps the account of a transfer, which its issued invoice accepts unchanged", async () => {
    const transfer = { method: "bank_transfer", iban: "BE68 5390 0754 7034", bic: "KREDBEBB" }
    const draft = await books.draft({ payment_means: transfer })
    expect(draft.payment_means).toMatchObject({ iban: "BE68539007547034", bic: "KREDBEBB", card_holder: null })
    expect(await books.made("PUT", `/invoices/${draft.id}`, draft)).toMatchObject({ version: draft.version })
    const issued = await books.send(draft)
    expect((await books.call("PUT", `/invoices/${issued.id}`, { ...issued, due_date: "2999-05-31" })).status).toBe(200)
  })

  it("leaves the means of payment of issued invoices as they were sealed before transfers named accounts", async () => {
    const { id } = await books.draft({ payment_means: { method: "bank_transfer" } })
    await app.inDatabase(`update invoices set details = details #- '{payment_means,iban}' #- '{payment_means,bic}'
      where id = ${id}`)
    await books.send({ id })
    expect((await books.call("PUT", `/invoices/${id}`, { due_date: "2999-05-31" })).status).toBe(200)
  })

  it.each([
    [{ delivery_date: "2026-02-30" }, ["delivery_date"]],
    [{ delivery_date: "2026-02-01", delivery_period: offered.delivery_period }, ["delivery_period"]],
    [{ delivery_period: { start: "2026-02-02", end: "2026-02-01" } }, ["delivery_period.end"]],
    [{ delivery_period: { start: "2026-02-02" } }, ["delivery_period.end"]],
    [{ delivery_address: { city: "Gent" } }, ["delivery_address.country"]],
    [{ delivery_address: { country: "XX" } }, ["delivery_address.country"]],
    [{ purchase_order: " " }, ["purchase_order"]],
    [{ buyer_reference: "x".repeat(201) }, ["buyer_reference"]],
    [{ contract_reference: "a\nb" }, ["contract_reference"]],
    [{ project_reference: 5 }, ["project_reference"]],
    [{ operation_nature: "gifts" }, ["operation_nature"]],
    [{ payee: { identifier: "1" } }, ["payee.name"]],
    [{ payee: { name: "F", identifier_scheme: "0208" } }, ["payee.identifier_scheme"]],
    [{ payment_means: { method: "barter" } }, ["payment_means.method"]],
    [{ payment_means: { method: "direct_debit" } }, ["payment_means.mandate_reference"]],
    [{ payment_means: { method: "card" } }, ["payment_means.card_last_digits"]],
    [{ payment_means: { method: "card", card_last_digits: "4111111111111111" } }, ["payment_means.card_last_digits"]],
    [{ payment_means: { method: "cash", card_holder: "A" } }, ["payment_means.card_holder"]],
    [
      { payment_means: { method: "direct_debit", mandate_reference: "M", debited_iban: "BE68539007547035" } },
      ["payment_means.debited_iban"]
    ],
    [{ payment_means: { method: "bank_transfer", iban: "BE68539007547035" } }, ["payment_means.iban"]],
    [{ payment_means: { method: "bank_transfer", bic: "KREDBEBB" } }, ["payment_means.bic"]],
    [{ payment_means: { method: "cash", iban: "BE68539007547034" } }, ["payment_means.iban"]],
    [{ payment_means: { method: "bank_transfer", iban: "BE68539007547034", bic: "kred" } }, ["payment_means.bic"]],
    [{ embedded_attachment_ids: [1] }, ["embedded_attachment_ids.0"]],
    [{ items: [line(1, { exemption_code: "VATEX-EU-132" })] }, ["items.0.exemption_code"]],
    [{ items: [line(1, { tax_exempt: true, exemption_code: "132" })] }, ["items.0.exemption_code"]]
  ])("refuses %j under the field's path", async (changes, fields) => {
    await refused("POST", "/invoices", books.body(changes), fields)
  })

  it("refuses a PUT that leaves a day and a period", async () => {
    const { id } = await books.draft({ delivery_date: "2026-02-01" })
    await refused("PUT", `/invoices/${id}`, { delivery_period: offered.delivery_period }, ["delivery_period"])
    expect((await books.invoice(id)).delivery_period).toBeNull()
  })

  it("stays as it was issued, and may be sent back unchanged", async () => {
    const issued = await books.issued(offered)
    const path = `/invoices/${issued.id}`
    for (const change of [{ purchase_order: "PO-2" }, { delivery_address: null }, { prepaid_amount: 1 }]) {
      const answer = await books.call("PUT", path, change)
      expect([answer.status, answer.body.code]).toEqual([422, "invoice_locked"])
    }
    expect((await books.call("PUT", path, await books.invoice(issued.id))).status).toBe(200)
  })

  it("is copied by duplicates, except the time of the delivery, and by quotes and batches", async () => {
    const copied = { ...offered, delivery_period: null }
    const original = await books.draft({ ...offered, discounts: [{ description: "Loyalty", percentage: 10 }] })
    const copy = await books.made("POST", `/invoices/${original.id}/duplicate`)
    expect([like(copy, copied), copy.total]).toEqual([copied, original.total])
    const dated = await books.draft({ delivery_date: "2026-02-27" })
    expect((await books.made("POST", `/invoices/${dated.id}/duplicate`)).delivery_date).toBeNull()
    const quote = await books.made("POST", "/quotes", books.body({ ...offered, valid_until: "2999-03-31" }))
    expect(like(quote, offered)).toEqual(offered)
    const again = await books.made("POST", `/quotes/${quote.id}/duplicate`)
    expect(like(again, copied)).toEqual(copied)
    const converted = await books.made("POST", `/quotes/${quote.id}/convert-to-invoice`)
    expect(like(await books.invoice(converted.id), offered)).toEqual(offered)
    const { results } = await books.made("POST", "/batch/invoices/create", { invoices: [books.body(offered)] })
    expect(like(results[0].data, offered)).toEqual(offered)
  })

  it("passes to a credit note, which may have its own and says why it corrects", async () => {
    const invoice = await books.issued(offered)
    const body = { invoice_id: invoice.id, amount: 10, reason: "Returned" }
    const inherited = await books.made("POST", "/credit-notes", body)
    const { payee: _, payment_means: __, ...common } = offered
    expect(like(inherited, { ...common, corrective_cause: null })).toEqual({ ...common, corrective_cause: null })
    const corrective_cause = { code: "R1", text: "Error fundado en derecho" }
    const own = await books.made("POST", "/credit-notes", { ...body, purchase_order: null, corrective_cause })
    expect(own).toMatchObject({ purchase_order: null, buyer_reference: offered.buyer_reference, corrective_cause })
    expect(await books.made("GET", `/credit-notes/${own.id}`)).toMatchObject({ purchase_order: null, corrective_cause })
    await refused("POST", "/credit-notes", { ...body, corrective_cause: { code: "R9" } }, ["corrective_cause.code"])
    await refused("POST", "/credit-notes", { ...body, delivery_date: "2026-01-01" }, ["delivery_period"])
  })

  it("names the reason of an exempt line", async () => {
    const exempt = { tax_exempt: true, tax_exemption_reason: "E", exemption_code: "VATEX-EU-132" }
    const { items, tax_breakdown } = await books.draft({ items: [line(10, exempt), line(5, { tax_exempt: true })] })
    expect(items[0]).toMatchObject(exempt)
    expect(tax_breakdown).toMatchObject([
      { category: "E", exemption_code: "VATEX-EU-132", taxable_amount: 10 },
      { category: "E", taxable_amount: 5 }
    ])
  })
})

const attach = async (id: number, name: string, content: string, of = books) => {
  const form = new FormData()
  form.append("file", new Blob([content]), name)
  const headers = { authorization: `Bearer ${of.owner.token}`, "x-organization-id": String(of.id) }
  const url = `${app.url}/api/v1/invoices/${id}/attachments`
  const { data } = JSON.parse(await (await fetch(url, { method: "POST", headers, body: form })).text())
  return data.id
}

describe("embedded attachments", () => {
  it("are attachments of the invoice that an e-invoice may hold, and stay while they are embedded", async () => {
    const draft = await books.draft()
    const csv = await attach(draft.id, "hours.csv", "a,b\n1,2\n")
    const text = await attach(draft.id, "notes.txt", "Some notes.\n")
    const path = `/invoices/${draft.id}`
    const others = await open()
    const foreign = await attach((await others.draft()).id, "hours.csv", "a,b\n1,2\n", others)
    await refused("PUT", path, { embedded_attachment_ids: [csv, text, foreign, 999_999] }, [
      "embedded_attachment_ids.1",
      "embedded_attachment_ids.2",
      "embedded_attachment_ids.3"
    ])
    const changed = await books.made("PUT", path, { embedded_attachment_ids: [csv] })
    expect(changed.embedded_attachment_ids).toEqual([csv])
    const kept = await books.call("DELETE", `${path}/attachments/${csv}`)
    expect([kept.status, kept.body.code]).toEqual([422, "attachment_embedded"])
    await books.made("DELETE", `${path}/attachments/${text}`)
    const copy = await books.made("POST", `${path}/duplicate`)
    expect(copy.embedded_attachment_ids).toBeNull()
    await books.made("PUT", path, { embedded_attachment_ids: null })
    await books.made("DELETE", `${path}/attachments/${csv}`)
  })
})

const noValues = (record: object) => Object.fromEntries(Object.keys(record).map((key) => [key, null]))
