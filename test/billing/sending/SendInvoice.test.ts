import { describe, expect, it } from "vitest"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { smtp, unconfirmed } from "../../support/counterparts/Mail.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { type Books, race, statuses, useBilling } from "../../support/Billing.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)

const to = (...recipients: ReadonlyArray<string>) => ({ recipients, attach_pdf: false })
const { inDatabase } = app

describe("POST /api/v1/invoices/{id}/send", () => {
  it("issues a draft, delivers one message to each recipient, and answers what became of each", async () => {
    const books = await open()
    const { id } = await books.draft()
    const answer = await books.call("POST", `/invoices/${id}/send`, to("a@beta.eu", "unknown@beta.eu", "b@beta.eu"))
    expect(answer.status).toBe(200)
    expect(answer.headers.get("etag")).toBe(`"v${answer.body.data.version}"`)
    expect(answer.body.data).toMatchObject({ id, number: "INV-2026-0001", status: "sent", sent_method: "email" })
    expect(answer.body.data.deliveries).toEqual([
      { recipient: "a@beta.eu", status: "accepted" },
      { recipient: "unknown@beta.eu", status: "refused", code: "mailbox_unknown", error: "550 mailbox unknown" },
      { recipient: "b@beta.eu", status: "accepted" }
    ])
    expect(mails.received.map(({ to }) => to).toSorted()).toEqual(["a@beta.eu", "b@beta.eu"])
    for (const { header, to } of mails.received) expect(header("To")).toBe(to)
    const { deliveries: _, ...sent } = answer.body.data
    expect(await books.invoice(id)).toEqual(sent)
    const { actions, events } = await auditLogOf(books)
    expect(events).toEqual(["customer.created", "invoice.created", "invoice.updated", "invoice.sent"])
    expect(actions.slice(-2)).toEqual(["invoice.issued", "invoice.sent"])
  })

  it("sends more invoices at once, each under its own key, than there are connections to the database", async () => {
    const books = await open()
    const drafts = await race(24, () => books.draft())
    const answers = await race(24, (index) => {
      const headers = { "idempotency-key": `send-${index}` }
      return books.call("POST", `/invoices/${drafts[index].id}/send`, to(`a${index}@beta.eu`), { headers })
    })
    expect(statuses(answers)).toEqual({ 200: 24 })
    expect(mails.received).toHaveLength(24)
  })

  it("is sent although the database fails right after, and can soon be sent again", async () => {
    const books = await open()
    const { id } = await books.draft()
    await inDatabase("create function fails() returns trigger language plpgsql as $$ begin raise 'broken'; end $$")
    await inDatabase(`create trigger fails before delete on document_sendings for each row
      when (old.organization_id = ${books.id}) execute function fails()`)
    const first = await books.call("POST", `/invoices/${id}/send`, to("a@beta.eu"))
    expect([first.status, first.body.data.status]).toEqual([200, "sent"])
    const again = () => books.call("POST", `/invoices/${id}/send`, to("a@beta.eu"))
    expect((await again()).body.code).toBe("send_in_progress")
    await inDatabase("drop trigger fails on document_sendings")
    await until("the next sending", async () => ((await again()).status === 200 ? true : undefined))
  })

  it("answers 422 when no recipient could be reached, and the invoice is a draft again without a gap in the numbers", async () => {
    const books = await open()
    const draft = await books.draft({ prepaid_amount: 121 })
    const answer = await books.call("POST", `/invoices/${draft.id}/send`, to("unknown@beta.eu", "unknown2@beta.eu"))
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({
      success: false,
      message: "The invoice could not be delivered to any recipient.",
      code: "delivery_failed",
      errors: {
        "recipients.0": ["unknown@beta.eu: 550 mailbox unknown"],
        "recipients.1": ["unknown2@beta.eu: 550 mailbox unknown"]
      },
      deliveries: [
        expect.objectContaining({ recipient: "unknown@beta.eu", status: "refused", error: "550 mailbox unknown" }),
        expect.objectContaining({ recipient: "unknown2@beta.eu", status: "refused" })
      ]
    })
    const { updated_at: _1, version: _2, ...before } = draft
    expect(await books.invoice(draft.id)).toMatchObject(before)
    expect((await auditLogOf(books)).events.slice(1)).toEqual(["invoice.created", "invoice.updated", "invoice.updated"])
    // The failed send also undid the issue date, so an invoice with an earlier date causes no warning.
    const next = await books.issued({ issue_date: "2026-02-01" })
    expect([next.number, next.warnings]).toEqual(["INV-2026-0001", undefined])
    expect((await books.issued()).warnings).toBeUndefined()
  })

  it.each([
    ["a later number was taken", "sent", (books: Books) => books.issued()],
    [
      "it was paid",
      "paid",
      (books: Books, invoice: { readonly id: number }) => books.made("POST", `/invoices/${invoice.id}/mark-paid`)
    ]
  ])("stays issued when %s while delivery failed, and says so", async (_, status, meanwhile) => {
    const books = await open()
    const draft = await books.draft()
    const sending = books.call("POST", `/invoices/${draft.id}/send`, to("held-unknown@beta.eu"))
    await numbered(books, draft.id)
    await meanwhile(books, draft)
    mails.release()
    expect((await sending).body).toEqual({
      success: false,
      message: "The invoice could not be delivered to any recipient. It stays issued, as INV-2026-0001.",
      code: "delivery_failed",
      errors: { "recipients.0": [expect.stringMatching(/^held-unknown@beta\.eu: 550.* mailbox unknown$/)] },
      deliveries: [expect.objectContaining({ recipient: "held-unknown@beta.eu", status: "refused" })],
      details: { status, number: "INV-2026-0001" }
    })
    expect(await books.invoice(draft.id)).toMatchObject({ status, number: "INV-2026-0001", sent_at: null })
    const sent = await books.made("POST", `/invoices/${draft.id}/send`, to("a@beta.eu"))
    expect(sent).toMatchObject({ status, number: "INV-2026-0001", sent_method: "email" })
  })

  it("survives a server that hangs and one that drops the connection after the message", async () => {
    const books = await open()
    const { id } = await books.draft()
    const answer = await books.call("POST", `/invoices/${id}/send`, to("hang@beta.eu", "drop@beta.eu", "a@beta.eu"))
    expect(answer.status).toBe(200)
    expect(answer.body.data.deliveries).toEqual([
      {
        recipient: "hang@beta.eu",
        status: "refused",
        code: "mail_server_timeout",
        error: "The mail server did not answer in time."
      },
      unconfirmed("drop@beta.eu"),
      { recipient: "a@beta.eu", status: "accepted" }
    ])
  })

  it("sends again in every later state, keeps the first time, and announces nothing twice", async () => {
    const books = await open()
    const { id } = await books.draft()
    const first = await books.made("POST", `/invoices/${id}/send`, to("a@beta.eu"))
    const again = await books.made("POST", `/invoices/${id}/send`, to("a@beta.eu"))
    expect({ ...again, deliveries: [] }).toEqual({ ...first, deliveries: [] })
    await books.pay(first)
    const paid = await books.made("POST", `/invoices/${id}/send`, to("a@beta.eu"))
    expect(paid).toMatchObject({ status: "paid", sent_at: first.sent_at })
    expect(mails.received).toHaveLength(3)
    const failed = await books.call("POST", `/invoices/${id}/send`, to("unknown@beta.eu"))
    expect([failed.status, (await books.invoice(id)).status]).toEqual([422, "paid"])
    const { events } = await auditLogOf(books)
    expect(events.filter((type) => type === "invoice.sent")).toHaveLength(1)
  })

  it("does not change an already issued invoice when no recipient could be reached", async () => {
    const books = await open()
    const issued = await books.issued()
    const answer = await books.call("POST", `/invoices/${issued.id}/send`, to("unknown@beta.eu"))
    expect([answer.status, answer.body.details]).toEqual([422, undefined])
    expect(await books.invoice(issued.id)).toEqual(issued)
  })

  it("goes to the primary contact, else to the customer, and answers 422 when neither has an address", async () => {
    const books = await open()
    const { id } = await books.draft()
    const draft = await books.invoice(id)
    const nobody = await books.call("POST", `/invoices/${id}/send`)
    expect([nobody.status, nobody.body.code]).toEqual([422, "no_recipient"])
    expect(await books.invoice(id)).toEqual(draft)
    await books.made("PUT", `/customers/${books.customer_id}`, { email: "office@beta.eu" })
    const first = await books.made("POST", `/invoices/${id}/send`, {})
    expect(first.deliveries).toEqual([{ recipient: "office@beta.eu", status: "accepted" }])
    const contact = { customer_id: books.customer_id, name: "Els", email: "els@beta.eu", is_primary: true }
    await books.made("POST", "/contacts", contact)
    const second = await books.made("POST", `/invoices/${id}/send`, { recipients: [], message: null })
    expect(second.deliveries).toEqual([{ recipient: "els@beta.eu", status: "accepted" }])
  })

  it("reads recipients as text, as a comma list and as a list, and each address once", async () => {
    const books = await open()
    const { id } = await books.draft()
    const recipientsOf = async (recipients: unknown) => {
      const sent = await books.made("POST", `/invoices/${id}/send`, { recipients, attach_pdf: "0" })
      return sent.deliveries.map(({ recipient }: { readonly recipient: string }) => recipient)
    }
    expect(await recipientsOf("a@beta.eu")).toEqual(["a@beta.eu"])
    expect(await recipientsOf(" a@beta.eu, b@beta.eu ,")).toEqual(["a@beta.eu", "b@beta.eu"])
    expect(await recipientsOf(["a@beta.eu", "b@beta.eu", "A@beta.eu"])).toHaveLength(2)
  })

  it.each([
    [{ recipients: "a@beta.eu, nonsense" }, "recipients.1"],
    [{ recipients: ["a@beta.eu\r\nBcc: x@evil.eu"] }, "recipients.0"],
    [{ recipients: Array.from({ length: 51 }, (_, index) => `a${index}@beta.eu`) }, "recipients"],
    [{ recipients: 5 }, "recipients"],
    [{ recipients: "a@beta.eu", attach_pdf: "maybe" }, "attach_pdf"],
    [{ recipients: "a@beta.eu", message: "x".repeat(5001) }, "message"]
  ])("answers 422 for an invalid body, sends nothing and changes nothing: %#", async (body, field) => {
    const books = await open()
    const draft = await books.draft()
    const answer = await books.call("POST", `/invoices/${draft.id}/send`, body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
    expect(await books.invoice(draft.id)).toEqual(draft)
    expect(mails.received).toEqual([])
  })

  it("attaches the PDF unless the request says otherwise", async () => {
    const books = await open()
    const { id } = await books.draft()
    await books.made("POST", `/invoices/${id}/send`, { recipients: "a@beta.eu" })
    await books.made("POST", `/invoices/${id}/send`, { recipients: "b@beta.eu", attach_pdf: "false" })
    const [with_pdf, without] = mails.received
    expect(with_pdf?.raw).toContain("filename=INV-2026-0001.pdf")
    const pdf = await fetch(`${app.url}/api/v1/invoices/${id}/pdf`, {
      headers: { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
    })
    const expected = Buffer.from(await pdf.arrayBuffer()).toString("base64")
    expect(with_pdf?.raw.replaceAll("\r\n", "")).toContain(expected)
    expect(without?.raw).not.toContain(".pdf")
  })

  it("answers 404 for another organization's invoice and changes nothing", async () => {
    const [books, others] = [await open(), await open()]
    const { id } = await books.draft()
    const foreign = await others.call("POST", `/invoices/${id}/send`, to("a@beta.eu"))
    expect([foreign.status, foreign.body.code]).toEqual([404, "not_found"])
    expect((await books.invoice(id)).status).toBe("draft")
    expect(mails.received).toEqual([])
  })

  it("accepts one of several simultaneous sends, and the message is sent once", async () => {
    const books = await open()
    const { id } = await books.draft()
    const answers = await mails.overtaken(6, () => books.call("POST", `/invoices/${id}/send`, to("held@beta.eu")))
    expect(statuses(answers)).toEqual({ 200: 1, 409: 5 })
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("send_in_progress")
    expect(mails.received).toHaveLength(1)
    expect((await books.call("POST", `/invoices/${id}/send`, to("a@beta.eu"))).status).toBe(200)
  })

  it("numbers several invoices that are sent at once without a gap", async () => {
    const books = await open()
    const drafts = await race(8, () => books.draft())
    const answers = await race(8, (index) =>
      books.call("POST", `/invoices/${drafts[index]?.id}/send`, to(index % 2 === 0 ? "a@beta.eu" : "unknown@beta.eu"))
    )
    expect(statuses(answers)).toEqual({ 200: 4, 422: 4 })
  })

  it("delivers to at most four recipients at the same time", async () => {
    const books = await open()
    const { id } = await books.draft()
    const recipients = Array.from({ length: 12 }, (_, index) => `held${index}@beta.eu`)
    const sending = books.made("POST", `/invoices/${id}/send`, to(...recipients))
    await until("four messages", () => (mails.atOnce() >= 4 ? true : undefined))
    await books.invoice(id)
    mails.release()
    const sent = await sending
    expect(sent.deliveries.map(({ recipient }: { readonly recipient: string }) => recipient)).toEqual(recipients)
    expect(mails.atOnceMax()).toBe(4)
  })

  it("finishes when the client hangs up in the middle", async () => {
    const books = await open()
    const { id } = await books.draft()
    const client = new AbortController()
    const gone = fetch(`${app.url}/api/v1/invoices/${id}/send`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${books.owner.token}`,
        "x-organization-id": String(books.id),
        "content-type": "application/json"
      },
      body: JSON.stringify(to("held@beta.eu")),
      signal: client.signal
    })
    await numbered(books, id)
    client.abort()
    await expect(gone).rejects.toThrow()
    mails.release()
    await until("the end of the sending", async () => (await books.invoice(id)).sent_at ?? undefined)
    expect(mails.received).toHaveLength(1)
  })

  it("keeps no transaction open for an Idempotency-Key, and sends once for it", async () => {
    const books = await open()
    const { id } = await books.draft()
    const further = { headers: { "idempotency-key": `send-${id}` } }
    const sending = books.call("POST", `/invoices/${id}/send`, to("held@beta.eu"), further)
    // The number is committed, so other requests see it while the message is on its way.
    await numbered(books, id)
    expect((await books.issued()).number).toBe("INV-2026-0002")
    mails.release()
    const first = await sending
    const second = await books.call("POST", `/invoices/${id}/send`, to("held@beta.eu"), further)
    expect([first.status, second.text, second.headers.get("idempotency-replayed")]).toEqual([200, first.text, "true"])
    expect(mails.received).toHaveLength(1)
  })
})

const auditLogOf = async ({ id }: Books) => {
  const { entries, events } = await app.run(verifiedAuditLog(id))
  return { actions: entries.map(({ action }) => action), events: events.map(({ type }) => type) }
}

const numbered = (books: Books, id: number) =>
  until("the number", async () => (await books.invoice(id)).number ?? undefined)
