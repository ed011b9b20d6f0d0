import { describe, expect, it } from "vitest"
import type { Answer } from "../../support/App.ts"
import { type Books, useBilling } from "../../support/Billing.ts"
import { smtp } from "../../support/Mail.ts"
import { until } from "../../support/Receiver.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)

/** Sends a request whose client hangs up as soon as its mail is on the way. */
const abandoned = async ({ id, owner }: Books, path: string, body: object, key: string) => {
  const leaving = new AbortController()
  const sending = fetch(`${app.url}/api/v1${path}`, {
    method: "POST",
    signal: leaving.signal,
    headers: {
      authorization: `Bearer ${owner.token}`,
      "x-organization-id": String(id),
      "content-type": "application/json",
      "idempotency-key": key
    },
    body: JSON.stringify(body)
  })
  await until("the mail on its way", () => (mails.atOnce() > 0 ? true : undefined))
  leaving.abort()
  await expect(sending).rejects.toThrow("aborted")
}

const documents: Readonly<Record<string, (books: Books) => Promise<readonly [path: string, body: object]>>> = {
  invoice: async (books) => [`/invoices/${(await books.draft()).id}/send`, { recipients: "held@beta.eu" }],
  quote: async ({ body, made }) => {
    const { due_date: _, ...quote } = body()
    const { id } = await made("POST", "/quotes", { ...quote, valid_until: "2999-03-31" })
    return [`/quotes/${id}/send`, { recipients: "held@beta.eu" }]
  },
  "credit note": async (books) => {
    const invoice = await books.issued()
    const { id } = await books.made("POST", "/credit-notes", { invoice_id: invoice.id, amount: 1, reason: "Late" })
    return [`/credit-notes/${id}/send`, { recipients: "held@beta.eu" }]
  },
  batch: async (books) => {
    await books.made("PUT", `/customers/${books.customer_id}`, { email: "held@beta.eu" })
    return ["/batch/invoices/send", { invoice_ids: [(await books.draft()).id] }]
  }
}

describe("a keyed send whose client left", () => {
  it.for(Object.entries(documents))("of one %s goes on: one mail, and the key brings its answer", async ([, make]) => {
    const books = await open()
    const [path, body] = await make(books)
    await abandoned(books, path, body, "left")
    const repeat = () => books.call("POST", path, body, { headers: { "idempotency-key": "left" } })
    const meanwhile = await repeat()
    expect([meanwhile.status, meanwhile.body.code]).toEqual([409, "idempotency_in_progress"])
    mails.release()
    const answered = async (): Promise<Answer | undefined> => {
      const answer = await repeat()
      return answer.status === 409 ? undefined : answer
    }
    const first = await until("the first answer", answered)
    expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([200, "true"])
    expect((await repeat()).text).toBe(first.text)
    expect(mails.received).toHaveLength(1)
  })
})

describe("keyed sends to a slow mail server", () => {
  it("hold no connection that keyed requests of another organization need", async () => {
    const [slow, other] = [await open(), await open()]
    // One send for each connection to the database.
    const drafts = await Promise.all(Array.from({ length: 16 }, () => slow.draft()))
    const sends = drafts.map(({ id }) => {
      const headers = { "idempotency-key": `send-${id}` }
      return slow.call("POST", `/invoices/${id}/send`, { recipients: "held@beta.eu" }, { headers })
    })
    const numbers = () => Promise.all(drafts.map(async ({ id }) => (await slow.invoice(id)).number))
    await until("the numbers", async () => ((await numbers()).every((number) => number !== null) ? true : undefined))
    for (let nth = 0; nth < 20; nth++) {
      const headers = { "idempotency-key": `customer-${nth}` }
      expect((await other.call("POST", "/customers", { name: "Quick" }, { headers })).status).toBe(201)
    }
    expect(mails.received).toEqual([])
    mails.release()
    expect((await Promise.all(sends)).map(({ status }) => status)).toEqual(drafts.map(() => 200))
  })
})
