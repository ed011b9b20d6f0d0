import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Deadlines } from "../../../src/billing/deadlines/Deadlines.ts"
import { at } from "../../support/At.ts"
import { race } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { whileFailing } from "../sending/Deferring.ts"
import { useQuotes } from "../quotes/QuoteBooks.ts"

const { app, open } = useQuotes()

const announceAt = (moment: string) =>
  app.run(
    at(
      moment,
      Effect.flatMap(Deadlines, (deadlines) => deadlines.announceExpired)
    ).pipe(Effect.provide(Deadlines.layer))
  )

const expiries = async (organization_id: number) => {
  const { entries } = await app.run(verifiedAuditLog(organization_id))
  return entries.filter(({ action }) => action === "quote.expired")
}

describe("quote.expired", () => {
  it("is in the audit chain once, from 00:05 of the day after the last valid one where the organization is", async () => {
    const places = [
      ["Pacific/Auckland", "2025-05-31T12:05:00Z"],
      ["Europe/Brussels", "2025-05-31T22:05:00Z"],
      ["America/Los_Angeles", "2025-06-01T07:05:00Z"]
    ] as const
    for (const [timezone, moment] of places) {
      const books = await open({ timezone })
      const quote = await books.offered({ issue_date: "2025-05-01", valid_until: "2025-05-31" })
      await announceAt(new Date(Date.parse(moment) - 1).toISOString())
      expect(await expiries(books.id)).toEqual([])
      await race(8, () => announceAt(moment))
      expect(await expiries(books.id)).toMatchObject([
        {
          actor: "system",
          at: new Date(moment).toISOString(),
          data: { quote_id: quote.id, number: quote.number, valid_until: "2025-05-31" }
        }
      ])
    }
  })

  it("waits for the end of the send that issues the quote, because the send may make it a draft again", async () => {
    const books = await open()
    const { id } = await books.quoted({ issue_date: "2025-05-01", valid_until: "2025-05-31" })
    const send = () => books.call("POST", `/quotes/${id}/send`, { recipients: "a@beta.eu", attach_pdf: false })
    const unfinished = ["document_sends", "new.finished_at is not null"] as const
    expect((await whileFailing(app, books.id, unfinished, send)).status).toBe(500)
    await announceAt("2025-07-01T00:00:00Z")
    expect(await expiries(books.id)).toEqual([])
    await app.inDatabase(`update document_sends set created_at = now() - interval '31 minutes'
      where organization_id = ${books.id}`)
    await announceAt("2025-07-01T00:00:00Z")
    expect(await expiries(books.id)).toHaveLength(1)
  })

  it("is not said of a quote that is a draft, decided or deleted", async () => {
    const books = await open()
    const dates = { issue_date: "2025-05-01", valid_until: "2025-05-31" }
    await books.quoted(dates)
    await books.done(await books.offered(dates), "mark-accepted")
    await books.done(await books.offered(dates), "mark-rejected")
    const removed = await books.offered(dates)
    await books.made("DELETE", `/quotes/${removed.id}`)
    expect(await announceAt("2025-07-01T00:00:00Z")).toBe(0)
    expect(await expiries(books.id)).toEqual([])
  })
})
