import { describe, expect, it } from "vitest"
import { waitingFor, whileHeld } from "../../banking/Books.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { until } from "../../support/counterparts/Receiver.ts"
import { useEinvoicing } from "../documents/Submitting.ts"
import { useTaxAgency } from "./SpanishSellers.ts"

const mails = await smtp()
const { app, seller } = useTaxAgency(useEinvoicing({ production: true, ...mails.settings }))

const sendTo = (recipient: string) => ({ recipients: [recipient], attach_pdf: false })

describe("the job that records a Spanish invoice whose send was undone", () => {
  it("does nothing after the draft was deleted", async () => {
    const books = await seller()
    const { id } = await books.draft()
    const sent = await books.call("POST", `/invoices/${id}/send`, sendTo("unknown@beta.eu"))
    expect([sent.status, sent.body.code]).toEqual([422, "delivery_failed"])
    expect((await books.call("DELETE", `/invoices/${id}`)).status).toBe(200)
    await books.record("invoice", id)
    expect((await books.call("GET", "/einvoicing/invoices")).body.data).toEqual([])
  })

  it("does not issue the invoice that became a draft after the job had read it", async () => {
    const books = await seller()
    const { id } = await books.draft()
    const sending = books.call("POST", `/invoices/${id}/send`, sendTo("held-unknown@beta.eu"))
    await until("the message", () => (mails.held() === 1 ? true : undefined))
    let recording: Promise<void> | undefined
    await whileHeld(app, [`select from invoices where id = ${id} for update`], async () => {
      mails.release()
      await waitingFor(app, "invoices")
      recording = books.record("invoice", id)
      await waitingFor(app, "invoices", 2)
    })
    await recording
    expect((await sending).body.code).toBe("delivery_failed")
    expect(await books.invoice(id)).toMatchObject({ status: "draft", number: null })
    expect((await books.call("GET", "/einvoicing/invoices")).body.data).toEqual([])
  })

  it("keeps an invoice issued if the job stores that it breaks a rule, so that this stays true", async () => {
    const books = await seller()
    await books.made("PUT", `/customers/${books.customer_id}`, { tax_number: "X" })
    const { id } = await books.draft()
    const sending = books.call("POST", `/invoices/${id}/send`, sendTo("held-unknown@beta.eu"))
    await until("the message", () => (mails.held() === 1 ? true : undefined))
    let recording: Promise<void> | undefined
    await whileHeld(app, [`select from invoices where id = ${id} for update`], async () => {
      recording = books.record("invoice", id)
      await waitingFor(app, "invoices")
      mails.release()
      await waitingFor(app, "invoices", 2)
    })
    await recording
    expect((await sending).body.code).toBe("delivery_failed")
    const { data } = (await books.call("GET", "/einvoicing/invoices")).body
    expect(data).toMatchObject([{ invoice_id: id, status: "failed" }])
    expect((await books.invoice(id)).status).toBe("sent")
  })
})
