import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { no_details, pick, line } from "../../support/Billing.ts"
import { seedMember } from "../../support/database/Seed.ts"
import { type QuoteBooks, states, useQuotes } from "./QuoteBooks.ts"
import * as fc from "fast-check"
import { runs } from "../../support/service/Runs.ts"

const { app, eventsOf, expire, open } = useQuotes()
let books: QuoteBooks

beforeAll(async () => {
  books = await open()
})

const dayIn = (timeZone: string) => new Intl.DateTimeFormat("en-CA", { timeZone }).format(Date.now())

/** Runs an SQL statement that a constraint of the database must refuse, and returns the error. */
const refused = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  app.run(Effect.flip(Effect.flatMap(SqlClient.SqlClient, statement)))

describe("GET /api/v1/quotes", () => {
  it("filters by status, dates and customer, newest first and without lines", async () => {
    const own = await open()
    const made: Record<string, number> = {}
    for (const state of states) made[state] = (await own.inState(state, expire)).id
    for (const state of states) {
      const { data, meta } = (await own.call("GET", `/quotes?status=${state}`)).body
      expect([state, meta.total, data.map(({ id }: { id: number }) => id)]).toEqual([state, 1, [made[state]]])
      const quote = await own.quote(made[state] ?? 0)
      expect(data[0]).toEqual(pick(quote, Object.keys(data[0])))
      const left_out = Object.keys(quote).filter((field) => !(field in data[0]))
      const { embedded_attachment_ids: _, ...details } = no_details
      expect(left_out.toSorted()).toEqual(
        ["items", "discounts", "charges", "tax_breakdown", ...Object.keys(details)].toSorted()
      )
    }
    const idsOf = async (query: string) =>
      (await own.call("GET", `/quotes?${query}`)).body.data.map(({ id }: { id: number }) => id)
    const all = await idsOf("")
    expect([all.length, all.at(-1)]).toEqual([states.length, made["expired"]])
    expect(await idsOf("date_to=2020-12-31")).toEqual([made["expired"]])
    expect(await idsOf("date_from=2020-12-31&per_page=2&page=2")).toEqual(all.slice(2, 4))
    expect(await idsOf(`customer_id=${books.customer_id}`)).toEqual([])
    for (const query of ["status=lost", "date_from=x", "customer_id=x"]) {
      expect([query, (await own.call("GET", `/quotes?${query}`)).status]).toEqual([query, 422])
    }
    const statistics = await own.made("GET", `/organizations/${own.id}/statistics`)
    expect(statistics.quotes).toBe(states.length)
    await own.made("DELETE", `/quotes/${made["draft"]}`)
    expect((await own.made("GET", `/organizations/${own.id}/statistics`)).quotes).toBe(states.length - 1)
  })

  it("finds a quote by the end of its number or order, by its external id, and by its customer", async () => {
    const own = await open()
    const { id: customer_id } = await own.made("POST", "/customers", { name: "Søren & Sønner" })
    const body = { ...own.body({ customer_id }), valid_until: "2999-03-31" }
    const named = await own.made("POST", "/quotes", { ...body, purchase_order: "PO-4500/7781", external_id: "crm%17" })
    await own.made("POST", `/quotes/${named.id}/mark-accepted`)
    const { number } = await own.quote(named.id)
    await own.offered()
    const found = async (search: string, more = "") => {
      const { data, meta } = (await own.call("GET", `/quotes?search=${encodeURIComponent(search)}${more}`)).body
      expect([search, more, "total" in meta ? meta.total : data.length]).toEqual([search, more, data.length])
      return data.map(({ id }: { id: number }) => id)
    }
    for (const search of [number, "po 45007781", "crm%17", "soren", "SØNNER"]) {
      for (const more of ["", "&sort=valid_until", "&cursor=", "&status=accepted"]) {
        expect([search, more, await found(search, more)]).toEqual([search, more, [named.id]])
      }
    }
    for (const search of ["crm_17", "7782", "nobody", "--"]) expect([search, await found(search)]).toEqual([search, []])
    const foreign = (await books.call("GET", `/quotes?search=${number}`)).body.data
    expect(foreign.map(({ id }: { id: number }) => id)).not.toContain(named.id)
  })

  it("sorts by the last day", async () => {
    const own = await open()
    const days = ["2999-03-02", "2999-03-01", "2999-03-03"]
    for (const valid_until of days) await own.offered({ valid_until })
    const { data } = (await own.call("GET", "/quotes?sort=valid_until")).body
    expect(data.map((quote: { valid_until: string }) => quote.valid_until)).toEqual(days.toSorted())
  })

  it("expires a quote the day after its last, in the organization's own time zone", async () => {
    const [east, west] = ["Pacific/Kiritimati", "Pacific/Pago_Pago"]
    // The two time zones are 25 hours apart, so they never have the same day.
    const valid_until = dayIn("Pacific/Pago_Pago")
    for (const [timezone, status] of [
      [east, "expired"],
      [west, "sent"]
    ] as const) {
      const own = await open({ timezone: timezone ?? "" })
      const quote = await own.offered({ issue_date: "2020-01-01", valid_until })
      expect([timezone, quote.status]).toEqual([timezone, status])
      expect((await own.call("GET", `/quotes?status=${status}`)).body.meta.total).toBe(1)
    }
  })
})

describe("GET /api/v1/customers/{id}/invoices and /quotes", () => {
  it("answer the customer's own documents, filtered by status", async () => {
    const own = await open()
    const { id: other } = await own.made("POST", "/customers", { name: "Gamma" })
    await own.draft({ customer_id: other })
    await own.quoted({ customer_id: other })
    const invoice = await own.issued()
    const quote = await own.offered()
    const list = async (path: string) => (await own.call("GET", `/customers/${own.customer_id}/${path}`)).body
    for (const [path, document] of [
      ["invoices", invoice],
      ["quotes", quote]
    ] as const) {
      const { data, links, meta } = await list(`${path}?status=sent&per_page=1`)
      expect([data.length, data[0].id, meta.total]).toEqual([1, document.id, 1])
      expect(links.first).toBe(`${app.url}/api/v1/customers/${own.customer_id}/${path}?status=sent&per_page=1&page=1`)
      expect((await list(`${path}?status=draft`)).meta.total).toBe(0)
      expect((await own.call("GET", `/customers/${own.customer_id}/${path}?status=x`)).status).toBe(422)
      expect((await own.call("GET", `/customers/${books.customer_id}/${path}`)).status).toBe(404)
      expect((await own.call("GET", `/customers/999999/${path}`)).status).toBe(404)
    }
  })

  it("asks customers:read and invoices:read for the invoices", async () => {
    for (const [scopes, path, status] of [
      [["customers:read"], "invoices", 403],
      [["invoices:read"], "invoices", 403],
      [["customers:read", "invoices:read"], "invoices", 200],
      [["customers:read", "invoices:read"], "quotes", 403],
      [["quotes:read"], "quotes", 200]
    ] as const) {
      const { token } = await app.run(seedMember(books.id, "owner", [...scopes]))
      const answer = await books.call("GET", `/customers/${books.customer_id}/${path}`, undefined, { token })
      expect([scopes, path, answer.status]).toEqual([scopes, path, status])
    }
  })
})

describe("the constraints of the table", () => {
  it("refuse a sent quote without a number and a second invoice of a quote", async () => {
    const draft = await books.quoted()
    const quote = await books.offered()
    const { id } = await books.done(quote, "convert-to-invoice")
    const { id: second } = await books.draft()
    await refused((sql) => sql`update quotes set status = 'sent' where id = ${draft.id}`)
    await refused((sql) => sql`update quotes set status = 'draft' where id = ${quote.id}`)
    await refused((sql) => sql`update invoices set quote_id = ${quote.id} where id = ${second}`)
    expect((await books.invoice(id)).quote_id).toBe(quote.id)
  })
})

const quotes_count = 8
const actions = ["PUT", "DELETE", "send", "mark-accepted", "mark-rejected", "convert-to-invoice", "duplicate"] as const

const Step = fc.record({
  quote: fc.nat(quotes_count - 1),
  action: fc.constantFrom(...actions)
})

describe("quotes under many hands", () => {
  it("answer every action with what their table says, decide once, and leave whole books", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { minLength: 40, maxLength: 60 }), async (steps) => {
        const books = await open()
        const ids: Array<number> = []
        for (let index = 0; index < quotes_count; index++)
          ids.push((await books.quoted({ items: [line(index + 1)] })).id)
        const answers = await Promise.all(
          steps.map(async ({ action, quote }) => {
            const path = `/quotes/${ids[quote]}`
            const answer =
              action === "PUT" || action === "DELETE"
                ? await books.call(action, path, action === "PUT" ? { items: [line(9)] } : undefined)
                : await books.call("POST", `${path}/${action}`, action === "send" ? { attach_pdf: false } : undefined)
            return { action, quote, status: answer.status, code: answer.body.code }
          })
        )
        for (const answer of answers)
          expect([answer, [200, 201, 404, 409, 422]]).toEqual([answer, expect.arrayContaining([answer.status])])
        for (const [index, id] of ids.entries()) {
          const made = (action: string, status: number) =>
            answers.filter((answer) => answer.quote === index && answer.action === action && answer.status === status)
          expect(made("convert-to-invoice", 201).length).toBeLessThanOrEqual(1)
          expect(made("DELETE", 200).length).toBeLessThanOrEqual(1)
          const decided = (await eventsOf(books.id, id)).map(({ type }) => type)
          expect(decided.filter((type) => type === "quote.accepted").length).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: runs(15) }
    )
  })
})
