import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { statuses, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { creditsOf, verifyCredits } from "./Credits.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)
afterAll(() => app.run(verifyCredits))

const to = (...recipients: ReadonlyArray<string>) => ({ recipients, attach_pdf: false })
const thisYear = new Date().getUTCFullYear()
const numbered = (sequence: number) => `CN-${thisYear}-${String(sequence).padStart(4, "0")}`

const start = async (settings: object = {}) => {
  const books = await open({ timezone: "UTC", ...settings })
  return { books, ...creditsOf(books) }
}
const auditLogOf = async (id: number) => {
  const { entries, events } = await app.run(verifiedAuditLog(id))
  return { actions: entries.map(({ action }) => action), events }
}

describe("POST /api/v1/credit-notes/{id}/send", () => {
  it("numbers the note, delivers it, answers what became of each recipient and lowers the balance", async () => {
    const { books, draft, note, send } = await start()
    const invoice = await books.issued()
    const before = await draft(invoice, 21)
    const answer = await send(before, to("a@beta.eu", "unknown@beta.eu"))
    expect([answer.status, answer.headers.get("etag")]).toEqual([200, '"v2"'])
    const { deliveries, ...sent } = answer.body.data
    expect(deliveries).toEqual([
      { recipient: "a@beta.eu", status: "accepted" },
      { recipient: "unknown@beta.eu", status: "refused", code: "mailbox_unknown", error: "550 mailbox unknown" }
    ])
    expect(sent).toMatchObject({
      number: numbered(1),
      status: "sent",
      draft_reference: null,
      credit_note_type_code: "381",
      refundable_amount: 0,
      items: before.items
    })
    expect(sent.issue_date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(await note(before.id)).toEqual(sent)
    expect(await books.invoice(invoice.id)).toMatchObject({
      amount_credited: 21,
      balance_due: 100,
      status: "partially_paid",
      version: invoice.version + 1
    })
    expect(mails.received.map((mail) => mail.to)).toEqual(["a@beta.eu"])
    expect(mails.received[0]?.header("Subject")).toContain(numbered(1))
    const { actions, events } = await auditLogOf(books.id)
    expect(actions.slice(-3)).toEqual(["credit_note.created", "credit_note.numbered", "credit_note.sent"])
    expect(events.slice(-2)).toMatchObject([
      { type: "credit_note.sent", data: { id: sent.id, attributes: sent, previous: { status: "draft" } } },
      {
        type: "invoice.updated",
        data: { id: invoice.id, attributes: await books.invoice(invoice.id), previous: { status: "sent" } }
      }
    ])
  })

  it("attaches the PDF unless asked not to", async () => {
    const { books, draft, send } = await start()
    const note = await draft(await books.issued(), 21)
    expect((await send(note, { recipients: "a@beta.eu", message: "Sorry about that." })).status).toBe(200)
    expect(mails.received[0]?.raw).toContain(`${numbered(1)}.pdf`)
    expect(mails.received[0]?.text).toContain("Sorry about that.")
  })

  it("lowers the balance first, and owes the customer the rest", async () => {
    const { books, draft, note, send } = await start()
    const invoice = await books.issued()
    await books.pay(invoice, 100)
    const credit = await draft(invoice, 50)
    await send(credit, to("a@beta.eu"))
    expect((await note(credit.id)).refundable_amount).toBe(29)
    expect(await books.invoice(invoice.id)).toMatchObject({
      amount_credited: 50,
      balance_due: 0,
      refundable_amount: 29,
      status: "paid",
      payment_status: "overpaid"
    })
    const { events } = await auditLogOf(books.id)
    expect(events.slice(-2).map(({ type }) => type)).toEqual(["credit_note.sent", "invoice.paid"])
    expect(events.at(-1)?.data.previous).toEqual({ status: "partially_paid" })
    // `invoice.paid` is published once, and `paid_at` stays the same however much is credited later.
    const { paid_at } = await books.invoice(invoice.id)
    expect(paid_at).toEqual(expect.any(String))
    for (const [amount, status, refundable_amount] of [
      [10, "paid", 39],
      [61, "credited", 100]
    ] as const) {
      await send(await draft(invoice, amount), to("a@beta.eu"))
      expect(await books.invoice(invoice.id)).toMatchObject({ status, refundable_amount, paid_at })
      const { events } = await auditLogOf(books.id)
      expect(events.slice(-2).map(({ type }) => type)).toEqual(["credit_note.sent", "invoice.updated"])
    }
  })

  it("answers 422 when no recipient could be reached: still a draft, nothing credited, and no gap in the numbers", async () => {
    const { books, draft, note, send } = await start()
    const invoice = await books.issued()
    const before = await draft(invoice, 21)
    const answer = await send(before, to("unknown@beta.eu", "unknown2@beta.eu"))
    expect([answer.status, answer.body]).toEqual([
      422,
      {
        success: false,
        message: "The credit note could not be delivered to any recipient.",
        code: "delivery_failed",
        errors: {
          "recipients.0": ["unknown@beta.eu: 550 mailbox unknown"],
          "recipients.1": ["unknown2@beta.eu: 550 mailbox unknown"]
        },
        deliveries: [
          { recipient: "unknown@beta.eu", status: "refused", code: "mailbox_unknown", error: "550 mailbox unknown" },
          { recipient: "unknown2@beta.eu", status: "refused", code: "mailbox_unknown", error: "550 mailbox unknown" }
        ]
      }
    ])
    expect(await note(before.id)).toEqual(before)
    expect(await books.invoice(invoice.id)).toEqual(invoice)
    expect((await auditLogOf(books.id)).events.at(-1)?.type).toBe("credit_note.created")
    const next = await draft(invoice, 1)
    expect((await send(next, to("a@beta.eu"))).body.data.number).toBe(numbered(1))
    expect((await send(before, to("a@beta.eu"))).body.data.number).toBe(numbered(2))
  })

  it("keeps the number for the draft when a later one was taken meanwhile; it is the next sending's", async () => {
    const { books, draft, note, send } = await start()
    const invoice = await books.issued()
    const slow = await draft(invoice, 21)
    const sending = send(slow, to("held-unknown@beta.eu"))
    await until("the number", async () => ((await app.run(hasNumber(slow.id))) ? true : undefined))
    expect((await send(await draft(invoice, 1), to("a@beta.eu"))).body.data.number).toBe(numbered(2))
    mails.release()
    const failed = await sending
    expect([failed.status, failed.body.message, failed.body.details]).toEqual([
      422,
      `The credit note could not be delivered to any recipient. It is a draft, and keeps the number ${numbered(1)}.`,
      { status: "draft", number: numbered(1) }
    ])
    expect(await note(slow.id)).toEqual(slow)
    const refused = await books.call("DELETE", `/credit-notes/${slow.id}`)
    expect([refused.status, refused.body.code]).toEqual([422, "credit_note_locked"])
    expect((await send(slow, to("a@beta.eu"))).body.data).toMatchObject({ number: numbered(1), status: "sent" })
  })

  it.each([
    ["in the year of its series", null, `${thisYear - 1}-12-31`],
    ["today when that year is closed", `${thisYear - 1}-12-31`, new Date().toISOString().slice(0, 10)]
  ])("dates a number that was kept since last year %s", async (_, books_locked_until, issue_date) => {
    const { books, draft, send } = await start()
    const { id } = await draft(await books.issued({ issue_date: `${thisYear - 1}-12-01` }), 21)
    const kept = { number: `CN-${thisYear - 1}-0001`, issue_date: `${thisYear - 1}-12-31` }
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`update credit_notes set ${sql.update({ ...kept, sequence: 1 })} where id = ${id}`
      )
    )
    const settings = [{ key: "books_locked_until", value: books_locked_until }]
    await books.made("PUT", `/organizations/${books.id}`, { settings })
    const { data } = (await send({ id }, to("a@beta.eu"))).body
    expect(data).toMatchObject({ number: kept.number, issue_date, status: "sent" })
  })

  it("answers 409 already_sent without resend, and sends again with it, under the same number", async () => {
    const { books, draft, note, send } = await start()
    const invoice = await books.issued()
    const { id } = await draft(invoice, 21)
    await send({ id }, to("a@beta.eu"))
    const sent = await note(id)
    const credited = await books.invoice(invoice.id)
    for (const body of [undefined, {}, to("b@beta.eu"), { resend: false }, { resend: null }]) {
      const { body: refused, status } = await send({ id }, body)
      expect([status, refused.code, refused.details]).toEqual([409, "already_sent", { number: sent.number }])
    }
    expect(mails.received).toHaveLength(1)
    const again = await send({ id }, { ...to("b@beta.eu"), resend: true })
    expect([again.status, again.body.data]).toEqual([
      200,
      { ...sent, deliveries: [{ recipient: "b@beta.eu", status: "accepted" }] }
    ])
    const failed = await send({ id }, { ...to("unknown@beta.eu"), resend: true })
    expect([failed.status, failed.body.code]).toEqual([422, "delivery_failed"])
    expect([await note(id), await books.invoice(invoice.id)]).toEqual([sent, credited])
  })

  it("is sent once when eight send it at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const { books, draft, send } = await start()
      const invoice = await books.issued()
      const note = await draft(invoice, 21)
      const answers = await mails.overtaken(8, () => send(note, to("held@beta.eu")))
      expect(statuses(answers)).toEqual({ 200: 1, 409: 7 })
      expect(await books.invoice(invoice.id)).toMatchObject({ amount_credited: 21, balance_due: 100 })
    }
    expect(mails.received).toHaveLength(5)
  })

  it("is either deleted or sent when both are requested at the same time", async () => {
    for (let round = 0; round < 10; round++) {
      const { books, draft, send } = await start()
      const { id } = await draft(await books.issued(), 21)
      const [removed, sent] = await Promise.all([
        books.call("DELETE", `/credit-notes/${id}`),
        send({ id }, to("a@b.eu"))
      ])
      expect(["200 404", "200 409", "409 200", "422 200"]).toContain(`${removed.status} ${sent.status}`)
      expect((await books.call("GET", `/credit-notes/${id}`)).status).toBe(removed.status === 200 ? 404 : 200)
    }
  })

  it("counts once on an invoice that is being paid and credited at the same time", async () => {
    for (let round = 0; round < 10; round++) {
      const { books, draft, send } = await start()
      const invoice = await books.issued()
      const notes = await Promise.all([draft(invoice, 10), draft(invoice, 20)])
      const answers = await Promise.all([
        ...notes.map((note) => send(note, to("a@beta.eu"))),
        books.call("POST", `/invoices/${invoice.id}/mark-paid`, { amount: 50 })
      ])
      expect(statuses(answers)).toEqual({ 200: 3 })
      expect(await books.invoice(invoice.id)).toMatchObject({ amount_credited: 30, amount_paid: 50, balance_due: 41 })
    }
  })

  it("answers 422 when the customer has moved and the code is not of the new route, and sends nothing", async () => {
    const { books, draft, note, send } = await start({ country: "FR" })
    await books.made("PUT", `/customers/${books.customer_id}`, { country: "FR" })
    const before = await draft(await books.issued(), 21, { credit_note_type_code: "261" })
    await books.made("PUT", `/customers/${books.customer_id}`, { country: "BE" })
    const { body, status } = await send(before, to("a@beta.eu"))
    expect([status, Object.keys(body.errors)]).toEqual([422, ["credit_note_type_code"]])
    expect(await note(before.id)).toEqual(before)
  })

  it("answers 422 when the next number is taken, and the note stays a draft without one", async () => {
    const { books, draft, note, send } = await start()
    const invoice = await books.issued()
    const first = await draft(invoice, 1)
    await send(first, to("a@beta.eu"))
    await app.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        // A sent note is sealed, so only the owner of the database can change its number.
        sql`update credit_notes set number = ${numbered(2)} where id = ${first.id}`.pipe(
          (update) => Effect.all([sql`alter table credit_notes disable trigger credit_notes_sealed`, update]),
          Effect.andThen(sql`alter table credit_notes enable trigger credit_notes_sealed`)
        )
      )
    )
    const before = await draft(invoice, 1)
    const { body, status } = await send(before, to("a@beta.eu"))
    expect([status, body.code, body.details]).toEqual([422, "number_taken", { number: numbered(2) }])
    expect(await note(before.id)).toEqual(before)
  })

  it("is sent once under one Idempotency-Key", async () => {
    const { books, draft } = await start()
    const { id } = await draft(await books.issued(), 21)
    const ask = () =>
      books.call("POST", `/credit-notes/${id}/send`, to("a@beta.eu"), { headers: { "idempotency-key": "once" } })
    const first = await ask()
    const again = await ask()
    expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([200, 200, "true"])
    expect(again.text).toBe(first.text)
    expect(mails.received).toHaveLength(1)
  })

  it("refuses to delete a sent note", async () => {
    const { books, draft, note, send } = await start()
    const { id } = await draft(await books.issued(), 21)
    await send({ id }, to("a@beta.eu"))
    const { body, status } = await books.call("DELETE", `/credit-notes/${id}`)
    const refusal = { success: false, message: "A sent credit note cannot be deleted.", code: "credit_note_locked" }
    expect([status, body]).toEqual([422, { ...refusal, details: { status: "sent", number: numbered(1) } }])
    expect((await note(id)).status).toBe("sent")
  })
})

const hasNumber = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select 1 from credit_notes where id = ${id} and number is not null`
  return rows.length === 1
})
