import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { type Books, line, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { seedMember } from "../../support/database/Seed.ts"

const { app, open } = useBilling()
let books: Books
let theirs: Books

beforeAll(async () => {
  books = await open()
  theirs = await open()
})

const stored = () =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [invoices] = yield* sql<{ count: number }>`
        select count(*) as count from invoices where organization_id = ${books.id}`
      const { entries, events } = yield* verifiedAuditLog(books.id)
      return [invoices?.count, entries.length, events.length]
    })
  )

/** Expects a refusal on exactly these fields, after which nothing is written. */
const refuses = async (body: object, fields: ReadonlyArray<string>) => {
  const before = await stored()
  const answer = await books.call("POST", "/invoices", body)
  expect([answer.status, answer.body.code, Object.keys(answer.body.errors ?? {})]).toEqual([
    422,
    "validation_failed",
    fields
  ])
  expect(await stored()).toEqual(before)
  return answer.body
}
const refusesLine = (changes: object, fields: ReadonlyArray<string>) =>
  refuses(
    books.body({ items: [line(100, changes)] }),
    fields.map((field) => `items.0.${field}`)
  )

const lines = (count: number) => ({ items: Array.from({ length: count }, () => line(1)) })
const described = (description: string) => ({ items: [line(1, { description })] })

describe("POST /api/v1/invoices, refused", () => {
  it("answers 422 with every missing field, and counts them", async () => {
    const required = ["customer_id", "issue_date", "due_date", "currency", "items"]
    const { errors, message } = await refuses({}, required)
    expect(message).toBe("The customer_id field is required. (and 4 more errors)")
    expect(errors.currency).toEqual(["The currency field is required."])
    await refuses(books.body({ items: [{}] }), ["items.0.description", "items.0.unit_price"])
  })

  it("answers 422 for an intra-community supply of a seller outside of the EU, unless it is registered there", async () => {
    const claimed = { items: [line(1), line(1, { tax_exempt: true, tax_exemption_reason: "K" })] }
    expect((await books.draft(claimed)).items[1]?.tax_exemption_reason).toBe("K")
    const british = await open({ country: "GB", rates: [20] })
    const refused = async () => {
      const { body, status } = await british.call("POST", "/invoices", british.body(claimed))
      return [status, body.errors]
    }
    const said =
      "The items.1.tax_exemption_reason field may not be an intra-community supply (K), " +
      "because the organization is outside of the EU: use G."
    expect(await refused()).toEqual([422, { "items.1.tax_exemption_reason": [said] }])
    const reason = { description: "Freight", tax_exempt: true, tax_exemption_reason: "K" }
    for (const kind of ["discounts", "charges"]) {
      const adjusted = british.body({ [kind]: [{ ...reason, amount: 1 }] })
      const { body, status } = await british.call("POST", "/invoices", adjusted)
      expect([status, Object.keys(body.errors)]).toEqual([422, [`${kind}.0.tax_exemption_reason`]])
    }
    const rate = (category: string) =>
      app.run(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`update tax_rates set category = ${category}, rate = 0 where organization_id = ${british.id}`
        )
      )
    await rate("K")
    const { body } = await british.call("POST", "/invoices", british.body())
    expect(Object.keys(body.errors)).toEqual(["items.0.tax_rate_ids.0"])
    await rate("G")
    for (const tax_number of ["XI123456782", "el123456783"]) {
      await british.made("PUT", `/organizations/${british.id}`, { tax_number })
      expect((await british.draft(claimed)).items[1]?.tax_exemption_reason).toBe("K")
    }
    await british.made("PUT", `/organizations/${british.id}`, { tax_number: "GB123456782" })
    expect((await refused())[0]).toBe(422)
  })

  it("answers 422 on customer_id for an unknown, foreign or deleted customer", async () => {
    const { id: deleted } = await books.made("POST", "/customers", { name: "Gone" })
    await books.made("DELETE", `/customers/${deleted}`)
    for (const customer_id of [999_999, theirs.customer_id, deleted]) {
      await refuses(books.body({ customer_id }), ["customer_id"])
    }
    for (const customer_id of [0, -1, 1.5, "1", null, 2_147_483_648]) {
      await refuses(books.body({ customer_id }), ["customer_id"])
    }
  })

  it("answers 422 on the very place of an unknown or foreign tax rate", async () => {
    const own = books.tax_rate_ids[0]
    const foreign = theirs.tax_rate_ids[0]
    const items = [line(1, { tax_rate_ids: [own, foreign] }), line(1, { tax_rate_ids: [999_999] })]
    const places = ["items.0.tax_rate_ids.1", "items.1.tax_rate_ids.0"]
    await refuses(books.body({ items }), places)
    await refuses(books.body({ items, customer_id: theirs.customer_id }), ["customer_id", ...places])
    await refusesLine({ tax_rate_ids: [own, own] }, ["tax_rate_ids"])
  })

  it("answers 422 on a line that is exempt and names a rate, or gives a reason without being exempt", async () => {
    await refusesLine({ tax_exempt: true, tax_rate_ids: books.tax_rate_ids }, ["tax_rate_ids"])
    await refusesLine({ tax_exemption_reason: "AE" }, ["tax_exemption_reason"])
    await refusesLine({ tax_exempt: true, tax_exemption_reason: "X" }, ["tax_exemption_reason"])
  })

  it("accepts 1 and 500 lines, and answers 422 for 0, 501 and other values than a list", async () => {
    expect((await books.draft(lines(1))).total).toBe(1.21)
    expect(await books.draft(lines(500))).toMatchObject({ subtotal: 500, tax_total: 105, total: 605 })
    await refuses(books.body(lines(0)), ["items"])
    await refuses(books.body(lines(501)), ["items"])
    await refuses(books.body({ items: {} }), ["items"])
    await refuses(books.body({ items: null }), ["items"])
  })

  it("accepts a description of 1 and 2,000 characters, and answers 422 for 0, blanks, 2,001 and control characters", async () => {
    expect((await books.draft(described("x"))).items[0].description).toBe("x")
    expect((await books.draft(described("é".repeat(2_000)))).items[0].description).toHaveLength(2_000)
    for (const description of ["", "  ", "x".repeat(2_001), "a\u0000b", "\ud800", 5, null]) {
      await refusesLine({ description }, ["description"])
    }
  })

  it("accepts six decimals, and answers 422 for a seventh", async () => {
    const [item] = (await books.draft({ items: [line(0.123456, { quantity: 0.000001 })] })).items
    expect([item.unit_price, item.quantity]).toEqual([0.123456, 0.000001])
    await refusesLine({ quantity: 0.0000001 }, ["quantity"])
    await refusesLine({ quantity: "1.0000001" }, ["quantity"])
    await refusesLine({ unit_price: 0.1234567 }, ["unit_price"])
    await refusesLine({ discount: "0.1234567" }, ["discount"])
  })

  it("answers 422 for a quantity or price that is not a number, out of range or not positive", async () => {
    for (const quantity of [0, "0", -1, "NaN", "Infinity", "1e5", "", " 1", "1,5", "0x10", true, [], {}]) {
      await refusesLine({ quantity }, ["quantity"])
    }
    for (const unit_price of ["NaN", "12.5O", 1_000_000_000_000, "1000000000000", "9".repeat(60), null]) {
      await refusesLine({ unit_price }, ["unit_price"])
    }
    const infinite = JSON.stringify(books.body()).replace('"unit_price":100', '"unit_price":1e999')
    const before = await stored()
    const answer = await app.call("POST", "/api/v1/invoices", {
      token: books.owner.token,
      organization: books.id,
      body: infinite
    })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ["items.0.unit_price"]])
    expect(await stored()).toEqual(before)
  })

  it("accepts a discount of 100 %, and answers 422 for more, a negative one, or an unknown type or unit", async () => {
    expect((await books.draft({ items: [line(80, { discount: 100 })] })).total).toBe(0)
    await refusesLine({ discount: 100.01 }, ["discount"])
    await refusesLine({ discount: -1 }, ["discount"])
    await refusesLine({ discount_type: "half" }, ["discount_type"])
    await refusesLine({ unit: "fortnightly" }, ["unit"])
  })

  it("accepts a rebate line, and answers 422 on items for a total below zero or beyond the columns", async () => {
    expect((await books.draft({ items: [line(100), line(-40)] })).total).toBe(72.6)
    await refuses(books.body({ items: [line(10), line(-10.01)] }), ["items"])
    const huge = 999_999_999_999
    // Each of these two lines is too large, although their sum is zero.
    await refuses(books.body({ items: [line(huge, { quantity: 2 }), line(-huge, { quantity: 2 })] }), ["items"])
    await refuses(books.body({ items: [line(huge, { quantity: 2 })] }), ["items"])
    await refuses(books.body({ items: [line(huge)] }), ["items"])
    // The sum of the taxed lines is too large, and so is that of the exempt lines, although all lines together are
    // zero.
    const pairs = [line(huge / 2), line(-huge / 2, { tax_exempt: true })]
    expect((await books.issued({ items: pairs })).subtotal).toBe(0)
    await refuses(books.body({ items: [...pairs, ...pairs, ...pairs] }), ["items"])
    // The total is zero, but the sum of the discounts is too large to be stored.
    await refuses(books.body({ items: [line(huge, { discount: 100 }), line(huge, { discount: 100 })] }), ["items"])
    // The taxes bring the total back into range, but the sum of the lines is too large to be stored.
    const rebates = Array.from({ length: 3 }, () => line(-800_000_000_000, { tax_exempt: true }))
    const doubled = await open({ rates: [100, 100] })
    const taxed = line(900_000_000_000, { tax_rate_ids: doubled.tax_rate_ids })
    const answer = await doubled.call("POST", "/invoices", doubled.body({ items: [taxed, ...rebates] }))
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ["items"]])
  })

  it("answers 422 for a due date before the issue date, and for invalid days", async () => {
    const { errors } = await refuses(books.body({ issue_date: "2026-03-02", due_date: "2026-03-01" }), ["due_date"])
    expect(errors.due_date).toEqual(["The due_date field must not be before the issue date."])
    for (const issue_date of ["2026-02-30", "2026-3-1", "01/03/2026", "2026-03-01T12:00:00Z", 20260301, ""]) {
      await refuses(books.body({ issue_date }), ["issue_date"])
    }
    const { due_date, issue_date } = await books.draft({ issue_date: "2026-03-01T00:00:00Z", due_date: "2026-03-01" })
    expect([issue_date, due_date]).toEqual(["2026-03-01", "2026-03-01"])
  })

  it("answers 422 for an unknown currency, and for notes and terms over 5,000 characters", async () => {
    for (const currency of ["EURO", "eur", "XXX", "", 978]) await refuses(books.body({ currency }), ["currency"])
    await refuses(books.body({ notes: "x".repeat(5_001), terms: "x".repeat(5_001) }), ["notes", "terms"])
    expect((await books.draft({ notes: "x".repeat(5_000), terms: null })).terms).toBeNull()
  })

  it("answers 403 to a viewer and 404 to everybody else's invoice", async () => {
    const viewer = await app.run(seedMember(books.id, "viewer"))
    const before = await stored()
    const refused = await books.call("POST", "/invoices", books.body(), { token: viewer.token })
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"])
    const { id } = await theirs.issued()
    const missing = await books.call("GET", "/invoices/999999")
    for (const [method, path] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/duplicate"],
      ["POST", "/mark-sent"],
      ["POST", "/mark-paid"],
      ["GET", "/pdf"],
      ["GET", "/payments/summary"]
    ] as const) {
      const answer = await books.call(method, `/invoices/${id}${path}`, method === "PUT" ? {} : undefined)
      expect([method, path, answer.status, answer.text]).toEqual([method, path, 404, missing.text])
    }
    for (const id of ["0", "01", "1e0", "-1", "abc", "99999999999", "%00"]) {
      expect((await books.call("GET", `/invoices/${id}`)).status).toBe(404)
    }
    expect(await stored()).toEqual(before)
    expect(await theirs.invoice(id)).toMatchObject({ status: "sent", version: 2 })
  })
})
