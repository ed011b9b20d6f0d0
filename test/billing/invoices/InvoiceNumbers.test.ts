import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it, beforeAll } from "vitest"
import { Database } from "../../../src/platform/sql/Database.ts"
import { type Books, issuing, race, statuses, useBilling } from "../../support/Billing.ts"
import { runs } from "../../support/service/Runs.ts"
import { newLine, openAccount } from "../../banking/Books.ts"
import { isCreditorReference, isStructuredCommunication } from "../numbering/CheckDigits.ts"
import { digestOf } from "../../support/files/Digest.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"

const { app, open } = useBilling()

/** Number of invoices that each of the 50 callers issues. */
const each = runs(40)

const numbersOf = (invoices: ReadonlyArray<{ readonly number: string }>) => invoices.map(({ number }) => number)
const issuedIn = (books: Books, ...days: ReadonlyArray<string>) =>
  days.reduce<Promise<ReadonlyArray<{ number: string }>>>(
    async (issued, issue_date) => [...(await issued), await books.issued({ issue_date })],
    Promise.resolve([])
  )

describe("the number of an invoice", () => {
  it("is given when it leaves draft, not before, and never again", async () => {
    const books = await open()
    const [first, second] = [await books.draft(), await books.draft()]
    expect([first.number, second.number]).toEqual([null, null])
    expect((await books.send(second)).number).toBe("INV-2026-0001")
    expect((await books.send(first)).number).toBe("INV-2026-0002")
    expect((await books.send(first)).number).toBe("INV-2026-0002")
  })

  it("starts again at 1 with each year of issue, in its own series", async () => {
    const books = await open()
    const issued = await issuedIn(books, "2025-12-31", "2026-01-01", "2025-12-31", "2026-06-01", "2027-01-01")
    expect(numbersOf(issued)).toEqual([
      "INV-2025-0001",
      "INV-2026-0001",
      "INV-2025-0002",
      "INV-2026-0002",
      "INV-2027-0001"
    ])
  })

  it("is refused with 422 when a format gives one that is taken, and the invoice stays a draft", async () => {
    const books = await open({ settings: { invoice_number_format: "{PREFIX}-{YY}-{SEQ}" } })
    await books.issued({ issue_date: "1926-03-01" })
    const draft = await books.draft({ issue_date: "2026-03-01" })
    for (const [path, body] of issuing(draft.id)) {
      const refused = await books.call("POST", path, body)
      expect([path, refused.status]).toEqual([path, 422])
      expect(refused.body).toMatchObject({ code: "number_taken", details: { number: "INV-26-1" } })
    }
    expect(await books.invoice(draft.id)).toEqual(draft)
  })

  it.each([
    ["{PREFIX}{YYYY}{MM}-{SEQ:6}", "INV202603-000001"],
    ["{YY}.{SEQ}", "26.1"],
    ["F_{YYYY}_{SEQ:2}", "F_2026_01"]
  ])("is written as %s says, and stays when the format changes", async (invoice_number_format, number) => {
    const books = await open({ settings: { invoice_number_format } })
    const invoice = await books.issued()
    expect(invoice.number).toBe(number)
    const settings = [{ key: "invoice_number_format", value: "N{YYYY}-{SEQ}" }]
    await books.made("PUT", `/organizations/${books.id}`, { settings })
    expect((await books.invoice(invoice.id)).number).toBe(number)
    expect((await books.issued()).number).toBe("N2026-2")
  })

  it("carries the warning non_chronological when a later day was already issued", async () => {
    const books = await open()
    const sent = await books.issued({ issue_date: "2026-05-02" })
    const late = await books.issued({ issue_date: "2026-05-01" })
    const same = await books.issued({ issue_date: "2026-05-02" })
    expect([sent.warnings, late.warnings, same.warnings]).toEqual([undefined, ["non_chronological"], undefined])
    expect(late.number).toBe("INV-2026-0002")
    const draft = await books.draft({ issue_date: "2026-04-30" })
    expect((await books.made("POST", `/invoices/${draft.id}/mark-paid`)).warnings).toEqual(["non_chronological"])
    const other = await books.issued({ issue_date: "2025-05-01" })
    expect([other.number, other.warnings]).toEqual(["INV-2025-0001", undefined])
    const { events } = await app.run(verifiedAuditLog(books.id))
    expect(events.length).toBeGreaterThan(4)
    expect(events.filter(({ data }) => data.attributes?.warnings !== undefined)).toEqual([])
  })

  it("is refused out of order with 422 where the organization says so, and goes to the next in order", async () => {
    const books = await open({ settings: { invoice_chronology_enforced: true } })
    await books.issued({ issue_date: "2026-05-02" })
    const draft = await books.draft({ issue_date: "2026-05-01" })
    for (const [path, given] of issuing(draft.id)) {
      const { body, status } = await books.call("POST", path, given)
      expect([path, status, body.code]).toEqual([path, 422, "non_chronological"])
    }
    expect(await books.invoice(draft.id)).toEqual(draft)
    expect(numbersOf(await issuedIn(books, "2026-05-02", "2026-05-03"))).toEqual(["INV-2026-0002", "INV-2026-0003"])
  })

  it("is in order when one bank line pays several drafts, the first of a series", async () => {
    const books = await open({ settings: { invoice_chronology_enforced: true } })
    const line = await newLine(app, books, await openAccount(app, books.id), "242,00")
    const [first, second] = [
      await books.draft({ issue_date: "2026-05-01" }),
      await books.draft({ issue_date: "2026-05-03" })
    ]
    const allocations = [first, second].map(({ id }) => ({ invoice_id: id, amount: 121 }))
    await books.made("POST", `/bank-transactions/${line}/match`, { allocations })
    expect([(await books.invoice(first.id)).number, (await books.invoice(second.id)).number]).toEqual([
      "INV-2026-0001",
      "INV-2026-0002"
    ])
  })

  it("comes with a reference for the payer: structured in Belgium, ISO 11649 elsewhere", async () => {
    const [belgian, dutch] = [await open({ country: "BE" }), await open({ country: "NL" })]
    const { payment_reference } = await belgian.issued()
    expect(payment_reference).toMatch(/^\+\+\+\d{3}\/\d{4}\/\d{5}\+\+\+$/)
    expect(isStructuredCommunication(payment_reference)).toBe(true)
    const foreign = await dutch.issued()
    expect(foreign.payment_reference).toMatch(/^RF\d\dINV20260001$/)
    expect(isCreditorReference(foreign.payment_reference)).toBe(true)
  })

  it("is given back when the payment that issues the draft is refused", async () => {
    const books = await open()
    const draft = await books.draft()
    const refused = await books.call("POST", `/invoices/${draft.id}/mark-paid`, { amount: 121.01 })
    expect([refused.status, refused.body.code]).toEqual([422, "amount_exceeds_balance"])
    expect(await books.invoice(draft.id)).toEqual(draft)
    expect((await books.issued()).number).toBe("INV-2026-0001")
  })

  it("is given back when the transaction around it fails after it was taken", async () => {
    const books = await open()
    const draft = await books.draft()
    // The outbox refuses the event, after the number, the invoice and the audit entry were written.
    await app.run(outboxRefuses(books.id))
    const failed = await books.call("POST", `/invoices/${draft.id}/mark-sent`)
    expect([failed.status, failed.body.code]).toEqual([500, "server_error"])
    await app.run(outboxAccepts)
    expect(await books.invoice(draft.id)).toEqual(draft)
    expect((await books.issued()).number).toBe("INV-2026-0001")
    expect((await books.send(draft)).number).toBe("INV-2026-0002")
  })

  it(`has no gap and no duplicate when 50 callers issue ${50 * each} invoices, a fifth of them refused half-way first`, async () => {
    const books = await open()
    const codes = await race(50, async (worker) => {
      const refused: Array<string> = []
      for (let index = 0; index < each; index++) {
        const draft = await books.draft()
        if (index % 5 === worker % 5) {
          const { body } = await books.call("POST", `/invoices/${draft.id}/mark-paid`, { amount: 5_000 })
          refused.push(body.code)
        }
        await books.send(draft)
      }
      return refused
    })
    expect(new Set(codes.flat())).toEqual(new Set(["amount_exceeds_balance"]))
    expect(codes.flat()).toHaveLength(10 * each)
    const numbers = await app.run(allNumbers(books.id))
    expect(numbers).toEqual(
      Array.from({ length: 50 * each }, (_, index) => `INV-2026-${String(index + 1).padStart(4, "0")}`)
    )
  }, 400_000)

  it("is one when sending, paying and marking race on the same draft", async () => {
    const books = await open()
    const draft = await books.draft()
    const answers = await race(12, (index) =>
      index % 2 === 0
        ? books.call("POST", `/invoices/${draft.id}/mark-sent`)
        : books.call("POST", `/invoices/${draft.id}/mark-paid`)
    )
    expect((statuses(answers)[500] ?? 0) + (statuses(answers)[503] ?? 0)).toBe(0)
    expect(await books.invoice(draft.id)).toMatchObject({ number: "INV-2026-0001", status: "paid", amount_paid: 121 })
    expect((await books.issued()).number).toBe("INV-2026-0002")
  })
})

const allNumbers = (organization_id: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ number: string }>`
      select number from invoices where organization_id = ${organization_id} and number is not null order by number`
    return numbersOf(rows)
  })

const outboxRefuses = (organization_id: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { transaction } = yield* Database
    yield* transaction(
      sql.unsafe(`alter table outbox add constraint refuses check (organization_id <> ${organization_id}) not valid`)
    )
  })

const outboxAccepts = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`alter table outbox drop constraint refuses`)

const to = { recipients: "ap@beta.example", attach_pdf: false }
let books: Books
beforeAll(async () => {
  books = await open()
})

const kinds = [
  ["invoice", "/invoices", () => books.body()],
  ["quote", "/quotes", () => ({ ...books.body(), valid_until: "2999-03-31" })],
  ["credit_note", "/credit-notes", async () => ({ invoice_id: (await books.issued()).id, amount: 1, reason: "less" })]
] as const

describe("the number of a document", () => {
  it.each(kinds)("of kind %s is answered under its own name, too, wherever it is", async (kind, path, body) => {
    const alias = `${kind}_number`
    const draft = await books.made("POST", path, await body())
    expect([draft.number, draft[alias]]).toEqual([null, null])
    const sent = await books.made("POST", `${path}/${draft.id}/send`, to)
    expect(sent.number).toMatch(/^(INV|QUO|CN)-\d{4}-0001$|^INV-\d{4}-\d{4}$/)
    const [listed] = (await books.made("GET", path)).filter(({ id }: { id: number }) => id === draft.id)
    const { events } = await app.run(verifiedAuditLog(books.id))
    const told = events.findLast(({ data }) => data.object === kind && data.id === draft.id)?.data.attributes ?? {}
    expect(told).toHaveProperty(alias, told.number)
    for (const answer of [sent, listed, await books.made("GET", `${path}/${draft.id}`)])
      expect([answer.number, answer[alias]]).toEqual([sent.number, sent.number])
  })

  it("is refused with 422 under either name in a change, which changes nothing", async () => {
    for (const [kind, path, body] of kinds.slice(0, 2)) {
      const draft = await books.made("POST", path, await body())
      const before = await app.run(digestOf(books.id))
      for (const field of ["number", `${kind}_number`]) {
        const answer = await books.call("PUT", `${path}/${draft.id}`, { [field]: "X-1", notes: "x" })
        expect([field, answer.status, Object.keys(answer.body.errors)]).toEqual([field, 422, [field]])
      }
      expect(await app.run(digestOf(books.id))).toEqual(before)
    }
  })
})
