import { describe, expect, it } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { creditsOf } from "./Credits.ts"

const mails = await smtp()
const { app, open } = useBilling(mails.settings)

const to = (...recipients: ReadonlyArray<string>) => ({ recipients, attach_pdf: false })
const start = async () => {
  const books = await open()
  return { books, ...creditsOf(books) }
}

describe("the recipients of a credit note", () => {
  it("answers 422 no_recipient when there is no recipient, and the draft stays without a number", async () => {
    const { books, draft, note, send } = await start()
    const before = await draft(await books.issued(), 21)
    const { body, status } = await send(before)
    expect([status, body.code]).toEqual([422, "no_recipient"])
    expect(await note(before.id)).toEqual(before)
    const { entries } = await app.run(verifiedAuditLog(books.id))
    expect(entries.at(-1)?.action).toBe("credit_note.created")
  })

  it("goes to the customer's address, else to the primary contact's", async () => {
    const { books, draft, send } = await start()
    const invoice = await books.issued()
    const { customer_id } = books
    const els = { customer_id, name: "Els", email: "els@beta.eu", is_primary: true }
    await books.made("POST", "/contacts", els)
    await send(await draft(invoice, 1), { attach_pdf: "false" })
    await books.made("PUT", `/customers/${customer_id}`, { email: "ap@beta.eu" })
    await send(await draft(invoice, 1), { attach_pdf: false })
    expect(mails.received.map((mail) => mail.to)).toEqual(["els@beta.eu", "ap@beta.eu"])
  })

  it("is sent once to each named contact and to the further recipients", async () => {
    const { books, draft, send } = await start()
    const { customer_id } = books
    const contact = async (changes: object) =>
      (await books.made("POST", "/contacts", { customer_id, name: "Els", ...changes })).id
    const els = await contact({ email: "els@beta.eu" })
    const note = await draft(await books.issued(), 1)
    const { status } = await send(note, { ...to("b@beta.eu", "ELS@beta.eu"), contact_ids: [els] })
    expect([status, mails.received.map((mail) => mail.to.toLowerCase()).toSorted()]).toEqual([
      200,
      ["b@beta.eu", "els@beta.eu"]
    ])
  })

  it("answers 422 for a contact of another customer, a contact without an address, and an invalid contact", async () => {
    const { books, draft, note, send } = await start()
    const silent = await books.made("POST", "/contacts", { customer_id: books.customer_id, name: "Els" })
    const theirs = await open({ name: "Theirs" })
    const foreign = await theirs.made("POST", "/contacts", {
      customer_id: theirs.customer_id,
      name: "Foreign",
      email: "foreign@theirs.eu"
    })
    const before = await draft(await books.issued(), 21)
    for (const id of [silent.id, foreign.id, 2_147_483_647]) {
      const { body, status } = await send(before, { ...to("a@beta.eu"), contact_ids: [id] })
      expect([status, Object.keys(body.errors)]).toEqual([422, ["contact_ids.0"]])
    }
    for (const [body, field] of [
      [{ contact_ids: "x" }, "contact_ids"],
      [{ contact_ids: ["x"] }, "contact_ids.0"],
      [{ resend: "perhaps" }, "resend"],
      [{ recipients: ["nobody"] }, "recipients.0"]
    ] as const) {
      const answer = await send(before, body)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
    }
    expect(await note(before.id)).toEqual(before)
    expect(mails.received).toEqual([])
  })
})
