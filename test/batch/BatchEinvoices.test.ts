import { describe, expect, it } from "vitest"
import { answerLost } from "../support/service/AnswerLost.ts"
import { seedMember, seedOrganizationToken } from "../support/database/Seed.ts"
import { magic } from "../support/counterparts/Network.ts"
import { useEinvoicing } from "../einvoicing/documents/Submitting.ts"

const { app, open } = useEinvoicing()

const seller = async () => {
  const books = await open()
  await books.register()
  const send = (invoice_ids: ReadonlyArray<number>, further: object = {}) =>
    books.call("POST", "/batch/invoices/send", { invoice_ids, attach_pdf: false, ...further })
  const submissions = async () => (await books.call("GET", "/einvoicing/invoices")).body.data
  return { ...books, send, submissions }
}

const peppol_recipient = { identifier_scheme: "0088", identifier_value: magic.accepted }

describe("POST /api/v1/batch/invoices/send by the e-invoicing network", () => {
  it("submits each invoice to its customer's identifier, issues drafts, and reports each refusal", async () => {
    const { customer_id, draft, made, send, submissions } = await seller()
    const identifier = { einvoicing_identifier_scheme: "0088", einvoicing_identifier_value: magic.accepted }
    await made("PUT", `/customers/${customer_id}`, identifier)
    const [good, bad] = [await draft(), await draft({ items: [{ description: "x", unit_price: 1, unit: "ZZ9" }] })]
    const { body, status } = await send([good.id, bad.id, good.id], { method: "einvoice" })
    expect([status, body.data.summary]).toEqual([200, { total: 3, succeeded: 1, failed: 1 }])
    const [first, second, third] = body.data.results
    expect(first).toMatchObject({
      status: "succeeded",
      channels: [{ channel: "einvoice", status: "sent" }],
      data: { id: good.id, status: "sent", sent_at: null, deliveries: [] }
    })
    expect(second).toMatchObject({
      status: "failed",
      http_status: 422,
      error: { code: "invalid_document", details: { errors: [{ rule: "BR-CL-23" }] } }
    })
    expect(third).toMatchObject({ status: "duplicate" })
    expect(await submissions()).toMatchObject([
      {
        invoice_id: good.id,
        status: "pending",
        recipient: { identifier_scheme: "0088", identifier_value: magic.accepted, name: "Beta", country_code: "BE" }
      }
    ])
  })

  it("sends through both channels to the named recipient, and is partial when one of them is refused", async () => {
    const { customer_id, draft, made, send, submissions } = await seller()
    await made("PUT", `/customers/${customer_id}`, { email: "ap@beta.example" })
    const { id } = await draft()
    const recipient = { ...peppol_recipient, name: "Beta Holding", country_code: "BE" }
    const both = await send([id], { method: "both", peppol_recipient: recipient })
    expect(both.body.data.results[0]).toMatchObject({
      status: "succeeded",
      channels: [
        { channel: "email", status: "sent" },
        { channel: "einvoice", status: "sent" }
      ],
      data: { sent_method: "email", deliveries: [{ recipient: "ap@beta.example" }] }
    })
    expect((await submissions())[0].recipient.name).toBe("Beta Holding")
    const again = await send([id], { method: "both", peppol_recipient })
    const alone = await send([id], { method: "peppol", peppol_recipient })
    expect(alone.body.data.results[0].channels).toMatchObject([{ channel: "einvoice", status: "failed" }])
    expect(again.body.data.results[0]).toMatchObject({
      status: "partial",
      http_status: 207,
      error: { code: "already_submitted" }
    })
  })

  it("sends through the network when the customer has no email address, and is partial", async () => {
    const { draft, invoice, send, submissions } = await seller()
    const { id } = await draft()
    const { body } = await send([id], { method: "both", peppol_recipient })
    expect(body.data.summary).toEqual({ total: 1, succeeded: 0, failed: 0, partial: 1 })
    expect(body.data.results[0]).toMatchObject({
      status: "partial",
      http_status: 207,
      error: { code: "no_recipient" },
      channels: [
        { channel: "email", status: "failed", error: { code: "no_recipient" } },
        { channel: "einvoice", status: "sent" }
      ]
    })
    expect(await submissions()).toHaveLength(1)
    expect(await invoice(id)).toMatchObject({ status: "sent", sent_at: null })
  })

  it("answers 422 when the customer has no known identifier, and leaves the draft unchanged", async () => {
    const { draft, invoice, send, submissions } = await seller()
    const { id } = await draft()
    const { body, status } = await send([id], { method: "einvoice" })
    expect([status, body.data.results[0].error.code]).toEqual([422, "no_network_recipient"])
    expect([(await invoice(id)).status, await submissions()]).toEqual(["draft", []])
  })

  it("sends several invoices through both channels under one Idempotency-Key, and replays the answer", async () => {
    const { call, customer_id, draft, made, submissions } = await seller()
    await made("PUT", `/customers/${customer_id}`, { email: "ap@beta.example" })
    const invoice_ids = [(await draft()).id, (await draft()).id]
    const body = { invoice_ids, method: "both", attach_pdf: false, peppol_recipient }
    const once = () => call("POST", "/batch/invoices/send", body, { headers: { "idempotency-key": "all" } })
    const first = await once()
    expect(first.body.data.summary).toEqual({ total: 2, succeeded: 2, failed: 0 })
    expect((await once()).body).toEqual(first.body)
    await app.run(answerLost("all"))
    const again = await once()
    expect([again.status, again.body.data.summary]).toEqual([200, first.body.data.summary])
    expect(await submissions()).toHaveLength(2)
  })

  it("submits an invoice once under one Idempotency-Key, even if the network refuses it before the repeat", async () => {
    const { draft, id, submissions, call, transmit } = await seller()
    const recipient = { ...peppol_recipient, identifier_value: magic.refused }
    const body = { invoice_ids: [(await draft()).id], method: "einvoice", peppol_recipient: recipient }
    const once = () => call("POST", "/batch/invoices/send", body, { headers: { "idempotency-key": `refused ${id}` } })
    const first = await once()
    const [submission] = await submissions()
    await transmit(submission.id)
    await app.run(answerLost(`refused ${id}`))
    const again = await once()
    expect([again.status, again.body.data.summary]).toEqual([200, first.body.data.summary])
    expect(await submissions()).toMatchObject([{ id: submission.id, status: "failed" }])
  })

  it("answers 403 to a token that may send but not submit, as the submission does, and leaves the draft unchanged", async () => {
    const { call, draft, id, invoice, submissions } = await seller()
    const target = await draft()
    const error = { code: "missing_scope", required_scope: "einvoicing:submit" }
    const body = { invoice_ids: [target.id], method: "einvoice", peppol_recipient }
    const asOrganization = await app.run(seedOrganizationToken(id, ["invoices:send"]))
    const asOwner = (await app.run(seedMember(id, "owner", ["invoices:send"]))).token
    for (const token of [asOrganization, asOwner]) {
      expect((await call("POST", "/einvoicing/invoices", {}, { token })).body).toMatchObject(error)
      const { body: answer, status } = await call("POST", "/batch/invoices/send", body, { token })
      expect([status, answer.data.results[0]]).toMatchObject([422, { http_status: 403, error }])
    }
    expect([(await invoice(target.id)).status, await submissions()]).toEqual(["draft", []])
  })

  it("sends the mail alone for a token that may send but not submit, and is partial", async () => {
    const { call, customer_id, draft, id, made } = await seller()
    await made("PUT", `/customers/${customer_id}`, { email: "ap@beta.example" })
    const token = await app.run(seedOrganizationToken(id, ["invoices:send"]))
    const body = { invoice_ids: [(await draft()).id], method: "both", attach_pdf: false, peppol_recipient }
    const { data } = (await call("POST", "/batch/invoices/send", body, { token })).body
    expect(data.results[0]).toMatchObject({
      status: "partial",
      channels: [
        { channel: "email", status: "sent" },
        { channel: "einvoice", status: "failed", error: { code: "missing_scope" } }
      ]
    })
    const submitting = await app.run(seedOrganizationToken(id, ["invoices:send", "einvoicing:submit"]))
    const alone = { ...body, method: "einvoice" }
    expect((await call("POST", "/batch/invoices/send", alone, { token: submitting })).status).toBe(200)
  })

  it("answers 403 to a member, who may send but not submit, and leaves the draft unchanged", async () => {
    const { call, draft, id, invoice } = await seller()
    const { token } = await app.run(seedMember(id, "member"))
    const target = await draft()
    const body = { invoice_ids: [target.id], method: "einvoice", peppol_recipient }
    const refused = await call("POST", "/batch/invoices/send", body, { token })
    expect(refused.body.data.results[0]).toMatchObject({ http_status: 403, error: { code: "forbidden" } })
    expect((await invoice(target.id)).status).toBe("draft")
  })
})
