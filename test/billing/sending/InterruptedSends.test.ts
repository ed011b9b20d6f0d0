import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { beforeEach, describe, expect, it } from "vitest"
import { type Books, useBilling } from "../../support/Billing.ts"
import { smtp, unconfirmed } from "../../support/counterparts/Mail.ts"
import { drafts } from "../credit-notes/Credits.ts"
import { accepted, deferring, pending, to, whileFailing } from "./Deferring.ts"

const mails = await smtp()
const { app, open } = useBilling({ ...mails.settings, role: "all" })
let books: Books
let deferred: ReturnType<typeof deferring>
beforeEach(async () => {
  books = await open({ plan: "business" })
  deferred = deferring(app, books.id)
})

const names = { invoices: "invoice", quotes: "quote", "credit-notes": "credit_note" } as const

const refused = (recipient: string) => ({
  recipient,
  status: "refused",
  code: "mailbox_unknown",
  error: "550 mailbox unknown"
})

/** Tables with a row that the undoing of an issue locks, beside the counter of the number. */
const locked_too: Readonly<Record<string, ReadonlyArray<string>>> = {
  invoices: ["archive_deposits"],
  "credit-notes": ["credit_notes"]
}

const keyed = { headers: { "idempotency-key": "once" } }
const received = () => mails.received.map((mail) => mail.to).toSorted()

const aged = (age: string) =>
  app.inDatabase(`update document_sends set created_at = now() - interval '${age}' where organization_id = ${books.id}`)

const resumed = async () => {
  await deferred.enqueueDue()
  await deferred.concluded()
}

describe.each(["invoices", "quotes", "credit-notes"] as const)(
  "a send of /%s that nobody repeats after a crash",
  (kind) => {
    /** The archive or an authority may have an invoice by then; they get a credit note only once it is sent. */
    const late =
      kind === "credit-notes"
        ? { number: null, status: "draft" }
        : { number: expect.stringMatching(/0001$/), status: "sent" }
    const pathOf = (id: number) => `/${kind}/${id}`
    const send = (id: number, body: object) => books.call("POST", `${pathOf(id)}/send`, body, keyed)
    const documentOf = (id: number) => books.made("GET", pathOf(id))
    const deliveriesOf = async (id: number) => {
      const rows: ReadonlyArray<Record<string, unknown>> = await books.made("GET", `${pathOf(id)}/deliveries`)
      return rows.map(({ updated_at, ...row }) => {
        expect(updated_at).toEqual(expect.stringMatching(/Z$/))
        return row
      })
    }

    /** Returns what the events about messages that were finally refused report. */
    const refusals = async () =>
      (await deferred.events())
        .filter(({ type }: { readonly type: string }) => type === `${names[kind]}.mail_refused`)
        .map(({ data }: { readonly data: unknown }) => data)

    /** Sends a document, and crashes before the result of the send is recorded. */
    const unrecorded = async (body: object) => {
      const { id } = await drafts[kind](books)
      const crash = ["document_sends", "new.finished_at is not null"] as const
      expect((await whileFailing(app, books.id, crash, () => send(id, body))).status).toBe(500)
      return id
    }

    /** Sends a document, and crashes before the mail server gets a message. */
    const unsent = async (body: object) => {
      const { id } = await drafts[kind](books)
      const crash = ["document_mails", "new.state = 'handing_over'"] as const
      expect((await whileFailing(app, books.id, crash, () => send(id, body))).status).toBe(500)
      expect(received()).toEqual([])
      return id
    }

    it("marks the document as sent, and later repeats the message that was deferred", async () => {
      const id = await unrecorded(to("a@beta.eu", "grey@beta.eu"))
      await resumed()
      expect(await documentOf(id)).toMatchObject({
        number: expect.stringMatching(/0001$/),
        sent_at: expect.any(String)
      })
      expect(await deliveriesOf(id)).toEqual([accepted("a@beta.eu"), pending("grey@beta.eu")])
      mails.endGreylisting()
      await deferred.nextAttempt()
      expect(received()).toEqual(["a@beta.eu", "grey@beta.eu"])
    })

    it("sends the messages that were not sent yet, and answers a repeat with their results", async () => {
      const id = await unsent(to("a@beta.eu"))
      await resumed()
      expect(await documentOf(id)).toMatchObject({
        number: expect.stringMatching(/0001$/),
        sent_at: expect.any(String)
      })
      const repeat = await send(id, to("a@beta.eu"))
      expect([repeat.status, repeat.body.data.deliveries]).toEqual([200, [accepted("a@beta.eu")]])
      expect(received()).toEqual(["a@beta.eu"])
    })

    it("waits for a mail server that is not up yet", async () => {
      const id = await unsent(to("a@beta.eu"))
      mails.stop()
      await resumed()
      const [delivery] = await deliveriesOf(id)
      expect(delivery).toMatchObject({
        status: "pending",
        code: "mail_server_unreachable",
        retry_at: expect.any(String)
      })
      mails.restart()
      await deferred.nextAttempt()
      expect([await deliveriesOf(id), received()]).toEqual([[accepted("a@beta.eu")], ["a@beta.eu"]])
      expect((await documentOf(id)).sent_at).not.toBeNull()
    })

    it("does not repeat a message whose result is unknown", async () => {
      const id = await unrecorded(to("a@beta.eu"))
      await app.inDatabase(`update document_mails set state = 'handing_over' where organization_id = ${books.id}`)
      await resumed()
      expect(await deliveriesOf(id)).toEqual([unconfirmed("a@beta.eu")])
      expect((await documentOf(id)).sent_at).toBeNull()
      expect(received()).toEqual(["a@beta.eu"])
    })

    it("returns its number when no message was accepted", async () => {
      const id = await unrecorded(to("unknown@beta.eu"))
      await resumed()
      expect(await documentOf(id)).toMatchObject({ number: null, status: "draft" })
      expect(await refusals()).toMatchObject([
        { id, attributes: { status: late.status }, deliveries: [refused("unknown@beta.eu")] }
      ])
      const next = await books.made("POST", `${pathOf((await drafts[kind](books)).id)}/send`, to("b@beta.eu"))
      expect(next.number).toMatch(/0001$/)
    })

    it.each(["document_counters", ...(locked_too[kind] ?? [])])(
      "waits for %s before it locks the audit log, which every transaction locks last",
      async (table) => {
        await unrecorded(to("unknown@beta.eu"))
        const isJournalFree = Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`select from ${sql(table)} where organization_id = ${books.id} for update`
          yield* Effect.promise(deferred.enqueueDue)
          const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
          yield* waiting.pipe(
            Effect.repeat({ until: (rows) => rows.length > 0, schedule: Schedule.spaced("50 millis") })
          )
          return (
            (yield* sql`select from journals where organization_id = ${books.id} for update skip locked`).length === 1
          )
        })
        const within = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(isJournalFree))
        expect(await app.run(within)).toBe(true)
        await deferred.concluded()
        expect(await refusals()).toHaveLength(1)
      }
    )

    it("leaves an invoice or a quote issued when no message was accepted half an hour later", async () => {
      const id = await unrecorded(to("unknown@beta.eu"))
      await aged("31 minutes")
      await resumed()
      expect(await documentOf(id)).toMatchObject({ ...late, sent_at: null })
      expect(await refusals()).toMatchObject([
        { id, attributes: { status: late.status }, deliveries: [refused("unknown@beta.eu")] }
      ])
    })

    it("reports the messages that were refused, and only those", async () => {
      const id = await unrecorded(to("a@beta.eu", "unknown@beta.eu", "grey@beta.eu"))
      await resumed()
      expect(await refusals()).toMatchObject([
        { id, attributes: { status: "sent" }, deliveries: [refused("unknown@beta.eu")] }
      ])
    })

    it("repeats no accepted message in the next send, whose client cannot know that it was accepted", async () => {
      const id = await unrecorded(to("a@beta.eu"))
      await resumed()
      const next = await books.call("POST", `${pathOf(id)}/send`, to("a@beta.eu", "b@beta.eu"))
      expect([next.status, next.body.data.deliveries]).toEqual([200, [accepted("a@beta.eu"), accepted("b@beta.eu")]])
      expect(received()).toEqual(["a@beta.eu", "b@beta.eu"])
      const later = await books.made("POST", `${pathOf(id)}/send`, { ...to("a@beta.eu"), resend: true })
      expect(later.deliveries).toEqual([accepted("a@beta.eu")])
      expect(received()).toEqual(["a@beta.eu", "a@beta.eu", "b@beta.eu"])
    })

    it("is over a day later, so the next send reaches the same recipients again", async () => {
      const id = await unrecorded(to("a@beta.eu"))
      await resumed()
      await app.inDatabase(`update document_sends set finished_at = now() - interval '25 hours'
        where organization_id = ${books.id}`)
      const next = await books.call("POST", `${pathOf(id)}/send`, to("a@beta.eu"))
      const isRefused = kind === "credit-notes"
      expect([next.status, next.body.code]).toEqual(isRefused ? [409, "already_sent"] : [200, undefined])
      expect(received()).toEqual(isRefused ? ["a@beta.eu"] : ["a@beta.eu", "a@beta.eu"])
    })

    it("sends nothing a day later", async () => {
      const id = await unsent(to("a@beta.eu"))
      await aged("25 hours")
      await resumed()
      expect(await deliveriesOf(id)).toEqual([
        {
          recipient: "a@beta.eu",
          status: "refused",
          code: "not_attempted",
          error: expect.stringContaining("sent again")
        }
      ])
      expect(await documentOf(id)).toMatchObject({ ...late, sent_at: null })
      expect(received()).toEqual([])
    })
  }
)

describe("a send that a crash interrupted before its quote was deleted", () => {
  it("is forgotten", async () => {
    const { id } = await drafts.quotes(books)
    const crash = ["document_sends", "new.finished_at is not null"] as const
    const send = () => books.call("POST", `/quotes/${id}/send`, to("a@beta.eu"), keyed)
    expect((await whileFailing(app, books.id, crash, send)).status).toBe(500)
    await books.made("DELETE", `/quotes/${id}`)
    await resumed()
    expect(await app.inDatabase(`select from document_sends where organization_id = ${books.id}`)).toEqual([])
  })
})
