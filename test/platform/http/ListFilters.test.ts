import { beforeAll, describe, expect, it } from "vitest"
import { creditsOf } from "../../billing/credit-notes/Credits.ts"
import { type Books, paymentBody, useBilling } from "../../support/Billing.ts"
import { unseal } from "../../support/Seals.ts"
import { operations } from "../../contract/document/OpenApi.ts"
import { idsOf } from "./SyncedLists.ts"

const { app, open } = useBilling()
let books: Books
beforeAll(async () => {
  books = await open()
})

const isList = ({ method, parameters, path }: (typeof operations)[number]) =>
  method === "GET" && path.startsWith("/api/v1/") && parameters.some(({ name }) => name === "per_page")

const found = async (path: string) => {
  const { body, status } = await books.call("GET", path)
  expect([path, status]).toEqual([path, 200])
  return idsOf(body.data).toSorted((a, b) => a - b)
}

describe("the links of a list", () => {
  it("keep a filter that contains a question mark, and those after it", async () => {
    const { body } = await books.call("GET", "/invoices?search=Who?&per_page=1&status=draft")
    expect(body.links.first).toBe(`${app.url}/api/v1/invoices?search=Who%3F&per_page=1&status=draft&page=1`)
  })
})

describe("GET /api/v1/payments", () => {
  it("answers the payments of a period, both days included", async () => {
    const invoice = await books.issued()
    const ids: Array<number> = []
    for (const payment_date of ["2026-03-05", "2026-03-06", "2026-03-07"]) {
      ids.push((await books.made("POST", "/payments", paymentBody(invoice.id, 1, { payment_date }))).id)
    }
    expect(await found("/payments?date_from=2026-03-06")).toEqual(ids.slice(1))
    expect(await found("/payments?date_to=2026-03-06&cursor=")).toEqual(ids.slice(0, 2))
    expect(await found("/payments?date_from=2026-03-06&date_to=2026-03-06&sort=id")).toEqual(ids.slice(1, 2))
    expect((await books.call("GET", "/payments?date_from=yesterday")).status).toBe(422)
  })
})

describe("GET /api/v1/credit-notes", () => {
  it("answers the notes that were sent in a period, and no draft", async () => {
    const credits = creditsOf(books)
    const invoice = await books.issued()
    const sent: ReadonlyArray<{ readonly id: number }> = [
      await credits.draft(invoice, 10),
      await credits.draft(invoice, 10)
    ]
    await credits.draft(invoice, 10)
    for (const note of sent) expect((await credits.send(note, { recipients: "a@beta.example" })).status).toBe(200)
    const [first, second] = idsOf(sent)
    await app.run(unseal("credit_notes"))
    await app.inDatabase(`update credit_notes set issue_date = '2026-01-10' where id = ${first}`)
    await app.inDatabase(`update credit_notes set issue_date = '2026-01-11' where id = ${second}`)
    expect(await found("/credit-notes?date_from=2026-01-10&date_to=2026-01-10")).toEqual([first])
    expect(await found("/credit-notes?date_from=2026-01-11&cursor=")).toEqual([second])
    expect(await found("/credit-notes?date_to=2026-12-31")).toEqual([first, second])
  })
})

describe("GET /api/v1/invoices?search=", () => {
  it("finds invoices by their customer's name in each order, and still by their number", async () => {
    const customer = await books.made("POST", "/customers", { name: "Großhandel Łukasz 77", email: "office@else.eu" })
    const draft = await books.draft({ customer_id: customer.id })
    const issued = await books.issued({ customer_id: customer.id })
    const other = await books.issued()
    for (const more of ["", "&cursor=", "&sort=updated_at", "&updated_since=2020-01-01T00:00:00Z", "&status=sent"]) {
      const expected = more === "&status=sent" ? [issued.id] : [draft.id, issued.id]
      for (const search of ["grosshandel", "GROßHANDEL  łukasz", "hande", "kasz 77"]) {
        expect([search, await found(`/invoices?search=${encodeURIComponent(search)}${more}`)]).toEqual([
          search,
          expected
        ])
      }
    }
    expect(await found(`/invoices?search=${other.number}`)).toEqual([other.id])
    expect(await found("/invoices?search=office@else.eu")).toEqual([])
    expect(await found("/invoices?search=gr%25")).toEqual([])
    expect((await books.call("GET", "/invoices?search=grosshandel")).body.meta.total).toBe(2)
  })

  it("finds the drafts of a deleted customer, and none of another organization", async () => {
    const customer = await books.made("POST", "/customers", { name: "Vanished Ltd" })
    const draft = await books.draft({ customer_id: customer.id })
    await books.made("DELETE", `/customers/${customer.id}`)
    expect(await found("/invoices?search=vanished")).toEqual([draft.id])
    const theirs = await open()
    expect((await theirs.call("GET", "/invoices?search=vanished")).body.data).toEqual([])
  })
})

it("says of a parameter that was given twice that it may be given only once", async () => {
  const { body, status } = await books.call(
    "GET",
    "/invoices?per_page=5&per_page=6&status=paid&status=sent&customer_id=x"
  )
  expect([status, body.errors]).toEqual([
    422,
    {
      customer_id: [expect.stringContaining("must be")],
      per_page: ["The per_page field may be given only once."],
      status: ["The status field may be given only once."]
    }
  ])
})

describe("an empty value of a filter", () => {
  it("is the same as no filter, in every list", async () => {
    await books.issued()
    const all = await found("/invoices")
    expect(all.length).toBeGreaterThan(0)
    expect(
      await found("/invoices?status=&customer_id=&date_from=&date_to=&search=&updated_since=&sort=&page=")
    ).toEqual(all)
    expect(await found("/invoices?status=paid&customer_id=")).toEqual(await found("/invoices?status=paid"))
    for (const list of operations.filter(isList)) {
      const optional = list.parameters.filter((one) => one.in === "query" && one.required !== true)
      const path = list.path.replace("/api/v1", "").replace(/\{\w+\}/, String(books.id))
      const required = list.parameters.flatMap((one) =>
        one.in === "query" && one.required === true ? [`${one.name}=2026-03-01`] : []
      )
      const none = await books.call("GET", `${path}?${required.join("&")}`)
      const asked = optional.filter(({ name }) => !["cursor", "external_id"].includes(name))
      const empty = await books.call(
        "GET",
        `${path}?${[...required, ...asked.map(({ name }) => `${name}=`)].join("&")}`
      )
      expect([path, empty.status, empty.body.data]).toEqual([path, none.status, none.body.data])
    }
  })

  it("is missing where the parameter is required, and finds nothing as an id of another system", async () => {
    const { body, status } = await books.call("GET", `/customers/${books.customer_id}/statement?start_date=&end_date=`)
    expect([status, body.errors]).toEqual([
      422,
      {
        start_date: ["The start_date field is required."],
        end_date: ["The end_date field is required."]
      }
    ])
    expect(await found("/customers?external_id=")).toEqual([])
    expect((await books.call("GET", "/customers?cursor=")).body.meta.next_cursor).toBeDefined()
    expect((await books.call("GET", "/customers?colour=")).body.code).toBe("unknown_filter")
  })

  it("is refused in a write", async () => {
    const { body, status } = await books.call("DELETE", "/batch/resources?resource=&ids[]=1")
    expect([status, Object.keys(body.errors)]).toEqual([422, ["resource"]])
    const before = await found("/customers")
    await books.call("DELETE", "/batch/resources?resource=customers&ids=")
    expect(await found("/customers")).toEqual(before)
  })
})

it("a list in a query may be written with indexes, as PHP does", async () => {
  const ids: Array<number> = []
  for (const name of ["One", "Two", "Three"]) ids.push((await books.made("POST", "/customers", { name })).id)
  const [one, two, three] = ids
  const path = `/batch/resources?resource=customers&${encodeURIComponent("ids[0]")}=${one}&ids[1]=${two}&ids[]=${three}`
  const { body, status } = await books.call("DELETE", path)
  expect([status, body.message ?? idsOf(body.data.results)]).toEqual([200, ids])
  expect((await books.call("DELETE", "/batch/resources?resource=customers&ids[x]=1")).body.code).toBe("unknown_filter")
})

const entries = (entry: unknown) => Array.from({ length: 6_000 }, () => entry)

it.each([
  ["invoices", "items", 500],
  ["quotes", "items", 500],
  ["expenses", "tax_rates", 20],
  ["bank-rules", "conditions", 20],
  ["bank-transactions/1/match", "allocations", 50],
  ["invoices/1/send", "recipients", 50]
])("%s refuses a list that is too long for its length alone, whatever its entries", async (path, name, max) => {
  for (const entry of [{}, 1, "a", null, []]) {
    const { body, status } = await books.call("POST", `/${path}`, { [name]: entries(entry) })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).filter((key) => key.startsWith(name))).toEqual([name])
    expect(body.errors[name]).toEqual([`The ${name} field may not have more than ${max} entries.`])
  }
})

it("a list as long as it may be is refused for its entries", async () => {
  const { body } = await books.call("POST", "/quotes", { items: Array.from({ length: 500 }, () => ({})) })
  expect(body.errors["items.0.description"]).toEqual(["The items.0.description field is required."])
  expect(body.errors.items).toBeUndefined()
})

it("a text that is too long is not checked further", async () => {
  const { body } = await books.call("POST", "/customers", { name: "\u0000".repeat(300) })
  expect(body.errors).toEqual({ name: ["The name field may not be longer than 255 characters."] })
})

it("a switch that is neither true nor false is refused with each value that it may have", async () => {
  const { body } = await books.call("POST", `/organizations/${books.id}/mail-preview`, { attach_pdf: 3 })
  expect(body.errors.attach_pdf).toEqual([
    'The attach_pdf field must be one of true, false, "true", "false", "1", "0".'
  ])
})
