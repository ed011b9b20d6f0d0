import { beforeEach, describe, expect, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { drafts } from "../credit-notes/Credits.ts"
import { accepted, deferring, to, whileFailing } from "../sending/Deferring.ts"

const mails = await smtp()
const { app, open } = useBilling({ ...mails.settings, role: "all" })
let books: Awaited<ReturnType<typeof opened>>
beforeEach(async () => {
  books = await opened()
})

const opened = async () => {
  const own = await open()
  const { id } = await drafts.quotes(own)
  const path = `/quotes/${id}`
  const { id: customer_id } = await own.made("POST", "/customers", { name: "Rival", email: "rival@gamma.eu" })
  return {
    ...own,
    ...deferring(app, own.id),
    path,
    quote: () => own.made("GET", path),
    send: (...recipients: ReadonlyArray<string>) => own.call("POST", `${path}/send`, to(...recipients)),
    reject: () => own.made("POST", `${path}/mark-rejected`),
    /** Changes the rejected quote, which makes it a draft for another customer. */
    reopen: () => own.made("PUT", path, { customer_id, items: [{ description: "Secret", unit_price: 900 }] }),
    deliveries: async (): Promise<ReadonlyArray<unknown>> => own.made("GET", `${path}/deliveries`)
  }
}

const givenUp = (recipient: string) => ({
  recipient,
  status: "refused",
  code: "not_attempted",
  error: "The document can no longer be sent.",
  updated_at: expect.any(String)
})

const recipients = () => mails.received.map((mail) => mail.to)
const fails = (condition: string, work: () => Promise<unknown>) =>
  whileFailing(app, books.id, [condition.includes("finished") ? "document_sends" : "document_mails", condition], work)

describe("PUT /api/v1/quotes/{id} of a rejected quote", () => {
  it("gives up its deferred messages, which would else bring the changed quote to a former recipient", async () => {
    await books.send("grey@beta.eu")
    await books.reject()
    await books.reopen()
    expect(await books.deliveries()).toEqual([givenUp("grey@beta.eu")])
    await books.send("rival@gamma.eu")
    mails.endGreylisting()
    await books.nextAttempt()
    expect(recipients()).toEqual(["rival@gamma.eu"])
    const refusals = (await books.events()).filter(({ type }: { readonly type: string }) => /mail_refused/.test(type))
    expect(refusals).toHaveLength(1)
    expect(refusals[0]).toMatchObject({ data: { deliveries: [{ recipient: "grey@beta.eu", status: "refused" }] } })
  })

  it("answers 422 for an issue date in another year than that of its number", async () => {
    await books.send("a@beta.eu")
    await books.reject()
    const { issue_date, number } = await books.quote()
    const dated = (day: string) => books.call("PUT", books.path, { issue_date: day, valid_until: "2999-12-31" })
    const year = Number(issue_date.slice(0, 4))
    const { body, status } = await dated(`${year + 1}-01-05`)
    expect([status, body.errors]).toEqual([
      422,
      {
        issue_date: [
          `The issue_date field must stay in ${year}, the year of the number ${number}: create another quote instead.`
        ]
      }
    ])
    expect((await dated(`${year}-12-31`)).body.data).toMatchObject({ status: "draft", number })
  })

  it("gives up the messages that a crash left unsent", async () => {
    await fails("new.state = 'handing_over'", () => books.send("a@beta.eu"))
    await books.reject()
    await books.reopen()
    await books.send("rival@gamma.eu")
    await books.nextAttempt()
    expect(recipients()).toEqual(["rival@gamma.eu"])
    expect(await books.deliveries()).toContainEqual(givenUp("a@beta.eu"))
  })

  it("leaves a draft that was never sent, although a crash hid that the former quote was", async () => {
    await fails("new.finished_at is not null", () => books.send("a@beta.eu"))
    await books.reject()
    await books.reopen()
    await books.nextAttempt()
    expect(await books.quote()).toMatchObject({ status: "draft", sent_at: null })
    expect((await books.send("a@beta.eu")).body.data.deliveries).toEqual([accepted("a@beta.eu")])
    expect(recipients()).toEqual(["a@beta.eu", "a@beta.eu"])
  })

  it("mails the changed quote although the service has resumed the send of the former one", async () => {
    await fails("new.finished_at is not null", () => books.send("a@beta.eu"))
    await books.nextAttempt()
    await books.reject()
    await books.reopen()
    expect((await books.send("a@beta.eu")).body.data.deliveries).toEqual([accepted("a@beta.eu")])
    expect(recipients()).toEqual(["a@beta.eu", "a@beta.eu"])
  })

  it("leaves a draft although the result of an accepted message was not recorded yet", async () => {
    await books.send("grey@beta.eu")
    await app.inDatabase(`update document_mails set state = 'accepted', retry_at = now()
      where organization_id = ${books.id}`)
    await books.reject()
    await books.reopen()
    await books.nextAttempt()
    expect(await books.quote()).toMatchObject({ status: "draft", sent_at: null })
    expect(await books.actions()).not.toContain("quote.sent")
  })

  it("does not count an accepted message of the former quote as one of the changed quote", async () => {
    await books.send("grey@beta.eu")
    await app.inDatabase(`update document_mails set state = 'accepted', retry_at = now()
      where organization_id = ${books.id}`)
    await books.reject()
    await books.reopen()
    await books.send("greydata@beta.eu")
    await books.enqueueDue()
    await books.concluded()
    expect(await books.quote()).toMatchObject({ status: "sent", sent_at: null })
    mails.endGreylisting()
    await books.nextAttempt()
    expect(await books.quote()).toMatchObject({ status: "sent", sent_at: expect.any(String) })
    expect((await books.actions()).filter((action) => action.endsWith("sent"))).toEqual(["quote.sent"])
  })

  it("reports a message as unknown that was being sent during a crash", async () => {
    await fails("new.state = 'accepted'", () => books.send("a@beta.eu"))
    await books.reject()
    await books.reopen()
    await books.nextAttempt()
    expect(await books.deliveries()).toMatchObject([{ recipient: "a@beta.eu", status: "unknown", code: "unconfirmed" }])
    // The message had the former offer, so the new one is sent without `resend`, and not as a repetition of the message.
    expect((await books.send("a@beta.eu")).body.data.deliveries).toEqual([accepted("a@beta.eu")])
    const ids = mails.received.map((mail) => mail.header("message-id"))
    expect([ids.length, new Set(ids).size]).toEqual([2, 2])
  })

  it("answers 409 while the quote is being sent", async () => {
    const sending = books.send("held@beta.eu")
    await expect.poll(mails.held, { timeout: 10_000 }).toBe(1)
    await books.reject()
    const refused = await books.call("PUT", books.path, { notes: "Late" })
    expect([refused.status, refused.body.code]).toEqual([409, "send_in_progress"])
    expect((await books.quote()).status).toBe("rejected")
    mails.release()
    expect((await sending).status).toBe(200)
    expect(await books.reopen()).toMatchObject({ status: "draft" })
  })
})
