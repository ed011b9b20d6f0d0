import { beforeAll, describe, expect, it } from "vitest"
import { type Books, no_details, pick, useBilling } from "../../support/Billing.ts"

const { app, open } = useBilling()
let books: Books
/** Ids from the newest to the oldest: by issue date, then by id. */
const newestFirst: Array<number> = []

beforeAll(async () => {
  books = await open()
  for (let month = 1; month <= 12; month++) {
    const issue_date = `2025-${String(month).padStart(2, "0")}-15`
    for (const _ of [1, 2]) newestFirst.unshift((await books.draft({ issue_date })).id)
  }
})

const list = async (query: string) => {
  const { body, status } = await books.call("GET", `/invoices${query}`)
  expect(status).toBe(200)
  return body
}
const idsOf = (body: { data: ReadonlyArray<{ id: number }> }) => body.data.map(({ id }) => id)

const due = (day: number) => ({ issue_date: "2026-03-01", due_date: `2026-03-${day}` })

/** Returns a text by which invoices sort in the order of the list. */
const place = ({ id, issue_date }: { id: number; issue_date: string }) => `${issue_date} ${String(id).padStart(9, "0")}`

describe("GET /api/v1/invoices", () => {
  it("answers newest first, 25 to a page, without lines", async () => {
    const body = await list("")
    expect(idsOf(body)).toEqual(newestFirst)
    expect(body).toMatchObject({ success: true, meta: { per_page: 25, total: 24, current_page: 1, last_page: 1 } })
    expect(body.data[0].items).toBeUndefined()
    const invoice = await books.invoice(newestFirst[0] ?? 0)
    expect(body.data[0]).toEqual(pick(invoice, Object.keys(body.data[0])))
    const left_out = Object.keys(invoice).filter((field) => !(field in body.data[0]))
    expect(left_out.toSorted()).toEqual(
      ["items", "discounts", "charges", "tax_breakdown", ...Object.keys(no_details)].toSorted()
    )
  })

  it("walks through all pages by their links, every invoice once", async () => {
    const seen: Array<number> = []
    let next: string | null = "/api/v1/invoices?per_page=7"
    while (next !== null) {
      const { body } = await app.call("GET", next, { token: books.owner.token, organization: books.id })
      seen.push(...idsOf(body))
      next = body.links.next === null ? null : body.links.next.replace(app.url, "")
      expect(seen.length).toBeLessThanOrEqual(24)
    }
    expect(seen).toEqual(newestFirst)
  })

  it("answers links and counts of a page in between, with its filters", async () => {
    const { links, meta } = await list("?status=draft&per_page=10&page=2")
    const path = `${app.url}/api/v1/invoices`
    const link = (page: number) => `${path}?status=draft&per_page=10&page=${page}`
    expect(links).toEqual({ first: link(1), last: link(3), prev: link(1), next: link(3) })
    expect(meta).toEqual({ current_page: 2, from: 11, last_page: 3, path, per_page: 10, to: 20, total: 24 })
  })

  it("answers an empty page beyond the last, with the true total", async () => {
    const { data, links, meta } = await list("?per_page=10&page=9")
    expect(data).toEqual([])
    expect(meta).toMatchObject({ current_page: 9, from: null, to: null, last_page: 3, total: 24 })
    expect([links.prev?.endsWith("page=3"), links.next]).toEqual([true, null])
  })

  it.each([
    ["0", 1],
    ["-5", 1],
    ["101", 100],
    ["99999999999999999999", 100],
    ["ten", 25],
    ["1.5", 25],
    ["", 25],
    ["100", 100]
  ])("reads per_page=%s as %i", async (text, per_page) => {
    const { data, meta } = await list(`?per_page=${text}`)
    expect([meta.per_page, data.length]).toEqual([per_page, Math.min(per_page, 24)])
  })

  it("answers the invoices issued between two days, both included", async () => {
    const between = await list("?date_from=2025-03-15&date_to=2025-04-15")
    expect(between.data.map(({ issue_date }: { issue_date: string }) => issue_date)).toEqual([
      "2025-04-15",
      "2025-04-15",
      "2025-03-15",
      "2025-03-15"
    ])
    expect((await list("?date_from=2025-12-16")).meta.total).toBe(0)
    expect((await list("?date_to=2025-01-14")).meta.total).toBe(0)
    expect((await list("?date_from=2025-05-01&date_to=2025-04-01")).meta.total).toBe(0)
  })

  it("answers the open invoices that are due between two days, both included, in every order", async () => {
    const theirs = await open()
    const [, second, third] = [
      await theirs.issued(due(10)),
      await theirs.issued(due(20)),
      await theirs.issued({ ...due(30), issue_date: "2026-02-01" })
    ]
    await theirs.draft(due(25))
    const paid = await theirs.issued(due(25))
    await theirs.made("POST", `/invoices/${paid.id}/mark-paid`)
    for (const [query, ids] of [
      ["due_from=2026-03-20&due_to=2026-03-30", [second.id, third.id]],
      ["due_from=2026-03-20&sort=due_date", [second.id, third.id]],
      ["due_from=2026-03-20&sort=-due_date&cursor=", [third.id, second.id]],
      ["due_from=2026-03-20&date_to=2026-02-28", [third.id]],
      ["due_from=2026-03-11&due_to=2026-03-29", [second.id]],
      [`due_from=2026-03-20&customer_id=${theirs.customer_id}`, [second.id, third.id]],
      [`due_to=2026-03-20&search=${second.number}`, [second.id]],
      ["due_from=2026-03-11&due_to=2026-03-29&status=unpaid", [second.id]],
      ["due_from=2026-03-11&due_to=2026-03-29&status=paid", []],
      ["due_from=2026-03-30&due_to=2026-03-11", []]
    ] as const) {
      const { body, status } = await theirs.call("GET", `/invoices?${query}`)
      expect([query, status, idsOf(body), body.meta.total ?? ids.length]).toEqual([query, 200, ids, ids.length])
    }
  })

  it("answers the invoices of one customer", async () => {
    const { id: customer_id } = await books.made("POST", "/customers", { name: "Gamma" })
    const { id } = await books.draft({ customer_id })
    expect(idsOf(await list(`?customer_id=${customer_id}`))).toEqual([id])
    expect((await list("?customer_id=999999")).meta.total).toBe(0)
    await books.made("DELETE", `/invoices/${id}`)
  })

  it("finds an issued invoice by its number or payment reference, and by how they end, however punctuated", async () => {
    const theirs = await open()
    const [one, two] = [await theirs.issued(), await theirs.issued()]
    const found = async (search: string) =>
      idsOf((await theirs.call("GET", `/invoices?search=${encodeURIComponent(search)}`)).body)
    for (const { id, number, payment_reference } of [one, two]) {
      expect(await found(number)).toEqual([id])
      expect(await found(` ${number.toLowerCase().replaceAll("-", " ")} `)).toEqual([id])
      expect(await found(number.slice(-4))).toEqual([id])
      expect(await found(payment_reference)).toEqual([id])
      expect(await found(payment_reference.replaceAll(/\D/g, ""))).toEqual([id])
      expect(await found(number.slice(0, -1))).toEqual([])
    }
    expect(await found("2")).toEqual([])
    expect(await found(" - ")).toEqual([])
    const { body } = await theirs.call("GET", `/invoices?search=${one.number}&status=draft`)
    expect([body.data, body.meta.total]).toEqual([[], 0])
    expect((await list(`?search=${one.number}`)).meta.total).toBe(0)
  })

  it("finds an invoice by its whole external id", async () => {
    const { id } = await books.draft({ external_id: "erp_17" })
    expect(idsOf(await list("?search=erp_17"))).toEqual([id])
    expect(idsOf(await list("?search=erp%2517"))).toEqual([])
    await books.draft({ external_id: "--" })
    expect((await list("?search=--")).data.map(({ external_id }: { external_id: string }) => external_id)).toEqual([
      "--"
    ])
    await books.made("DELETE", `/invoices/${id}`)
  })

  it("finds an invoice by the end of the customer's purchase order, by page and in every order", async () => {
    const theirs = await open()
    const { id } = await theirs.draft({ purchase_order: "PO-4500/7781" })
    await theirs.draft({ purchase_order: "PO-4500/7782" })
    await theirs.draft()
    for (const search of ["PO-4500/7781", "po 45007781", "7781"]) {
      for (const more of ["", "&sort=-due_date", "&sort=due_date&cursor="]) {
        const { body } = await theirs.call("GET", `/invoices?search=${encodeURIComponent(search)}${more}`)
        expect([search, more, idsOf(body)]).toEqual([search, more, [id]])
      }
    }
  })

  it("answers every page of every filter as one sorted list would, whatever was written before", async () => {
    const theirs = await open()
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        theirs.draft({
          issue_date: `2025-0${1 + (index % 3)}-1${index % 4}`,
          due_date: index % 2 ? "2025-06-01" : "2999-01-01"
        })
      )
    )
    await Promise.all(made.filter((_, index) => index % 5 > 0).map((draft) => theirs.send(draft)))
    await Promise.all(
      made.map(async ({ id }, index) => {
        if (index % 5 === 1) await theirs.pay(await theirs.invoice(id))
        if (index % 5 === 2) await theirs.pay(await theirs.invoice(id), 1)
        if (index % 10 === 0) await theirs.made("DELETE", `/invoices/${id}`)
        if (index % 10 === 5) await theirs.made("PUT", `/invoices/${id}`, { issue_date: "2025-02-12" })
      })
    )
    const all = (await theirs.call("GET", "/invoices?per_page=100")).body.data
    expect(all.length).toBe(36)
    expect(all.map(place)).toEqual(all.map(place).toSorted().toReversed())
    const open_ = ["sent", "partially_paid", "overdue"]
    for (const status of ["", "draft", "sent", "partially_paid", "paid", "overdue", "unpaid", "credited"]) {
      for (const period of ["", "&date_from=2025-02-01", "&date_from=2025-01-11&date_to=2025-02-12"]) {
        const [, from = "0", , to = "9"] = /from=([\d-]+)(&date_to=([\d-]+))?/.exec(period) ?? []
        const wanted = all.filter(
          (invoice: { status: string; issue_date: string }) =>
            (status === "" || (status === "unpaid" ? open_.includes(invoice.status) : invoice.status === status)) &&
            invoice.issue_date >= from &&
            invoice.issue_date <= to
        )
        for (const customer of ["", `&customer_id=${theirs.customer_id}`]) {
          const seen: Array<number> = []
          const query = `?per_page=7${status === "" ? "" : `&status=${status}`}${period}${customer}`
          for (let page = 1; page <= Math.max(1, Math.ceil(wanted.length / 7)); page++) {
            const { body } = await theirs.call("GET", `/invoices${query}&page=${page}`)
            expect([query, body.meta.total]).toEqual([query, wanted.length])
            seen.push(...idsOf(body))
          }
          expect([query, seen]).toEqual([query, idsOf({ data: wanted })])
        }
      }
    }
  })

  it("answers 422 for an unknown status, an invalid day and an invalid id", async () => {
    for (const [query, field] of [
      ["status=deleted", "status"],
      ["status=Sent", "status"],
      ["status=sent&status=paid", "status"],
      ["date_from=2025-13-01", "date_from"],
      ["date_to=yesterday", "date_to"],
      ["customer_id=abc", "customer_id"]
    ]) {
      const { body, status } = await books.call("GET", `/invoices?${query}`)
      expect([query, status, Object.keys(body.errors ?? {})]).toEqual([query, 422, [field]])
    }
    const { body } = await books.call("GET", "/invoices?customer_id=1e3")
    expect(body.errors).toEqual({ customer_id: ["The customer_id field must be a whole number above 0."] })
  })

  it("answers nothing of another organization", async () => {
    const theirs = await open()
    expect((await theirs.call("GET", "/invoices")).body).toMatchObject({ data: [], meta: { total: 0 } })
    expect((await theirs.call("GET", `/invoices?customer_id=${books.customer_id}`)).body.meta.total).toBe(0)
  })
})
