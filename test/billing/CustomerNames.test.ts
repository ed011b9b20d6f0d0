import { expect, it } from "vitest"
import { type Books, useBilling } from "../support/Billing.ts"
import { drafts } from "./credit-notes/Credits.ts"

const { open } = useBilling()

const sending = { invoices: "mark-sent", quotes: "send", "credit-notes": "send" }

it.each(["invoices", "quotes", "credit-notes"] as const)(
  "the %s that were issued before their customer was renamed keep the name of the customer, unlike drafts",
  async (kind) => {
    const books = await open()
    await books.made("PUT", `/customers/${books.customer_id}`, { email: "ap@beta.example" })
    const issued = await drafts[kind](books)
    await books.made("POST", `/${kind}/${issued.id}/${sending[kind]}`)
    const draft = await drafts[kind](books)
    await books.made("PUT", `/customers/${books.customer_id}`, { name: "Gamma" })
    const named = (name: string) => ({ id: books.customer_id, name })
    expect((await books.made("GET", `/${kind}/${issued.id}`)).customer).toEqual(named("Beta"))
    expect((await books.made("GET", `/${kind}/${draft.id}`)).customer).toEqual(named("Gamma"))
    for (const query of ["", "?sort=id", "?search=gamma"].slice(0, kind === "invoices" ? 3 : 2)) {
      const { data } = (await books.call("GET", `/${kind}${query}`)).body
      const customerOf = ({ id }: { id: number }) => data.find((row: { id: number }) => row.id === id).customer
      expect([query, customerOf(issued), customerOf(draft)]).toEqual([query, named("Beta"), named("Gamma")])
    }
    expect(await exportedNames(books, kind, [issued, draft])).toEqual(["Beta", "Gamma"])
  }
)

it("a rejected quote shows the customer that it has, although it was offered to another one before", async () => {
  const books = await open()
  const { id } = await drafts.quotes(books)
  await books.made("POST", `/quotes/${id}/send`, { recipients: "a@beta.eu", attach_pdf: false })
  await books.made("POST", `/quotes/${id}/mark-rejected`)
  const other = await books.made("POST", "/customers", { name: "Delta" })
  await books.made("PUT", `/quotes/${id}`, { customer_id: other.id })
  await books.made("POST", `/quotes/${id}/mark-rejected`)
  expect((await books.made("GET", `/quotes/${id}`)).customer).toEqual({ id: other.id, name: "Delta" })
})

it("a change of a rejected quote answers the present name of the customer, as GET does afterwards", async () => {
  const books = await open()
  const { id } = await drafts.quotes(books)
  await books.made("POST", `/quotes/${id}/send`, { recipients: "a@beta.eu", attach_pdf: false })
  await books.made("POST", `/quotes/${id}/mark-rejected`)
  await books.made("PUT", `/customers/${books.customer_id}`, { name: "Gamma" })
  const kept = await books.made("PUT", `/quotes/${id}`, { external_id: "Q-1" })
  expect([kept.status, kept.customer.name]).toEqual(["rejected", "Beta"])
  const changed = await books.made("PUT", `/quotes/${id}`, { notes: "A new price follows." })
  expect([changed.status, changed.customer.name]).toEqual(["draft", "Gamma"])
  expect(await books.made("GET", `/quotes/${id}`)).toEqual(changed)
})

/** Returns the column `customer_name` of the documents in the export. */
const exportedNames = async (books: Books, kind: string, documents: ReadonlyArray<{ readonly id: number }>) => {
  const resource = kind.replace("-", "_")
  const { body } = await books.call("POST", "/reports/export", { resource, format: "json" })
  return documents.map(({ id }) => body.data.find((row: { id: number }) => row.id === id).customer_name)
}
