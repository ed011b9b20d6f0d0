import { Effect } from "effect"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { Portal } from "../../../src/billing/portal/Portal.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { type Books, useBilling } from "../../support/Billing.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { accepted, deferring, pending, to } from "../sending/Deferring.ts"

const mails = await smtp()
const { app, open } = useBilling({ ...mails.settings, role: "all" })
afterAll(() => mails.received.splice(0))

let books: Books
beforeEach(async () => {
  books = await open()
  await books.made("PUT", `/customers/${books.customer_id}`, { email: "a@beta.eu" })
})

const revoke = (document_id: number) => {
  const key = { organization_id: OrganizationId.make(books.id), document: "invoice" as const, document_id }
  return app.run(Effect.flatMap(Portal, (portal) => portal.revoke(key, "admin")).pipe(Effect.provide(Portal.layer)))
}

/** Returns a function that opens an invoice by the customer's link to another one. */
const throughAnother = async () => {
  const { id } = await books.draft()
  await books.made("POST", `/invoices/${id}/send`, to("a@beta.eu"))
  const { pathname } = new URL(mails.received.at(-1)?.link ?? "")
  return async (other: number) => (await app.call("GET", `${pathname}/invoice/${other}`)).status
}

describe("an invoice whose links were revoked", () => {
  it.each([
    ["greydata@beta.eu", "450 come back later"],
    ["grey@beta.eu", "451 greylisted, come back later"]
  ])("is not mailed by a later attempt of an earlier message to %s, but by a new send", async (recipient, error) => {
    const deferred = deferring(app, books.id)
    const { id } = await books.draft()
    const sent = await books.made("POST", `/invoices/${id}/send`, to("a@beta.eu", recipient))
    expect(sent.deliveries).toEqual([accepted("a@beta.eu"), pending(recipient, error)])
    await deferred.makeDue()
    await revoke(id)
    mails.endGreylisting()
    await deferred.enqueueDue()
    await deferred.concluded()
    expect(mails.received.map((mail) => mail.to)).toEqual(["a@beta.eu"])
    const refused = { recipient, status: "refused", code: "not_attempted", error: "The links were revoked." }
    expect(await books.made("GET", `/invoices/${id}/deliveries`)).toMatchObject([accepted("a@beta.eu"), refused])
    expect((await books.invoice(id)).status).toBe("sent")
    expect((await deferred.events()).at(-1)).toMatchObject({
      type: "invoice.mail_refused",
      data: { deliveries: [refused] }
    })

    const status = await throughAnother()
    expect(await status(id)).toBe(404)
    await books.made("POST", `/invoices/${id}/send`, to(recipient))
    expect(mails.received.at(-1)?.to).toBe(recipient)
    expect(await status(id)).toBe(200)
  })

  it("gets no further link from a send that is under way", async () => {
    const { id } = await books.draft()
    const recipients = ["a", "b", "c", "d", "e"].map((name) => `held-${name}@beta.eu`)
    const sending = books.call("POST", `/invoices/${id}/send`, to(...recipients))
    const held = await until("the messages", async () => (mails.held() > 0 ? mails.held() : undefined))
    await revoke(id)
    mails.release()
    await until("the other messages", async () => {
      mails.release()
      return Promise.race([sending, new Promise<undefined>((resume) => setTimeout(() => resume(undefined), 50))])
    })
    const links = await app.inDatabase(`select 1 from document_links where organization_id = ${books.id}
      and document_id = ${id} and revoked_at is null`)
    expect([held < recipients.length, links.length]).toEqual([true, 0])
  })

  it("stays hidden after a send that failed", async () => {
    const { id } = await books.draft()
    await books.made("POST", `/invoices/${id}/send`, to("a@beta.eu"))
    const status = await throughAnother()
    expect(await status(id)).toBe(200)
    await revoke(id)
    expect(await status(id)).toBe(404)
    const sending = books.call("POST", `/invoices/${id}/send`, to("held-unknown@beta.eu"))
    await until("the message", async () => (mails.held() === 1 ? true : undefined))
    mails.release()
    expect((await sending).status).toBe(422)
    expect(await status(id)).toBe(404)
  })
})
