import { beforeEach, describe, expect, it } from "vitest"
import { type Books, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { smtp, unconfirmed } from "../../support/counterparts/Mail.ts"
import { dayIn } from "../../support/Days.ts"
import { drafts } from "../credit-notes/Credits.ts"
import { whileFailing } from "./Deferring.ts"
import type { Answer } from "../../support/App.ts"
import { until } from "../../support/counterparts/Receiver.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)
let books: Books
beforeEach(async () => {
  books = await open()
})

const actions = { invoices: "invoice", quotes: "quote", "credit-notes": "credit_note" }

const to = (...recipients: ReadonlyArray<string>) => ({ recipients, attach_pdf: false })
const keyed = { headers: { "idempotency-key": "once" } }
const accepted = (recipient: string) => ({ recipient, status: "accepted" })

/** Counts the messages that the mail server accepted for each recipient. */
const counts = () => {
  const each: Record<string, number> = {}
  for (const { to } of mails.received) each[to] = (each[to] ?? 0) + 1
  return each
}

const actionsOf = async () => (await app.run(verifiedAuditLog(books.id))).entries.map(({ action }) => action)

describe.each(["invoices", "quotes", "credit-notes"] as const)("POST /api/v1/%s/{id}/send", (kind) => {
  const sendOf = (id: number) => (body: object, further?: typeof keyed) =>
    books.call("POST", `/${kind}/${id}/send`, body, further)

  it("says that a message is unknown, does not repeat it, and does with resend, under the same Message-ID", async () => {
    const draft = await drafts[kind](books)
    const send = sendOf(draft.id)
    const first = await send(to("lost@beta.eu"))
    expect([first.status, first.body.data.deliveries]).toEqual([200, [unconfirmed("lost@beta.eu")]])
    expect(first.body.data).toMatchObject({ sent_at: null, status: kind === "credit-notes" ? "draft" : "sent" })
    const again = await send(to("LOST@beta.eu", "b@beta.eu"))
    expect(again.body.data.deliveries).toEqual([unconfirmed("LOST@beta.eu"), accepted("b@beta.eu")])
    expect(again.body.data).toMatchObject({ status: "sent", sent_at: expect.any(String) })
    expect(counts()).toEqual({ "lost@beta.eu": 1, "b@beta.eu": 1 })
    const repeated = await send({ ...to("lost@beta.eu"), resend: true })
    expect([repeated.status, repeated.body.data.deliveries]).toEqual([200, [accepted("lost@beta.eu")]])
    const ids = mails.received.filter(({ to }) => to === "lost@beta.eu").map(({ header }) => header("Message-ID"))
    expect([ids.length, new Set(ids).size]).toEqual([2, 1])
  })

  it("finishes by its key what failed after the last message, without another one", async () => {
    const draft = await drafts[kind](books)
    const send = sendOf(draft.id)
    const body = to("a@beta.eu", "unknown@beta.eu")
    const failed = await whileFailing(app, books.id, ["document_sends", "new.finished_at is not null"], () =>
      send(body, keyed)
    )
    expect(failed.status).toBe(500)
    const answer = await send(body, keyed)
    expect(answer.status).toBe(200)
    expect(answer.body.data.deliveries.map(({ status }: { status: string }) => status)).toEqual(["accepted", "refused"])
    expect(answer.body.data).toMatchObject({ status: "sent", sent_at: expect.any(String) })
    expect(counts()).toEqual({ "a@beta.eu": 1 })
    expect((await actionsOf()).filter((action) => action === `${actions[kind]}.sent`)).toHaveLength(1)
  })

  it("finishes without a key what failed after the last message, and writes only to others", async () => {
    const draft = await drafts[kind](books)
    const send = sendOf(draft.id)
    const failed = await whileFailing(app, books.id, ["document_sends", "new.finished_at is not null"], () =>
      send(to("a@beta.eu"))
    )
    expect(failed.status).toBe(500)
    const answer = await send(to("a@beta.eu", "b@beta.eu"))
    expect([answer.status, answer.body.data.deliveries]).toEqual([200, [accepted("a@beta.eu"), accepted("b@beta.eu")]])
    expect(counts()).toEqual({ "a@beta.eu": 1, "b@beta.eu": 1 })
  })

  it("reports deliveries in progress during a crash as unknown, and sends the rest", async () => {
    const draft = await drafts[kind](books)
    const send = sendOf(draft.id)
    const body = to("a@beta.eu", "b@beta.eu", "c@beta.eu", "d@beta.eu", "e@beta.eu", "f@beta.eu")
    const stops = "new.state = 'accepted' and new.recipient = 'b@beta.eu'"
    const failed = await whileFailing(app, books.id, ["document_mails", stops], () => send(body, keyed))
    expect(failed.status).toBe(500)
    const answer = await send(body, keyed)
    expect(answer.status).toBe(200)
    const { deliveries } = answer.body.data
    expect(deliveries[1]).toEqual(unconfirmed("b@beta.eu"))
    for (const { recipient, status } of deliveries) {
      expect([recipient, ["accepted", "unknown"].includes(status), counts()[recipient] ?? 0]).toEqual([
        recipient,
        true,
        status === "accepted" ? 1 : expect.toBeOneOf([0, 1])
      ])
    }
    expect(deliveries.filter(({ status }: { status: string }) => status === "accepted").length).toBeGreaterThan(1)
  })

  it("hands nothing over that it could not record, and sends it by its key later", async () => {
    const draft = await drafts[kind](books)
    const send = sendOf(draft.id)
    const failing = () => send(to("a@beta.eu"), keyed)
    expect((await whileFailing(app, books.id, ["document_mails", "new.state = 'handing_over'"], failing)).status).toBe(
      500
    )
    expect(counts()).toEqual({})
    const answer = await send(to("a@beta.eu"), keyed)
    expect([answer.status, answer.body.data.deliveries]).toEqual([200, [accepted("a@beta.eu")]])
    expect(counts()).toEqual({ "a@beta.eu": 1 })
  })

  it("answers its key again when only the answer was lost, and changes nothing", async () => {
    const draft = await drafts[kind](books)
    const send = sendOf(draft.id)
    const first = await send(to("a@beta.eu"), keyed)
    const journal = await actionsOf()
    await app.inDatabase(`update idempotency_keys set status = null, headers = null, sealed_body = null,
      leased_until = now() - interval '1 second' where organization_id = ${books.id}`)
    const again = await send(to("a@beta.eu"), keyed)
    expect([again.status, again.headers.get("idempotency-replayed"), again.body]).toEqual([200, null, first.body])
    expect([counts(), await actionsOf()]).toEqual([{ "a@beta.eu": 1 }, journal])
  })

  it("makes a draft again of what a crash left issued when everybody refused it", async () => {
    const draft = await drafts[kind](books)
    const send = sendOf(draft.id)
    const failing = () => send(to("unknown@beta.eu"), keyed)
    expect((await whileFailing(app, books.id, ["document_sends", "new.finished_at is not null"], failing)).status).toBe(
      500
    )
    const answer = await failing()
    expect([answer.status, answer.body.code, answer.body.details]).toEqual([422, "delivery_failed", undefined])
    const { updated_at: _, version: __, ...unchanged } = draft
    expect(await books.made("GET", `/${kind}/${draft.id}`)).toMatchObject(unchanged)
    const [next, first] = [await drafts[kind](books), /0001$/]
    expect((await books.made("POST", `/${kind}/${next.id}/send`, to("a@beta.eu"))).number).toMatch(first)
  })

  it("is interrupted when another process has taken it over, which says what it does not know", async () => {
    const draft = await drafts[kind](books)
    const send = sendOf(draft.id)
    const slow = send(to("held@beta.eu"))
    await expect.poll(mails.held, { timeout: 10_000 }).toBe(1)
    await app.inDatabase(`update document_sendings set expires_at = now() - interval '1 second'
      where organization_id = ${books.id}`)
    const taken = await send(to("held@beta.eu"))
    expect([taken.status, taken.body.data.deliveries]).toEqual([200, [unconfirmed("held@beta.eu")]])
    mails.release()
    expect([(await slow).status, (await slow).body.code]).toEqual([409, "send_in_progress"])
    expect(counts()).toEqual({ "held@beta.eu": 1 })
  })

  it("answers its key with the result after another request has finished it, and sends nothing again", async () => {
    const draft = await drafts[kind](books)
    const send = sendOf(draft.id)
    const body = to("a@beta.eu", "held@beta.eu")
    const slow = send(body, keyed)
    await expect.poll(() => [mails.held(), counts()], { timeout: 10_000 }).toEqual([1, { "a@beta.eu": 1 }])
    await app.inDatabase(`update document_sendings set expires_at = now() - interval '1 second'
      where organization_id = ${books.id}`)
    const other = await send({ ...to("b@beta.eu"), resend: true })
    expect([other.status, other.body.data.deliveries]).toEqual([200, [accepted("b@beta.eu")]])
    mails.release()
    expect([(await slow).status, (await slow).body.code]).toEqual([409, "send_in_progress"])
    const again = await send(body, keyed)
    const [first, held] = again.body.data.deliveries
    expect([again.status, first]).toEqual([200, accepted("a@beta.eu")])
    // The service may or may not have recorded the mail server's reply to the held message.
    expect(held).toMatchObject({ recipient: "held@beta.eu", status: expect.toBeOneOf(["accepted", "unknown"]) })
    expect(counts()).toEqual({ "a@beta.eu": 1, "b@beta.eu": 1, "held@beta.eu": 1 })
  })
})

/** Sends a document, and fails before its message is handed to the mail server. */
const failing = (path: string) =>
  whileFailing(app, books.id, ["document_mails", "new.state = 'handing_over'"], () =>
    books.call("POST", path, to("a@beta.eu"), keyed)
  )

describe("a send that continues after a crash", () => {
  it("does not book a credit note into books that were locked meanwhile", async () => {
    const { id } = await drafts["credit-notes"](books)
    const path = `/credit-notes/${id}/send`
    expect((await failing(path)).status).toBe(500)
    await books.made("PUT", `/organizations/${books.id}`, {
      settings: [{ key: "books_locked_until", value: dayIn("Europe/Brussels") }]
    })
    const answer = await books.call("POST", path, to("a@beta.eu"), keyed)
    expect([answer.status, answer.body.code]).toEqual([422, "books_locked"])
    expect(await books.made("GET", `/credit-notes/${id}`)).toMatchObject({ status: "draft", sent_at: null })
    expect(counts()).toEqual({})
  })

  it("does not send a quote that became a draft meanwhile", async () => {
    const { id } = await drafts.quotes(books)
    const path = `/quotes/${id}/send`
    expect((await failing(path)).status).toBe(500)
    await books.made("POST", `/quotes/${id}/mark-rejected`)
    await books.made("PUT", `/quotes/${id}`, { notes: "A new price follows." })
    const refused = await books.call("POST", path, to("a@beta.eu"), keyed)
    expect([refused.status, refused.body.code]).toEqual([422, "delivery_failed"])
    expect(refused.body.deliveries).toEqual([expect.objectContaining({ status: "refused", code: "not_attempted" })])
    expect((await books.made("GET", `/quotes/${id}`)).status).toBe("draft")
    expect(counts()).toEqual({})
  })
})

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
    // There are as many sends as the service has connections to the database.
    const slowDrafts = await Promise.all(Array.from({ length: 16 }, () => slow.draft()))
    const sends = slowDrafts.map(({ id }) => {
      const headers = { "idempotency-key": `send-${id}` }
      return slow.call("POST", `/invoices/${id}/send`, { recipients: "held@beta.eu" }, { headers })
    })
    const numbers = () => Promise.all(slowDrafts.map(async ({ id }) => (await slow.invoice(id)).number))
    await until("the numbers", async () => ((await numbers()).every((number) => number !== null) ? true : undefined))
    for (let nth = 0; nth < 20; nth++) {
      const headers = { "idempotency-key": `customer-${nth}` }
      expect((await other.call("POST", "/customers", { name: "Quick" }, { headers })).status).toBe(201)
    }
    expect(mails.received).toEqual([])
    mails.release()
    expect((await Promise.all(sends)).map(({ status }) => status)).toEqual(slowDrafts.map(() => 200))
  })
})
