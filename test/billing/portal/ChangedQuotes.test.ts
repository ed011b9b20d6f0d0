import { afterAll, describe, expect, it } from "vitest"
import { smtp } from "../../support/counterparts/Mail.ts"
import { type Books, useBilling } from "../../support/Billing.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)
afterAll(() => mails.received.splice(0))

const link = async (books: Books, path: string) => {
  await books.made("POST", `${path}/send`, { recipients: ["a@beta.eu"], attach_pdf: false })
  return new URL(mails.received.at(-1)?.link ?? "").pathname
}
const sentQuote = async (books: Books) => {
  const { due_date: _, ...body } = books.body()
  const { id } = await books.made("POST", "/quotes", { valid_until: "2999-03-31", ...body })
  return { id, path: await link(books, `/quotes/${id}`) }
}
const post = (path: string, fields: Record<string, string>) =>
  fetch(app.url + path, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) })
const versionIn = (page: string) => /name="version" value="(\d+)"/.exec(page)?.[1] ?? ""
const decline = async (path: string) =>
  post(path, { answer: "decline", version: versionIn((await app.call("GET", path)).text) })

describe("a quote that is changed after the customer declined it", () => {
  it("is not shown by the link of the declined one, whoever its customer is by then", async () => {
    const books = await open()
    const { id, path } = await sentQuote(books)
    const before = versionIn((await app.call("GET", path)).text)
    await decline(path)
    expect((await app.call("GET", path)).text).toContain("You have declined this quote.")
    const { id: customer_id } = await books.made("POST", "/customers", { name: "Rival", email: "rival@gamma.eu" })
    await books.made("PUT", `/quotes/${id}`, { customer_id, items: [{ description: "Secret", unit_price: 900 }] })
    const closed = async () => {
      const page = await app.call("GET", path)
      expect([page.status, /Rival|Secret|QUO-/.test(page.text)]).toEqual([410, false])
      expect((await app.call("GET", `${path}/pdf`)).status).toBe(410)
    }
    await closed()
    await books.made("POST", `/quotes/${id}/mark-rejected`)
    await closed()
    await books.made("PUT", `/quotes/${id}`, { notes: "Again" })
    await books.made("POST", `/quotes/${id}/send`, { attach_pdf: false })
    await closed()
    const { version } = await books.made("GET", `/quotes/${id}`)
    for (const known of [before, String(version)]) {
      expect((await post(path, { answer: "accept", version: known })).status).toBe(410)
    }
    expect((await books.made("GET", `/quotes/${id}`)).status).toBe("sent")
    expect((await app.call("GET", new URL(mails.received.at(-1)?.link ?? "").pathname)).text).toContain("Secret")
  })

  it("is not shown by the link of another document before it is sent again, either", async () => {
    const books = await open()
    await books.made("PUT", `/customers/${books.customer_id}`, { email: "a@beta.eu" })
    const { id, path } = await sentQuote(books)
    const { id: other } = await books.draft()
    const asked = `${await link(books, `/invoices/${other}`)}/quote/${id}`
    await decline(path)
    await books.made("PUT", `/quotes/${id}`, { metadata: { deal: "7" } })
    expect((await app.call("GET", asked)).text).toContain("You have declined this quote.")
    await books.made("PUT", `/quotes/${id}`, { notes: "Internal" })
    await books.made("POST", `/quotes/${id}/mark-rejected`)
    expect((await app.call("GET", asked)).status).toBe(404)
  })
})
