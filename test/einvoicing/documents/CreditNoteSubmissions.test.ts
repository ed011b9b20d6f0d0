import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { type Lock, waitingFor } from "../../customers/Contention.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { line, race, statuses } from "../../support/Billing.ts"
import { digestOf } from "../../support/files/Digest.ts"
import { magic } from "../../support/counterparts/Network.ts"
import { useEinvoicing } from "./Submitting.ts"

const { app, open } = useEinvoicing()

const seller = async () => {
  const books = await open()
  await books.register()
  /** Creates a draft credit note of 24.20 for an issued invoice of 121.00. */
  const note = async (given: object = {}) => {
    const { id } = await books.issued()
    return books.made("POST", "/credit-notes", { invoice_id: id, amount: 24.2, reason: "Damaged", ...given })
  }
  const read = (id: number) => books.made("GET", `/credit-notes/${id}`)
  return { ...books, note, read }
}

const asNote = ({ id }: { id: number }, given: object = {}) => ({ invoice_id: undefined, credit_note_id: id, ...given })

describe("a credit note on the network", () => {
  it("is issued, transmitted as archived, and followed until its receiver accepts it", async () => {
    const { at, call, carried, id, invoice, note, read, submitted, validate } = await seller()
    const draft = await note()
    const before = await app.run(digestOf(id))
    expect((await validate(draft, asNote(draft))).body.data).toEqual({
      valid: true,
      profile: "peppol-bis-billing-3",
      errors: [],
      warnings: [],
      totals: { tax_exclusive: "20.00", tax: "4.20", payable: "24.20" }
    })
    expect(await app.run(digestOf(id))).toEqual(before)
    const einvoice = await submitted(draft, asNote(draft))
    const sent = await read(draft.id)
    expect([sent.status, sent.credit_note_type_code, typeof sent.number]).toEqual(["sent", "381", "string"])
    expect((await invoice(draft.invoice_id)).balance_due).toBe(96.8)
    expect(einvoice).toMatchObject({
      document_type: "credit_note",
      invoice_id: null,
      credit_note_id: draft.id,
      number: sent.number,
      status: "pending"
    })
    expect(await carried(einvoice.id)).toMatchObject({ status: "accepted", network_status: "AP" })
    const evidence = (await at(einvoice.id, "/evidence")).body.data
    const [archived] = (await call("GET", "/archive/documents?kind=ubl_xml")).body.data
    expect(archived).toMatchObject({ document_type: "credit_note", document_id: draft.id, amount: "24.20" })
    const { text } = await call("GET", `/archive/documents/${archived.id}/download`)
    const sha256 = createHash("sha256").update(text).digest("hex")
    expect([sha256, evidence.xml_sha256]).toEqual([einvoice.xml_sha256, einvoice.xml_sha256])
    expect(text).toContain("<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>")
    const query = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ document_type: string; document_id: number }>`
        select distinct document_type, document_id from archive_transmissions where organization_id = ${id}`
    )
    expect(await app.run(query)).toEqual([{ document_type: "credit_note", document_id: draft.id }])
    const events = (await call("GET", "/events?per_page=100")).body.data
    expect(events.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(["credit_note.sent", "einvoice.sent", "einvoice.delivered"])
    )
    await app.run(verifiedAuditLog(id))
  })

  it("that was mailed before is sent unchanged", async () => {
    const { made, note, read, submitted } = await seller()
    const draft = await note()
    await made("POST", `/credit-notes/${draft.id}/send`, { recipients: "ap@beta.example", attach_pdf: false })
    const mailed = await read(draft.id)
    expect((await submitted(mailed, asNote(mailed))).number).toBe(mailed.number)
    expect(await read(draft.id)).toEqual(mailed)
  })

  it.each([
    ["rejected", "rejected", "RE"],
    ["undeliverable", "failed", "MLS-RE"]
  ] as const)("that is %s may be submitted again", async (outcome, status, code) => {
    const { carried, note, submit, submitted } = await seller()
    const draft = await note()
    const { id, number } = await submitted(draft, asNote(draft, { recipient_identifier_value: magic[outcome] }))
    const second = await submit(draft, asNote(draft))
    expect([second.status, second.body.code, second.body.details.id]).toEqual([422, "already_submitted", id])
    expect(await carried(id)).toMatchObject({ status, network_status: code })
    expect((await submit(draft, asNote(draft))).body.data.number).toBe(number)
  })

  it("breaks no rule that an invoice may not break: the draft stays one, and no number is lost", async () => {
    const { id, issued, made, submit, validate } = await seller()
    const { id: invoice_id } = await issued({ items: [line(100, { unit: "ZZ9" })] })
    const invoice = await made("GET", `/invoices/${invoice_id}`)
    const items = [{ invoice_item_id: invoice.items[0].id, quantity: 1 }]
    const note = await made("POST", "/credit-notes", { invoice_id, items, reason: "Damaged" })
    const before = await app.run(digestOf(id))
    const { body, status } = await submit(note, asNote(note))
    expect([status, body.code]).toEqual([422, "invalid_document"])
    expect(body.details.errors).toMatchObject([{ rule: "BR-CL-23" }])
    expect((await validate(note, asNote(note))).body.data.errors).toMatchObject([{ rule: "BR-CL-23" }])
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it("is named instead of an invoice, never beside one, and only by its own organization", async () => {
    const { id, note, submit, validate } = await seller()
    const [draft, other] = [await note(), await (await seller()).note()]
    const before = await app.run(digestOf(id))
    for (const ask of [submit, validate]) {
      expect((await ask(draft, { credit_note_id: draft.id })).body.errors).toHaveProperty("credit_note_id")
      expect((await ask(draft, { invoice_id: undefined })).body.errors).toHaveProperty("invoice_id")
      expect((await ask(draft, { invoice_id: null, credit_note_id: null })).body.errors).toHaveProperty("invoice_id")
      expect((await ask(other, asNote(other))).body.errors).toHaveProperty("credit_note_id")
      expect((await ask(draft, asNote({ id: 999_999 }))).body.errors).toHaveProperty("credit_note_id")
    }
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it("is sent once, however often it is submitted at the same time", async () => {
    const { call, invoice, note, submit } = await seller()
    const draft = await note()
    expect(statuses(await race(5, () => submit(draft, asNote(draft))))).toEqual({ 201: 1, 422: 4 })
    expect((await call("GET", "/einvoicing/invoices")).body.meta.total).toBe(1)
    expect((await invoice(draft.invoice_id)).balance_due).toBe(96.8)
  })

  it.each(["deleted", "submitted"])("is not both deleted and submitted at the same time: first %s", async (first) => {
    const { call, note, submit } = await seller()
    const draft = await note()
    const remove = () => call("DELETE", `/credit-notes/${draft.id}`)
    const send = () => submit(draft, asNote(draft))
    const lock: Lock = (sql) => sql`select from credit_notes where id = ${draft.id} for update`
    const answers = await waitingFor(lock, app, first === "deleted" ? [remove, send] : [send, remove])
    expect(answers.map(({ status }) => status)).toEqual(first === "deleted" ? [200, 422] : [201, 422])
  })
})
