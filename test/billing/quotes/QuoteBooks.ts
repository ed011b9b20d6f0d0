import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import type { Settings } from "../../../src/platform/config/AppConfig.ts"
import { type Books, useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import type { SeedOptions } from "../../support/database/Seed.ts"

interface Identified {
  readonly id: number
}

export const useQuotes = (settings: Partial<Settings> = {}) => {
  const { app, open } = useBilling(settings)
  return {
    app,
    open: async (options: SeedOptions = {}) => {
      const books = await open(options)
      await books.made("PUT", `/customers/${books.customer_id}`, { email: "ap@beta.example" })
      return { ...books, ...quoting(books) }
    },
    /** Moves the last day of a sent quote into the past, so that the quote is expired. */
    expire: (id: number) =>
      app.run(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`update quotes set issue_date = '2020-01-01', valid_until = '2020-01-31' where id = ${id}`
        )
      ),
    /** Returns the events of one quote in order; fails if the audit chain of the organization is broken. */
    eventsOf: async (organization_id: number, id: number) => {
      const { events } = await app.run(verifiedAuditLog(organization_id))
      return events.filter(({ data }) => data.object === "quote" && data.id === id)
    }
  }
}

const quoting = (books: Books) => {
  const body = (changes: object = {}) => {
    const { due_date: valid_until, ...rest } = books.body()
    return { ...rest, valid_until, ...changes }
  }
  const quote = (id: number) => books.made("GET", `/quotes/${id}`)
  const quoted = (changes: object = {}) => books.made("POST", "/quotes", body(changes))
  const act = ({ id }: Identified, action: string, given?: object) =>
    books.call("POST", `/quotes/${id}/${action}`, given)
  const done = async (target: Identified, action: string, given?: object) => {
    const answer = await act(target, action, given)
    expect([action, answer.status, answer.status < 300 ? null : answer.text]).toEqual([action, answer.status, null])
    return answer.body.data
  }
  const offered = async (changes: object = {}) => {
    const { deliveries: _, ...sent } = await done(await quoted(changes), "send")
    return sent
  }
  /** Creates a quote and brings it into this state by requests, as a client does. */
  const inState = async (state: string, expire: (id: number) => Promise<unknown>, changes: object = {}) => {
    const draft = await quoted(changes)
    if (state === "draft") return draft
    await done(draft, "send")
    if (state === "expired") await expire(draft.id)
    if (state === "accepted") await done(draft, "mark-accepted")
    if (state === "rejected") await done(draft, "mark-rejected", { rejection_reason: "Too dear" })
    if (state === "converted") await done(draft, "convert-to-invoice")
    const reached = await quote(draft.id)
    expect(reached.status).toBe(state)
    return reached
  }
  return { body, quote, quoted, act, done, offered, inState }
}

export type QuoteBooks = Awaited<ReturnType<ReturnType<typeof useQuotes>["open"]>>
export const states = ["draft", "sent", "expired", "accepted", "rejected", "converted"] as const
