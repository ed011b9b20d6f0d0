import { Effect, Layer } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { purgeDocumentLinks } from "../../../src/billing/sending/DocumentLinksPurge.ts"
import { addDays, Day } from "../../../src/kernel/Calendar.ts"
import { Pdf } from "../../../src/platform/documents/pdf/Pdf.ts"
import { PdfUnavailable } from "../../../src/platform/documents/pdf/PdfErrors.ts"
import { type Books, useBilling } from "../../support/Billing.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { dayIn } from "../../support/Days.ts"
import { creditsOf, drafts } from "../credit-notes/Credits.ts"
import { deferring, to, whileFailing } from "./Deferring.ts"

/** Makes files that contain only the content of the document, or none while the service is busy. */
let isBusy = false
const contentOnly = Layer.succeed(
  Pdf,
  Pdf.of({
    render: (_, data) =>
      Effect.suspend(() =>
        isBusy ? Effect.fail(PdfUnavailable.of()) : Effect.succeed(Buffer.from(JSON.stringify(data)))
      )
  })
)

const mails = await smtp()
const { app, open } = useBilling({ ...mails.settings, role: "all" }, { pdf: contentOnly })
let books: Books
let deferred: ReturnType<typeof deferring>
beforeEach(async () => {
  isBusy = false
  books = await open()
  deferred = deferring(app, books.id)
})

const greylisted = async (body: object = to("grey@beta.eu")) => {
  const note = await drafts["credit-notes"](books)
  const { send } = creditsOf(books)
  expect((await send(note, body)).body.data.deliveries[0].status).toBe("pending")
  return { note, send: (given: object) => send(note, given) }
}

/** Ends the greylisting, and returns the note and the message that the recipient then gets. */
const delivered = async (id: number) => {
  mails.endGreylisting()
  await deferred.nextAttempt()
  const [mail, ...others] = mails.received.filter((mail) => mail.to === "grey@beta.eu")
  expect(others).toEqual([])
  return { mail, sent: await creditsOf(books).note(id) }
}

const lockBooks = (day: string) =>
  books.made("PUT", `/organizations/${books.id}`, { settings: [{ key: "books_locked_until", value: day }] })

const nextNumber = async () => {
  const { body } = await creditsOf(books).send(await drafts["credit-notes"](books), to("next@beta.eu"))
  return body.data.number
}

describe("a credit note with a deferred message", () => {
  it("keeps its number when a send to another recipient fails", async () => {
    const { note, send } = await greylisted()
    const failed = await send(to("unknown@beta.eu"))
    expect([failed.status, failed.body.code, failed.body.details]).toEqual([
      422,
      "delivery_failed",
      { number: expect.stringMatching(/0001$/), status: "draft" }
    ])
    const { mail, sent } = await delivered(note.id)
    expect([sent.status, sent.number]).toEqual(["sent", failed.body.details.number])
    expect(mail?.header("Subject")).toContain(sent.number)
    expect(await nextNumber()).toMatch(/0002$/)
  })

  it("keeps its number when no PDF can be made for another send to the same recipient", async () => {
    const { note, send } = await greylisted()
    isBusy = true
    expect((await send({ recipients: ["grey@beta.eu"] })).status).toBe(503)
    const { mail, sent } = await delivered(note.id)
    expect([sent.status, sent.number]).toEqual(["sent", expect.stringMatching(/0001$/)])
    expect(mail?.header("Subject")).toContain(sent.number)
  })

  it("keeps its number when a recipient may have got it", async () => {
    const { note, send } = await greylisted()
    await app.inDatabase(`update document_mails set state = 'unknown', retry_at = null
      where organization_id = ${books.id}`)
    expect((await send(to("unknown@beta.eu"))).body.details.status).toBe("draft")
    expect(await nextNumber()).toMatch(/0002$/)
    expect((await send(to("a@beta.eu"))).body.data).toMatchObject({
      id: note.id,
      number: expect.stringMatching(/0001$/)
    })
  })

  it("returns its number when a send fails after all earlier messages were refused", async () => {
    const { send } = await greylisted()
    await app.inDatabase(`update document_mails set state = 'refused', retry_at = null
      where organization_id = ${books.id}`)
    expect((await send(to("unknown@beta.eu"))).body).not.toHaveProperty("details")
    expect(await nextNumber()).toMatch(/0001$/)
  })

  it("is given up when the books of its date are locked, and stays a draft", async () => {
    const { note } = await greylisted()
    await lockBooks(dayIn("Europe/Brussels"))
    const { mail, sent } = await delivered(note.id)
    expect([mail, sent.status, sent.sent_at]).toEqual([undefined, "draft", null])
    const [delivery] = await books.made("GET", `/credit-notes/${note.id}/deliveries`)
    expect([delivery.status, delivery.code]).toEqual(["refused", "not_attempted"])
  })

  it("is not mailed without a number", async () => {
    const { note } = await greylisted()
    await app.inDatabase(`update credit_notes set number = null, sequence = null, issue_date = null
      where organization_id = ${books.id}`)
    await app.inDatabase(`update document_counters set next = next - 1, last_issue_date = null
      where organization_id = ${books.id} and document = 'credit_note'`)
    const { mail, sent } = await delivered(note.id)
    expect([mail, sent.status]).toEqual([undefined, "draft"])
    const [delivery] = await books.made("GET", `/credit-notes/${note.id}/deliveries`)
    expect([delivery.status, delivery.code]).toEqual(["refused", "not_attempted"])
  })
})

const put = (id: number, given: object) => books.call("PUT", `/credit-notes/${id}`, given)
const remove = (id: number) => books.call("DELETE", `/credit-notes/${id}`)

describe("a draft with a number that a recipient may know", () => {
  const changes = { amount: 10 }
  const isLocked = async (id: number) => {
    const before = await creditsOf(books).note(id)
    for (const { body, status } of [await put(id, changes), await remove(id)]) {
      expect([status, body.code, body.details]).toEqual([
        422,
        "credit_note_locked",
        { status: "draft", number: expect.stringMatching(/0001$/), may_have_arrived: true }
      ])
    }
    expect(await creditsOf(books).note(id)).toEqual(before)
  }

  it("can neither be changed nor deleted while a message is deferred", async () => {
    const { note } = await greylisted()
    await isLocked(note.id)
    expect((await put(note.id, { external_id: "A-1" })).status).toBe(200)
    const { sent } = await delivered(note.id)
    expect(sent).toMatchObject({ total: 21, external_id: "A-1" })
  })

  it("can neither be changed nor deleted when the result of a message is unknown, also after the purge", async () => {
    const note = await drafts["credit-notes"](books)
    const { send } = creditsOf(books)
    await send(note, to("lost@beta.eu"))
    await isLocked(note.id)
    await app.inDatabase(`update document_sends set created_at = now() - interval '40 days'
      where organization_id = ${books.id}`)
    await app.run(purgeDocumentLinks())
    await isLocked(note.id)
    expect(await nextNumber()).toMatch(/0002$/)
    expect((await send(note, { ...to("lost@beta.eu"), resend: true })).body.data.number).toMatch(/0001$/)
  })

  it("can be changed once all messages are refused", async () => {
    const { note } = await greylisted()
    await app.inDatabase(`update document_mails set state = 'refused', retry_at = null
      where organization_id = ${books.id}`)
    expect((await put(note.id, changes)).body.data.total).toBe(10)
    expect((await remove(note.id)).status).toBe(200)
    expect(await nextNumber()).toMatch(/0001$/)
  })

  it("can neither be changed nor deleted until a send that a crash interrupted is concluded", async () => {
    const note = await drafts["credit-notes"](books)
    const crash = ["document_sends", "new.finished_at is not null"] as const
    const send = () => creditsOf(books).send(note, to("a@beta.eu"))
    expect((await whileFailing(app, books.id, crash, send)).status).toBe(500)
    for (const { body, status } of [await put(note.id, changes), await remove(note.id)]) {
      expect([status, body.code]).toEqual([409, "send_in_progress"])
    }
    await deferred.enqueueDue()
    await deferred.concluded()
    expect(await creditsOf(books).note(note.id)).toMatchObject({ status: "sent", total: 21 })
  })
})

const withPdf = (...recipients: ReadonlyArray<string>) => ({ recipients })

/** Moves the first send one day back. */
const dayPasses = async () => {
  await app.inDatabase(`update credit_notes set issue_date = issue_date - 1 where organization_id = ${books.id}`)
  await app.inDatabase(`update document_sends set issued = jsonb_set(issued, '{issue_date}',
    to_jsonb(((issued ->> 'issue_date')::date - 1)::text)) where organization_id = ${books.id} and issued is not null`)
}

const fileOf = async (id: number) => (await books.call("GET", `/credit-notes/${id}/pdf`)).text

const attached = (raw: string | undefined) =>
  Buffer.from(/application\/pdf[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(raw ?? "")?.[1] ?? "", "base64").toString()

describe("the date of a credit note with a deferred message", () => {
  it("is the day of its first send, and the recipient gets the same file as the archive", async () => {
    const { note } = await greylisted(withPdf("grey@beta.eu"))
    await dayPasses()
    const { mail, sent } = await delivered(note.id)
    expect(sent.issue_date < dayIn("Europe/Brussels")).toBe(true)
    expect(attached(mail?.raw)).toBe(await fileOf(note.id))
  })

  it("stays the day of the send that another recipient got first", async () => {
    const { note, send } = await greylisted(withPdf("grey@beta.eu"))
    await dayPasses()
    const { issue_date } = (await send(withPdf("b@beta.eu"))).body.data
    const { mail, sent } = await delivered(note.id)
    expect(sent.issue_date).toBe(issue_date)
    expect(attached(mail?.raw)).toBe(await fileOf(note.id))
  })

  it.each(["open", "locked"])(
    "is the day of the later send whose message is delivered: former day %s",
    async (former) => {
      const { note, send } = await greylisted(withPdf("grey@beta.eu"))
      await dayPasses()
      const today = dayIn("Europe/Brussels")
      if (former === "locked") await lockBooks(addDays(Day.make(today), -1))
      expect((await send(withPdf("grey@beta.eu"))).body.data.deliveries[0].status).toBe("pending")
      mails.endGreylisting()
      await deferred.makeDue()
      await deferred.enqueueDue()
      await expect.poll(async () => (await creditsOf(books).note(note.id)).status, { timeout: 20_000 }).toBe("sent")
      const [mail] = mails.received.filter((mail) => mail.to === "grey@beta.eu")
      expect((await creditsOf(books).note(note.id)).issue_date).toBe(today)
      expect(attached(mail?.raw)).toBe(await fileOf(note.id))
    }
  )
})
