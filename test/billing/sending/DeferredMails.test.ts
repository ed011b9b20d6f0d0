import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeEach, describe, expect, it } from "vitest"
import { type Books, line, useBilling } from "../../support/Billing.ts"
import { smtp, unconfirmed } from "../../support/counterparts/Mail.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { drafts } from "../credit-notes/Credits.ts"
import { accepted, deferring, pending, to, whileFailing } from "./Deferring.ts"

const mails = await smtp()
const { app, open } = useBilling({ ...mails.settings, role: "all" })
let books: Books
let deferred: ReturnType<typeof deferring>
beforeEach(async () => {
  books = await open()
  deferred = deferring(app, books.id)
})

const names = { invoices: "invoice", quotes: "quote", "credit-notes": "credit_note" } as const
const attempts_max = 7

const keyed = { headers: { "idempotency-key": "once" } }

const receivedBy = (recipient: string) => mails.received.filter(({ to }) => to === recipient)
const actionsOf = () => deferred.actions()
const eventsOf = async () => (await deferred.events()).map(({ type }: { readonly type: string }) => type)

const messageIds = (recipient: string) =>
  app.run(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ message_id: string }>`
        select message_id from document_mails where organization_id = ${books.id} and recipient = ${recipient}`
    )
  )

const enqueueDue = () => deferred.enqueueDue()
const makeDue = () => deferred.makeDue()
const nextAttempt = () => deferred.nextAttempt()

describe.each(["invoices", "quotes", "credit-notes"] as const)(
  "POST /api/v1/%s/{id}/send to a greylisting server",
  (kind) => {
    const first = /0001$/
    /** A credit note without a recipient is a draft, whose number is not shown. */
    const pendingNumber = kind === "credit-notes" ? null : expect.stringMatching(first)
    const pathOf = (id: number) => `/${kind}/${id}`
    const deliveriesOf = async (id: number) => {
      const rows: ReadonlyArray<Record<string, unknown>> = await books.made("GET", `${pathOf(id)}/deliveries`)
      return rows.map(({ updated_at, ...row }) => {
        expect(updated_at).toEqual(expect.stringMatching(/Z$/))
        return row
      })
    }

    it("answers pending, sends the message later with the same Message-ID, and then marks the document as sent", async () => {
      const { id } = await drafts[kind](books)
      const sent = await books.made("POST", `${pathOf(id)}/send`, to("greydata@beta.eu", "grey@beta.eu"))
      const waiting = [pending("greydata@beta.eu", "450 come back later"), pending("grey@beta.eu")]
      expect(sent.deliveries).toEqual(waiting)
      expect([sent.number, sent.sent_at]).toEqual([pendingNumber, null])
      expect(await deliveriesOf(id)).toEqual(expect.arrayContaining(waiting))
      await nextAttempt()
      expect(await books.made("GET", pathOf(id))).toMatchObject({ number: sent.number, sent_at: null })
      mails.endGreylisting()
      await nextAttempt()
      expect(await books.made("GET", pathOf(id))).toMatchObject({
        number: expect.stringMatching(first),
        status: "sent",
        sent_at: expect.any(String)
      })
      const recipients = ["greydata@beta.eu", "grey@beta.eu"]
      expect(await deliveriesOf(id)).toEqual(expect.arrayContaining(recipients.map(accepted)))
      for (const recipient of recipients) {
        const [mail, ...others] = receivedBy(recipient)
        expect([others, mail?.text]).toEqual([[], expect.stringContaining("Thank you all.")])
        const [stored] = await messageIds(recipient)
        expect(mail?.header("Message-ID")).toBe(`<${stored?.message_id}>`)
      }
      const actions = await actionsOf()
      expect(actions.filter((action) => action === `${names[kind]}.sent`)).toHaveLength(1)
    })

    it("gives up after a day, shows the last refusal, and keeps the number", async () => {
      const { id } = await drafts[kind](books)
      const sent = await books.made("POST", `${pathOf(id)}/send`, to("grey@beta.eu"))
      for (let attempt = 2; attempt < attempts_max; attempt++) await nextAttempt()
      expect(await deliveriesOf(id)).toEqual([pending("grey@beta.eu")])
      await nextAttempt()
      const { retry_at: _, ...last } = pending("grey@beta.eu")
      expect(await deliveriesOf(id)).toEqual([{ ...last, status: "refused" }])
      expect(await books.made("GET", pathOf(id))).toMatchObject({ number: sent.number, sent_at: null })
      expect((await actionsOf()).at(-1)).toBe(`${names[kind]}.mail_refused`)
      expect((await deferred.events()).at(-1)).toMatchObject({
        type: `${names[kind]}.mail_refused`,
        data: { id, attributes: await books.made("GET", pathOf(id)), deliveries: [{ ...last, status: "refused" }] }
      })
      mails.endGreylisting()
      await enqueueDue()
      const again = await books.made("POST", `${pathOf(id)}/send`, to("grey@beta.eu"))
      expect([again.number, again.deliveries]).toEqual([expect.stringMatching(first), [accepted("grey@beta.eu")]])
      expect(receivedBy("grey@beta.eu")).toHaveLength(1)
    })

    it("never repeats a message that was accepted, not even for a recipient of the same send", async () => {
      const { id } = await drafts[kind](books)
      const sent = await books.made("POST", `${pathOf(id)}/send`, to("a@beta.eu", "grey@beta.eu", "unknown@beta.eu"))
      expect(sent).toMatchObject({ status: "sent", sent_at: expect.any(String) })
      mails.endGreylisting()
      await nextAttempt()
      await nextAttempt()
      expect(mails.received.map(({ to }) => to)).toEqual(["a@beta.eu", "grey@beta.eu"])
      const { status, sent_at } = await books.made("GET", pathOf(id))
      expect([status, sent_at]).toEqual(["sent", sent.sent_at])
      const actions = await actionsOf()
      expect(actions.filter((action) => /\.(sent|resent|mail_refused)$/.test(action)).slice(-2)).toEqual([
        `${names[kind]}.sent`,
        `${names[kind]}.resent`
      ])
    })

    it("leaves the message to a later request, under the same Message-ID", async () => {
      const { id } = await drafts[kind](books)
      await books.made("POST", `${pathOf(id)}/send`, to("grey@beta.eu"))
      const again = await books.made("POST", `${pathOf(id)}/send`, to("grey@beta.eu", "b@beta.eu"))
      expect(again.deliveries).toEqual([pending("grey@beta.eu"), accepted("b@beta.eu")])
      mails.endGreylisting()
      await makeDue()
      await enqueueDue()
      await until("the message", async () => (receivedBy("grey@beta.eu").length > 0 ? true : undefined))
      await expect
        .poll(() => deliveriesOf(id), { timeout: 30_000 })
        .toEqual([accepted("b@beta.eu"), accepted("grey@beta.eu")])
      const ids = await messageIds("grey@beta.eu")
      expect([ids.length, new Set(ids.map(({ message_id }) => message_id)).size]).toEqual([2, 1])
      await enqueueDue()
      expect(receivedBy("grey@beta.eu")).toHaveLength(1)
    })

    it("does not repeat an attempt whose process was killed, and says that its result is unknown", async () => {
      const { id } = await drafts[kind](books)
      await books.made("POST", `${pathOf(id)}/send`, to("grey@beta.eu"))
      await app.inDatabase(`update document_mails set state = 'handing_over', attempts = 2, retry_at = now()
      where organization_id = ${books.id}`)
      mails.endGreylisting()
      await nextAttempt()
      expect(await deliveriesOf(id)).toEqual([unconfirmed("grey@beta.eu")])
      expect(mails.received).toEqual([])
    })

    it("records an accepted message although its process was killed right after, without another one", async () => {
      const { id } = await drafts[kind](books)
      await books.made("POST", `${pathOf(id)}/send`, to("grey@beta.eu"))
      mails.endGreylisting()
      await whileFailing(
        app,
        books.id,
        ["document_mails", "old.retry_at is not null and new.retry_at is null"],
        async () => {
          await makeDue()
          await enqueueDue()
          await expect.poll(() => deliveriesOf(id), { timeout: 30_000 }).toEqual([accepted("grey@beta.eu")])
          await until("the failure", async () => {
            const [job] = await app.inDatabase(`select from jobs where queue_name = 'billing.mail-retries'
          and state = 'pending' and acquired_at is null and last_failure is not null`)
            return job
          })
          expect((await books.made("GET", pathOf(id))).sent_at).toBeNull()
        }
      )
      await app.inDatabase("update jobs set visible_at = localtimestamp where queue_name = 'billing.mail-retries'")
      await until("the conclusion", async () => (await books.made("GET", pathOf(id))).sent_at ?? undefined)
      expect(receivedBy("grey@beta.eu")).toHaveLength(1)
    })

    it("answers its key with pending again, and sends nothing twice", async () => {
      const { id } = await drafts[kind](books)
      const send = () => books.call("POST", `${pathOf(id)}/send`, to("grey@beta.eu"), keyed)
      const first = await send()
      expect([first.status, first.body.data.deliveries]).toEqual([200, [pending("grey@beta.eu")]])
      mails.endGreylisting()
      const replayed = await send()
      expect([replayed.text, replayed.headers.get("idempotency-replayed")]).toEqual([first.text, "true"])
      await nextAttempt()
      await app.inDatabase(`update idempotency_keys set status = null, headers = null, sealed_body = null,
      leased_until = now() - interval '1 second' where organization_id = ${books.id}`)
      const again = await send()
      expect([again.status, again.body.data.deliveries]).toEqual([200, [accepted("grey@beta.eu")]])
      expect(receivedBy("grey@beta.eu")).toHaveLength(1)
    })
  }
)

describe("a deferred message", () => {
  it("makes the invoice sent with the event of its first delivery", async () => {
    const { id } = await books.draft()
    await books.made("POST", `/invoices/${id}/send`, to("grey@beta.eu"))
    expect(await eventsOf()).not.toContain("invoice.sent")
    mails.endGreylisting()
    await nextAttempt()
    expect((await eventsOf()).slice(-2)).toEqual(["invoice.updated", "invoice.sent"])
    expect((await books.invoice(id)).sent_method).toBe("email")
  })

  it("is given up when the document may no longer be sent", async () => {
    const { id } = await drafts.quotes(books)
    await books.made("POST", `/quotes/${id}/send`, to("grey@beta.eu"))
    await books.made("POST", `/quotes/${id}/mark-rejected`)
    mails.endGreylisting()
    await nextAttempt()
    expect(await books.made("GET", `/quotes/${id}/deliveries`)).toEqual([
      expect.objectContaining({
        status: "refused",
        code: "not_attempted",
        error: "The document can no longer be sent."
      })
    ])
    expect(mails.received).toEqual([])
  })

  it("is given up when the quote was rejected and changed, and leaves the quote a draft", async () => {
    const { id } = await drafts.quotes(books)
    await books.made("POST", `/quotes/${id}/send`, to("grey@beta.eu"))
    await books.made("POST", `/quotes/${id}/mark-rejected`)
    await books.made("PUT", `/quotes/${id}`, { notes: "A new price follows." })
    mails.endGreylisting()
    await nextAttempt()
    const [delivery] = await books.made("GET", `/quotes/${id}/deliveries`)
    expect([delivery.status, delivery.code]).toEqual(["refused", "not_attempted"])
    expect(mails.received).toEqual([])
    expect(await books.made("GET", `/quotes/${id}`)).toMatchObject({ status: "draft", sent_at: null })
    expect(await eventsOf()).not.toContain("quote.sent")
  })

  it("is given up when the quote became an invoice meanwhile", async () => {
    const { id } = await drafts.quotes(books)
    await books.made("POST", `/quotes/${id}/send`, to("grey@beta.eu"))
    await books.made("POST", `/quotes/${id}/convert-to-invoice`)
    mails.endGreylisting()
    await nextAttempt()
    const deliveries = await books.made("GET", `/quotes/${id}/deliveries`)
    expect(deliveries.map(({ code, recipient, status }: Record<string, string>) => [recipient, status, code])).toEqual([
      ["grey@beta.eu", "refused", "not_attempted"]
    ])
    expect(mails.received).toEqual([])
  })

  it("names the status before, if the invoice or the quote changed before the message was accepted", async () => {
    const { id } = await books.draft()
    const sent = await books.made("POST", `/invoices/${id}/send`, to("grey@beta.eu"))
    await books.pay(sent, 21)
    const quote = await drafts.quotes(books)
    await books.made("POST", `/quotes/${quote.id}/send`, to("greydata@beta.eu"))
    await books.made("POST", `/quotes/${quote.id}/mark-accepted`)
    mails.endGreylisting()
    await nextAttempt()
    const published = (await deferred.events()).filter(({ type }: { readonly type: string }) => type.endsWith(".sent"))
    expect(
      published.map(({ data, type }: { readonly data: { readonly previous?: unknown }; readonly type: string }) => [
        type,
        data.previous
      ])
    ).toEqual(
      expect.arrayContaining([
        ["invoice.sent", { status: "partially_paid" }],
        ["quote.sent", { status: "accepted" }]
      ])
    )
  })

  it("publishes that an invoice with nothing to pay is paid when it is issued, and later that it is sent", async () => {
    const { id } = await books.draft({ items: [line(0)] })
    await books.made("POST", `/invoices/${id}/send`, to("grey@beta.eu"))
    mails.endGreylisting()
    await nextAttempt()
    expect((await eventsOf()).slice(-3)).toEqual(["invoice.updated", "invoice.paid", "invoice.sent"])
  })

  it("counts in a batch as not confirmed", async () => {
    const { id: customer_id } = await books.made("POST", "/customers", { name: "Grey", email: "grey@beta.eu" })
    const { id } = await books.draft({ customer_id })
    const batch = await books.made("POST", "/batch/invoices/send", { invoice_ids: [id], attach_pdf: false })
    expect(batch.results[0]).toMatchObject({
      status: "unknown",
      channels: [{ channel: "email", status: "unknown", deliveries: [pending("grey@beta.eu")] }]
    })
    mails.endGreylisting()
    await nextAttempt()
    expect((await books.invoice(id)).sent_at).not.toBeNull()
  })

  it("answers 404 for another organization's document", async () => {
    const { id } = await books.draft()
    const others = await open()
    expect((await others.call("GET", `/invoices/${id}/deliveries`)).status).toBe(404)
  })
})
