import { beforeAll, describe, expect, it } from "vitest"
import { race, statuses } from "../../support/Billing.ts"
import { type QuoteBooks, states, useQuotes } from "./QuoteBooks.ts"

const { eventsOf, expire, open } = useQuotes()
let books: QuoteBooks

beforeAll(async () => {
  books = await open()
})

type State = (typeof states)[number]
interface Outcome {
  readonly status: number
  readonly code?: string
  readonly becomes?: State
}

/** Outcome by request and state (rules/quotes.md, States). `becomes` is absent if the quote is unchanged or deleted. */
const table: Readonly<Record<string, Readonly<Record<State, Outcome>>>> = {
  PUT: {
    draft: { status: 200, becomes: "draft" },
    sent: { status: 409, code: "quote_locked" },
    expired: { status: 409, code: "quote_locked" },
    accepted: { status: 409, code: "quote_locked" },
    rejected: { status: 200, becomes: "draft" },
    converted: { status: 409, code: "quote_locked" }
  },
  DELETE: {
    draft: { status: 200 },
    sent: { status: 200 },
    expired: { status: 200 },
    accepted: { status: 409, code: "quote_locked" },
    rejected: { status: 200 },
    converted: { status: 409, code: "quote_locked" }
  },
  "mark-accepted": {
    draft: { status: 200, becomes: "accepted" },
    sent: { status: 200, becomes: "accepted" },
    expired: { status: 200, becomes: "accepted" },
    accepted: { status: 200 },
    rejected: { status: 422, code: "quote_decided" },
    converted: { status: 422, code: "quote_decided" }
  },
  "mark-rejected": {
    draft: { status: 200, becomes: "rejected" },
    sent: { status: 200, becomes: "rejected" },
    expired: { status: 200, becomes: "rejected" },
    accepted: { status: 422, code: "quote_decided" },
    rejected: { status: 200 },
    converted: { status: 422, code: "quote_decided" }
  },
  "convert-to-invoice": {
    draft: { status: 201, becomes: "converted" },
    sent: { status: 201, becomes: "converted" },
    expired: { status: 201, becomes: "converted" },
    accepted: { status: 201, becomes: "converted" },
    rejected: { status: 422, code: "quote_decided" },
    converted: { status: 422, code: "already_converted" }
  },
  send: {
    draft: { status: 200, becomes: "sent" },
    sent: { status: 200 },
    expired: { status: 200 },
    accepted: { status: 200 },
    rejected: { status: 422, code: "quote_decided" },
    converted: { status: 422, code: "quote_decided" }
  },
  duplicate: {
    draft: { status: 201 },
    sent: { status: 201 },
    expired: { status: 201 },
    accepted: { status: 201 },
    rejected: { status: 201 },
    converted: { status: 201 }
  }
}

const cases = Object.entries(table).flatMap(([action, outcomes]) =>
  states.map((state) => ({ action, state, ...outcomes[state] }))
)

const perform = (action: string, id: number) => {
  if (action === "PUT") return books.call("PUT", `/quotes/${id}`, { notes: "changed" })
  return action === "DELETE" ? books.call("DELETE", `/quotes/${id}`) : books.act({ id }, action)
}

describe("an action on a quote", () => {
  it.each(cases)("$action of a quote that is $state answers $status $code", async (row) => {
    const { action, becomes, code, state, status } = row
    const before = await books.inState(state, expire)
    const answer = await perform(action, before.id)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    if (code === "already_converted") expect(answer.body.details).toEqual({ invoice_id: before.invoice_id })
    else if (code !== undefined) expect(answer.body.details).toEqual({ status: state, number: before.number })
    if (action === "DELETE" && status === 200) {
      expect((await books.call("GET", `/quotes/${before.id}`)).status).toBe(404)
      expect((await perform(action, before.id)).status).toBe(404)
      return
    }
    const after = await books.quote(before.id)
    if (becomes === undefined) expect(after).toEqual(before)
    else expect([after.status, after.version]).toEqual([becomes, expect.any(Number)])
  })
})

it("a rejected quote stays rejected after a PUT that changes nothing", async () => {
  const before = await books.inState("rejected", expire)
  for (const body of [{}, before, { notes: before.notes }]) {
    const answer = await books.call("PUT", `/quotes/${before.id}`, body)
    expect([answer.status, answer.body.data]).toEqual([200, before])
  }
})

describe("a locked quote", () => {
  it.each(["sent", "accepted", "expired", "converted"] as const)(
    "that is %s refuses a PUT that changes nothing, and takes the client's own data",
    async (state) => {
      const before = await books.inState(state, expire)
      for (const body of [{}, before, { status: "accepted" }, { number: "X" }]) {
        const answer = await books.call("PUT", `/quotes/${before.id}`, body)
        expect([answer.status, answer.body.code]).toEqual([409, "quote_locked"])
      }
      const answer = await books.call("PUT", `/quotes/${before.id}`, { external_id: `crm-${before.id}` })
      expect([answer.status, answer.body.data.status]).toEqual([200, state])
    }
  )
})

describe("POST /api/v1/quotes/{id}/mark-accepted", () => {
  it("answers 200 with the number, the moment that was given and one quote.accepted", async () => {
    const own = await open()
    const draft = await own.quoted()
    const accepted = await own.done(draft, "mark-accepted", { accepted_at: "2026-03-02" })
    expect(accepted).toMatchObject({
      status: "accepted",
      number: "QUO-2026-0001",
      draft_reference: null,
      accepted_at: "2026-03-01T23:00:00.000Z"
    })
    expect(accepted.warnings).toBeUndefined()
    expect(await own.done(draft, "mark-accepted", { accepted_at: "2030-01-01" })).toEqual(accepted)
    const events = await eventsOf(own.id, draft.id)
    expect(events.map(({ type }) => type)).toEqual(["quote.created", "quote.accepted"])
    expect(events[1]?.data).toEqual({
      object: "quote",
      id: draft.id,
      attributes: accepted,
      previous: { status: "draft" }
    })
  })

  it("warns when the quote had expired", async () => {
    const expired = await books.inState("expired", expire)
    expect(await books.done(expired, "mark-accepted")).toMatchObject({ status: "accepted", warnings: ["expired"] })
    expect((await books.quote(expired.id)).warnings).toBeUndefined()
  })

  it("decides by the day of acceptance whether the quote had expired", async () => {
    const expired = await books.inState("expired", expire)
    const { valid_until } = await books.quote(expired.id)
    const in_time = await books.done(expired, "mark-accepted", { accepted_at: valid_until })
    expect([in_time.status, in_time.warnings]).toEqual(["accepted", undefined])
    const open_until = await books.offered({ valid_until: "2038-12-31" })
    const late = await books.done(open_until, "mark-accepted", { accepted_at: "2039-01-01" })
    expect([late.status, late.warnings]).toEqual(["accepted", ["expired"]])
  })

  it("emits quote.accepted once when ten callers race", async () => {
    const { id } = await books.offered()
    const answers = await race(10, () => books.act({ id }, "mark-accepted"))
    expect(statuses(answers)).toEqual({ 200: 10 })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await eventsOf(books.id, id)).filter(({ type }) => type === "quote.accepted")).toHaveLength(1)
  })

  it("lets one of accepting and rejecting win when both race", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await books.offered()
      const answers = await race(8, (index) => books.act({ id }, index % 2 === 0 ? "mark-accepted" : "mark-rejected"))
      expect(statuses(answers)).toEqual({ 200: 4, 422: 4 })
      const decisions = (await eventsOf(books.id, id)).slice(3)
      expect(decisions.map(({ type }) => type)).toEqual([`quote.${(await books.quote(id)).status}`])
    }
  })

  it("answers 422 for an invalid time, and changes nothing", async () => {
    const draft = await books.quoted()
    for (const accepted_at of ["soon", "2026-02-30", 5]) {
      const { body, status } = await books.act(draft, "mark-accepted", { accepted_at })
      expect([status, Object.keys(body.errors)]).toEqual([422, ["accepted_at"]])
    }
    expect(await books.quote(draft.id)).toEqual(draft)
  })

  it("answers 422 for a draft whose customer was deleted, and uses no number for it", async () => {
    const own = await open()
    const { id: customer_id } = await own.made("POST", "/customers", { name: "Gone" })
    const orphan = await own.quoted({ customer_id })
    await own.made("DELETE", `/customers/${customer_id}`)
    for (const [action, given] of [
      ["mark-accepted", undefined],
      ["convert-to-invoice", undefined],
      ["send", { recipients: "a@beta.example" }]
    ] as const) {
      const { body, status } = await own.act(orphan, action, given)
      expect([action, status, body.code]).toEqual([action, 422, "customer_deleted"])
    }
    expect((await own.act(orphan, "duplicate")).body.errors).toEqual({ customer_id: [expect.any(String)] })
    expect(await own.quote(orphan.id)).toEqual(orphan)
    expect((await own.made("GET", "/invoices?per_page=1")).length).toBe(0)
    expect((await own.offered()).number).toBe("QUO-2026-0001")
  })
})

describe("POST /api/v1/quotes/{id}/mark-rejected", () => {
  it("answers 200 with the reason and the moment, and one quote.rejected", async () => {
    const sent = await books.offered()
    const given = { rejected_at: "2026-03-02T10:00:00+02:00", rejection_reason: "Too dear" }
    const rejected = await books.done(sent, "mark-rejected", given)
    expect(rejected).toMatchObject({ ...given, status: "rejected", rejected_at: "2026-03-02T08:00:00.000Z" })
    expect(await books.done(sent, "mark-rejected", { rejection_reason: "Another" })).toEqual(rejected)
    const events = await eventsOf(books.id, sent.id)
    expect(events.map(({ data, type }) => [type, data.previous?.status])).toEqual([
      ["quote.created", undefined],
      ["quote.updated", "draft"],
      ["quote.sent", "draft"],
      ["quote.rejected", "sent"]
    ])
    expect(events[3]?.data.attributes).toEqual(rejected)
  })

  it("gives a draft no number, and keeps the number of a rejected quote that is changed and sent again", async () => {
    const own = await open()
    expect((await own.done(await own.quoted(), "mark-rejected")).number).toBeNull()
    const first = await own.offered()
    await own.done(first, "mark-rejected", { rejection_reason: "Too dear" })
    const cheaper = await own.made("PUT", `/quotes/${first.id}`, { notes: "Cheaper" })
    expect(cheaper).toMatchObject({ status: "draft", number: first.number, sent_at: null, draft_reference: null })
    expect(cheaper).toMatchObject({ rejected_at: null, rejection_reason: null })
    const again = await own.done(cheaper, "send")
    expect([again.number, again.status, (await own.offered()).number]).toEqual([first.number, "sent", "QUO-2026-0002"])
  })
})
