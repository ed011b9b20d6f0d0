import { describe, expect, it } from "vitest"
import { type Books, useBilling } from "../../support/Billing.ts"

const { app, open } = useBilling()

const numbersOf = (invoices: ReadonlyArray<{ readonly number: string }>) => invoices.map(({ number }) => number)
const issuedIn = (books: Books, ...days: ReadonlyArray<string>) =>
  days.reduce<Promise<ReadonlyArray<{ number: string }>>>(
    async (issued, issue_date) => [...(await issued), await books.issued({ issue_date })],
    Promise.resolve([])
  )

const year_2026 = { key: "invoice_next_number_year", value: 2026 }

describe("the setting invoice_next_number", () => {
  it("applies to the year in which it is set, even if the first invoice after that belongs to another year", async () => {
    const books = await open()
    const year = new Date().getFullYear()
    await books.made("PUT", `/organizations/${books.id}`, { settings: [{ key: "invoice_next_number", value: 116 }] })
    const { settings } = await books.made("GET", `/organizations/${books.id}`)
    expect(settings).toContainEqual({ key: "invoice_next_number_year", value: year })
    const issued = await issuedIn(books, ...[year - 1, year + 1, year, year].map((each) => `${each}-01-01`))
    expect(numbersOf(issued)).toEqual([
      `INV-${year - 1}-0001`,
      `INV-${year + 1}-0001`,
      `INV-${year}-0116`,
      `INV-${year}-0117`
    ])
  })

  it("applies to the year that is named, and can be the same number in another year", async () => {
    const books = await open()
    const set = (...settings: ReadonlyArray<object>) => books.call("PUT", `/organizations/${books.id}`, { settings })
    await set({ key: "invoice_next_number", value: 50 }, { key: "invoice_next_number_year", value: 2019 })
    expect(numbersOf(await issuedIn(books, "2026-01-01", "2019-12-31"))).toEqual(["INV-2026-0001", "INV-2019-0050"])
    expect((await set(year_2026)).status).toBe(200)
    expect(numbersOf(await issuedIn(books, "2026-01-01", "2019-12-31"))).toEqual(["INV-2026-0050", "INV-2019-0051"])
    const { body, status } = await set({ key: "invoice_next_number_year", value: 2019 })
    expect([status, Object.keys(body.errors)]).toEqual([422, ["settings.0.value"]])
  })

  it("applies to the new year if the same number is sent again without its year", async () => {
    const year = new Date().getFullYear()
    const books = await open({ settings: { invoice_next_number: 143, invoice_next_number_year: year - 1 } })
    const again = { settings: [{ key: "invoice_next_number", value: 143 }] }
    const path = `/organizations/${books.id}`
    const { settings: unchanged } = await books.made("GET", path)
    const { settings } = await books.made("PUT", path, { settings: unchanged })
    expect(settings).toContainEqual({ key: "invoice_next_number_year", value: year - 1 })
    await books.made("PUT", path, again)
    expect(numbersOf(await issuedIn(books, `${year}-01-01`))).toEqual([`INV-${year}-0143`])
    await app.inDatabase(`update organizations set settings = settings || '{"invoice_next_number_year": 1999}'
      where id = ${books.id}`)
    const { body, status } = await books.call("PUT", path, again)
    expect([status, Object.keys(body.errors)]).toEqual([422, ["settings.0.value"]])
  })

  it("does not matter to the series of an earlier version, which stored no first number", async () => {
    const books = await open()
    await issuedIn(books, "2026-01-01", "2026-01-01")
    await app.inDatabase(`update document_counters set asked = null where organization_id = ${books.id}`)
    expect(numbersOf(await issuedIn(books, "2026-01-01"))).toEqual(["INV-2026-0003"])
  })

  it("set by an earlier version is the first number of its first series only", async () => {
    const books = await open({ settings: { invoice_next_number: 116 } })
    const year = new Date().getFullYear()
    const issued = await issuedIn(books, `${year - 1}-01-01`, `${year}-01-01`, `${year}-01-02`)
    expect(numbersOf(issued)).toEqual([`INV-${year - 1}-0001`, `INV-${year}-0116`, `INV-${year}-0117`])
  })

  it("set by an earlier version is not noted as asked for in the series of another year that passes it", async () => {
    const books = await open({ settings: { invoice_next_number: 3 } })
    const year = new Date().getFullYear()
    await app.inDatabase(`insert into document_counters (organization_id, document, series, next, asked)
      values (${books.id}, 'invoice', '${year - 1}', 4, 3)`)
    const issued = await issuedIn(books, ...["01", "02", "03"].map((day) => `${year}-01-${day}`))
    expect(numbersOf(issued).at(-1)).toBe(`INV-${year}-0003`)
    const noted = await app.inDatabase(`select canonical::jsonb -> 'data' ->> 'first' as first
      from audit_entries where organization_id = ${books.id} and canonical::jsonb ->> 'action' = 'invoice.issued' order by seq`)
    expect(noted).toEqual([{ first: null }, { first: null }, { first: null }])
  })

  it("is the first number of one year only", async () => {
    const books = await open({ settings: { invoice_next_number: 116, invoice_next_number_year: 2026 } })
    const issued = await issuedIn(books, "2026-01-01", "2026-01-02", "2027-01-01")
    expect(numbersOf(issued)).toEqual(["INV-2026-0116", "INV-2026-0117", "INV-2027-0001"])
  })

  it("jumps to a next number set later, and never goes back", async () => {
    const books = await open()
    const next = async (value: number) => {
      await books.made("PUT", `/organizations/${books.id}`, {
        settings: [{ key: "invoice_next_number", value }, year_2026]
      })
      return (await books.issued()).number
    }
    await books.issued()
    expect([await next(10), await next(11), await next(15)]).toEqual([
      "INV-2026-0010",
      "INV-2026-0011",
      "INV-2026-0015"
    ])
    const settings = [
      { key: "invoice_number_on", value: "create" },
      { key: "invoice_next_number", value: 14 },
      year_2026
    ]
    const { body, status } = await books.call("PUT", `/organizations/${books.id}`, { settings })
    expect([status, body.errors]).toEqual([
      422,
      {
        "settings.1.value": ["The settings.1.value field must be at least 16, the next number of 2026."]
      }
    ])
    await books.made("PUT", `/organizations/${books.id}`, {
      settings: [{ key: "invoice_next_number", value: 15 }, year_2026]
    })
  })

  it("jumps in one year, also when there are numbers of another year, and begins the next year with 1", async () => {
    const books = await open()
    await issuedIn(books, "2025-12-31", "2026-01-01")
    const settings = [{ key: "invoice_next_number", value: 700 }, year_2026]
    await books.made("PUT", `/organizations/${books.id}`, { settings })
    const issued = await issuedIn(books, "2026-01-02", "2026-01-03", "2025-12-31", "2027-01-01", "2027-01-02")
    expect(numbersOf(issued)).toEqual([
      "INV-2026-0700",
      "INV-2026-0701",
      "INV-2025-0002",
      "INV-2027-0001",
      "INV-2027-0002"
    ])
  })

  it("applies to one year, even if it was the next number anyway", async () => {
    const books = await open({ settings: { invoice_number_on: "create" } })
    await issuedIn(books, "2026-01-01")
    await books.made("PUT", `/organizations/${books.id}`, {
      settings: [{ key: "invoice_next_number", value: 2 }, year_2026]
    })
    expect(numbersOf(await issuedIn(books, "2026-01-02", "2027-01-01"))).toEqual(["INV-2026-0002", "INV-2027-0001"])
  })

  it("jumps even if another year has more numbers", async () => {
    const books = await open()
    await issuedIn(books, ...Array.from({ length: 6 }, () => "2025-12-31"), "2026-01-01")
    await books.made("PUT", `/organizations/${books.id}`, {
      settings: [{ key: "invoice_next_number", value: 4 }, year_2026]
    })
    const issued = await issuedIn(books, "2026-01-02", "2026-01-03", "2025-12-31", "2027-01-01")
    expect(numbersOf(issued)).toEqual(["INV-2026-0004", "INV-2026-0005", "INV-2025-0007", "INV-2027-0001"])
  })
})
