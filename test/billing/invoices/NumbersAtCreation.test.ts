import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { type Books, issuing, race, statuses, useBilling } from "../../support/Billing.ts"
import { digestOf } from "../../support/files/Digest.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { importer, openAccount } from "../../banking/Books.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)
const numbering = { invoice_number_on: "create" }
const opened = (settings: object = {}) => open({ settings: { ...numbering, ...settings } })
const set = (books: Books, key: string, value: unknown) =>
  books.made("PUT", `/organizations/${books.id}`, { settings: [{ key, value }] })
const quoted = (books: Books) => books.made("POST", "/quotes", { ...books.body(), valid_until: "2999-03-31" })
const numberOf = (sequence: number, year = 2026) => `INV-${year}-${String(sequence).padStart(4, "0")}`

const numbersOf = (organization_id: number) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ number: string }>`
        select number from invoices where organization_id = ${organization_id} and number is not null order by number`
      return rows.map(({ number }) => number)
    })
  )

describe("an invoice that is numbered when it is created", () => {
  let books: Books
  beforeAll(async () => {
    books = await opened()
  })

  it("has number and payment reference as a draft, in its answer, its event and the list, and is found by both", async () => {
    const draft = await books.draft()
    expect(draft).toMatchObject({ number: numberOf(1), invoice_number: numberOf(1), status: "draft", issued_at: null })
    expect([draft.draft_reference, draft.warnings]).toEqual([null, undefined])
    expect(draft.payment_reference).toMatch(/^\+\+\+020\/2600\/001\d\d\+\+\+$/)
    expect(await books.invoice(draft.id)).toEqual(draft)
    for (const search of ["2026-0001", draft.payment_reference]) {
      const { body } = await books.call("GET", `/invoices?search=${encodeURIComponent(search)}`)
      expect(body.data.map(({ number }: { number: string }) => number)).toEqual([numberOf(1)])
    }
    const { entries, events } = await app.run(verifiedAuditLog(books.id))
    expect(entries.at(-1)).toMatchObject({ action: "invoice.created", data: { number: numberOf(1) } })
    expect(events.at(-1)?.data.attributes).toEqual(draft)
  })

  it("answers 422 on issue_date when it is moved to another year, which has another series, and changes nothing", async () => {
    const own = await opened()
    const draft = await own.draft()
    const changes = { issue_date: "2027-01-02", due_date: "2999-04-01", notes: "moved" }
    const refused = await own.call("PUT", `/invoices/${draft.id}`, changes)
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      {
        issue_date: [
          "The issue_date field must stay in 2026, the year of the number INV-2026-0001: delete the draft and create it anew."
        ]
      }
    ])
    expect(await own.invoice(draft.id)).toEqual(draft)
    await own.made("DELETE", `/invoices/${draft.id}`)
    expect((await own.draft(changes)).number).toBe(numberOf(1, 2027))
  })

  it("keeps its number when it is changed, whatever the format of numbers is then", async () => {
    const own = await opened()
    const draft = await own.draft()
    await set(own, "invoice_number_format", "N{YYYY}-{SEQ}")
    const changes = { issue_date: "2026-12-31", notes: "moved" }
    const moved = await own.made("PUT", `/invoices/${draft.id}`, changes)
    const { number, payment_reference } = draft
    expect(moved).toMatchObject({ ...changes, number, payment_reference, status: "draft" })
    expect(await own.send(draft)).toMatchObject({ ...changes, number, payment_reference, status: "sent" })
    expect([(await own.draft()).number, (await own.draft({ issue_date: "2027-01-02" })).number]).toEqual([
      "N2026-2",
      "N2027-1"
    ])
  })

  it("keeps its number through everything that issues it", async () => {
    const own = await opened()
    for (const index of issuing(0).keys()) {
      const { id, number } = await own.draft()
      const [path, body] = issuing(id)[index] ?? [""]
      const { status } = await own.call("POST", path, body)
      expect([path, status < 300]).toEqual([path, true])
      expect(await own.invoice(id)).toMatchObject({ number, issued_at: expect.any(String) })
      expect(number).toBe(numberOf(index + 1))
    }
  })

  it("is numbered as well when it is a copy, a quote's, of a batch or of a bank line", async () => {
    const own = await opened()
    const year = new Date().getUTCFullYear()
    const original = await own.draft({ issue_date: `${year}-01-05` })
    const copy = await own.made("POST", `/invoices/${original.id}/duplicate`)
    const converted = await own.made("POST", `/quotes/${(await quoted(own)).id}/convert-to-invoice`)
    const given = [own.body({ issue_date: `${year}-02-01` }), {}, own.body({ issue_date: `${year - 1}-02-01` })]
    const batch = await own.made("POST", "/batch/invoices/create", { invoices: given })
    const created = batch.results.map(({ data }: { data: { number: string } | null }) => data?.number ?? null)
    const account = await openAccount(app, own.id)
    await importer(app, own)(account, `Date;Amount;Name;Description\n${year}-03-01;121,00;Gamma;sold`)
    const [line] = await own.made("GET", "/bank-transactions")
    const { invoice_id } = await own.made("POST", `/bank-transactions/${line.id}/create-document`)
    expect([
      original.number,
      copy.number,
      converted.number,
      ...created,
      (await own.invoice(invoice_id)).number
    ]).toEqual([
      numberOf(1, year),
      numberOf(2, year),
      numberOf(3, year),
      numberOf(4, year),
      null,
      numberOf(1, year - 1),
      numberOf(5, year)
    ])
    expect(await own.invoice(invoice_id)).toMatchObject({ status: "paid" })
  })

  it("has its number twice nowhere when a batch fails as a whole: all of them are given back", async () => {
    const own = await opened()
    const invoices = [own.body(), own.body({ issue_date: "2027-01-01" }), {}]
    expect((await own.call("POST", "/batch/invoices/create", { invoices, atomic: true })).status).toBe(422)
    expect(await numbersOf(own.id)).toEqual([])
    expect((await own.draft()).number).toBe(numberOf(1))
    expect((await own.draft({ issue_date: "2027-01-01" })).number).toBe(numberOf(1, 2027))
  })

  it("answers 422 number_taken for one whose number is another's, by every way it is created, and changes nothing", async () => {
    const own = await opened()
    const quote = await quoted(own)
    const year = new Date().getUTCFullYear()
    const original = await own.draft({ issue_date: `${year - 100}-01-01` })
    await set(own, "invoice_number_format", "F{YY}-{SEQ}")
    const body = own.body({ issue_date: `${year}-03-01` })
    await own.draft({ issue_date: `${year - 100}-03-01` })
    await own.draft({ issue_date: `${year}-03-01` })
    const before = await app.run(digestOf(own.id))
    for (const [path, given] of [
      ["/invoices", body],
      [`/invoices/${original.id}/duplicate`, undefined],
      [`/quotes/${quote.id}/convert-to-invoice`, undefined]
    ] as const) {
      const { body, status } = await own.call("POST", path, given)
      expect([path, status, body.code, body.details]).toEqual([
        path,
        422,
        "number_taken",
        { number: `F${String(year).slice(2)}-2` }
      ])
    }
    expect(await app.run(digestOf(own.id))).toEqual(before)
  })

  it("leaves no gap when it is refused before or after its number was taken", async () => {
    const own = await opened()
    expect((await own.call("POST", "/invoices", own.body({ customer_id: 2_000_000_000 }))).status).toBe(422)
    await app.run(outboxRefuses(own.id))
    expect((await own.call("POST", "/invoices", own.body())).status).toBe(500)
    await app.run(outboxAccepts)
    expect(await numbersOf(own.id)).toEqual([])
    expect((await own.draft()).number).toBe(numberOf(1))
  })

  it("has no gap and no duplicate when 50 are created at once, some deleted and some issued at the same time", async () => {
    const own = await opened()
    const first = await own.draft()
    const answers = await race(50, async (index) => {
      const answer = await own.call(
        "POST",
        "/invoices",
        own.body({ issue_date: index % 10 === 9 ? "2027-01-01" : "2026-03-01" })
      )
      const { id } = answer.body.data
      if (index % 5 === 1) await own.made("DELETE", `/invoices/${id}`)
      if (index % 5 === 2) await own.send({ id })
      return answer
    })
    expect(statuses(answers)).toEqual({ 201: 50 })
    expect(first.number).toBe(numberOf(1))
    const numbers = Array.from({ length: 46 }, (_, index) => numberOf(index + 1))
    expect(await numbersOf(own.id)).toEqual([...numbers, ...[1, 2, 3, 4, 5].map((index) => numberOf(index, 2027))])
  })

  it("never waits for a batch that waits for it", async () => {
    const own = await opened()
    const days = ["2024-03-01", "2025-03-01", "2026-03-01"]
    const answers = await race(24, (index) => {
      const invoices = (index % 2 === 0 ? days : days.toReversed()).map((issue_date) => own.body({ issue_date }))
      return index % 4 === 3
        ? own.call("POST", "/invoices", invoices[0])
        : own.call("POST", "/batch/invoices/create", { invoices, atomic: index % 4 === 0 }, key(index))
    })
    expect(statuses(answers)).toEqual({ 201: 24 })
    expect(await numbersOf(own.id)).toHaveLength(18 * 3 + 6)
  })

  it("is warned about, or refused, by the dates of what was issued, when it is issued", async () => {
    const own = await opened()
    const [first, second, third] = [
      await own.draft({ issue_date: "2026-05-01" }),
      await own.draft({ issue_date: "2026-05-03" }),
      await own.draft({ issue_date: "2026-05-02" })
    ]
    expect([first, second, third].map(({ warnings }) => warnings)).toEqual([undefined, undefined, undefined])
    expect((await own.send(second)).warnings).toBeUndefined()
    await set(own, "invoice_chronology_enforced", true)
    const before = await app.run(digestOf(own.id))
    for (const [path, given] of issuing(first.id)) {
      const { body, status } = await own.call("POST", path, given)
      expect([path, status, body.code]).toEqual([path, 422, "non_chronological"])
    }
    expect(await app.run(digestOf(own.id))).toEqual(before)
    await own.made("PUT", `/invoices/${third.id}`, { issue_date: "2026-05-03" })
    expect(await own.send(third)).toMatchObject({ number: numberOf(3), status: "sent" })
    await set(own, "invoice_chronology_enforced", false)
    expect(await own.send(first)).toMatchObject({ number: numberOf(1), warnings: ["non_chronological"] })
  })

  it("is a draft with its number again when no recipient could be reached, and its date has no effect", async () => {
    const own = await opened()
    const draft = await own.draft({ issue_date: "2026-05-01" })
    const failed = await own.call("POST", `/invoices/${draft.id}/send`, {
      recipients: "unknown@beta.eu",
      attach_pdf: false
    })
    expect([failed.status, failed.body.code, failed.body.details]).toEqual([
      422,
      "delivery_failed",
      { number: numberOf(1), status: "draft" }
    ])
    const { updated_at: _1, version: _2, ...before } = draft
    expect(await own.invoice(draft.id)).toMatchObject(before)
    expect((await own.issued({ issue_date: "2026-04-01" })).warnings).toBeUndefined()
    expect(await own.send(draft)).toMatchObject({ number: numberOf(1), status: "sent" })
  })

  it("is printed under its number", async () => {
    const { id } = await books.draft()
    const pdf = await books.call("GET", `/invoices/${id}/pdf`)
    const { number } = await books.invoice(id)
    expect([pdf.status, pdf.headers.get("content-disposition")]).toEqual([200, `inline; filename="${number}.pdf"`])
  })
})

describe("the setting invoice_number_on", () => {
  it("numbers what is created from then on; drafts without a number get theirs when they are issued", async () => {
    const books = await open()
    const [early, other] = [await books.draft(), await books.draft()]
    await set(books, "invoice_number_on", "create")
    const numbered = await books.draft()
    expect([early.number, numbered.number]).toEqual([null, numberOf(1)])
    expect((await books.send(early)).number).toBe(numberOf(2))
    await set(books, "invoice_number_on", null)
    expect([(await books.draft()).number, (await books.draft()).number]).toEqual([null, null])
    expect((await books.send(numbered)).number).toBe(numberOf(1))
    expect((await books.send(other)).number).toBe(numberOf(3))
    await books.made("DELETE", `/invoices/${(await books.draft()).id}`)
    expect(await numbersOf(books.id)).toEqual([1, 2, 3].map((sequence) => numberOf(sequence)))
  })
})

const key = (index: number) => (index % 4 === 2 ? { headers: { "idempotency-key": `batch-${index}` } } : {})

const outboxRefuses = (organization_id: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`create function refuses_drafts() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`
    yield* sql`create trigger refuses_drafts before insert on outbox for each row
      when (new.organization_id = ${sql.literal(String(organization_id))}) execute function refuses_drafts()`
  })

const outboxAccepts = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`drop trigger refuses_drafts on outbox`)
