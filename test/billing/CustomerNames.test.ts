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

/** Returns the column `customer_name` of the documents in the export. */
const exportedNames = async (books: Books, kind: string, documents: ReadonlyArray<{ readonly id: number }>) => {
  const resource = kind.replace("-", "_")
  const { body } = await books.call("POST", "/reports/export", { resource, format: "json" })
  return documents.map(({ id }) => body.data.find((row: { id: number }) => row.id === id).customer_name)
}
