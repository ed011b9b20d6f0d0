import { beforeAll, describe, expect, it } from "vitest"
import { type Books, useBilling } from "../../support/Billing.ts"
import { digestOf } from "../../support/Digest.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"

const { app, open } = useBilling()
const to = { recipients: "ap@beta.example", attach_pdf: false }
let books: Books
beforeAll(async () => {
  books = await open()
})

/** Each kind of document with its path and the body of a draft. */
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
