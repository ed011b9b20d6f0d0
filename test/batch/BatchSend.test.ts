import { beforeAll, describe, expect, it } from "vitest"
import { type Books, useBilling } from "../support/Billing.ts"

const { open } = useBilling()
let books: Books
let mailed: number
beforeAll(async () => {
  books = await open()
  mailed = (await books.made("POST", "/customers", { name: "Mailed", email: "ap@mailed.example" })).id
})

const send = (invoice_ids: unknown, further: object = {}) =>
  books.call("POST", "/batch/invoices/send", { invoice_ids, ...further })

describe("POST /api/v1/batch/invoices/send", () => {
  it("sends each by email, issues drafts in the order of the request, and reports each failure", async () => {
    const [one, two] = [await books.draft({ customer_id: mailed }), await books.draft({ customer_id: mailed })]
    const unreachable = await books.draft()
    const { body, status } = await send([one.id, unreachable.id, 999_999, two.id, "x", one.id], {
      message: "Thank you",
      attach_pdf: false
    })
    expect([status, body.data.summary]).toEqual([200, { total: 6, succeeded: 2, failed: 3 }])
    const [first, second, third, fourth, fifth, sixth] = body.data.results
    expect(first).toMatchObject({
      status: "succeeded",
      http_status: 200,
      id: one.id,
      channels: [
        { channel: "email", status: "sent", deliveries: [{ recipient: "ap@mailed.example", status: "accepted" }] }
      ],
      data: {
        status: "sent",
        sent_method: "email",
        deliveries: [{ recipient: "ap@mailed.example", status: "accepted" }]
      }
    })
    expect(second).toMatchObject({
      status: "failed",
      http_status: 422,
      data: null,
      error: { code: "no_recipient" },
      channels: [{ channel: "email", status: "failed", error: { code: "no_recipient" } }]
    })
    expect(third).toMatchObject({ status: "failed", http_status: 404, id: 999_999 })
    expect(fourth.data.number > first.data.number).toBe(true)
    expect(fifth.error.errors).toEqual({ "invoice_ids.4": ["The id field must be a number."] })
    expect(sixth).toMatchObject({ status: "duplicate", http_status: 208, id: one.id })
    expect((await books.invoice(unreachable.id)).status).toBe("draft")
  })

  it("answers each item as the e-invoicing endpoint would, and partial when only the email was sent", async () => {
    const { id } = await books.draft({ customer_id: mailed })
    const alone = await send([id, 999_999], { method: "einvoice" })
    expect([alone.status, alone.body.code]).toEqual([422, "batch_failed"])
    expect(alone.body.data.results[0]).toMatchObject({
      status: "failed",
      http_status: 422,
      error: { code: "no_network_recipient" },
      channels: [{ channel: "einvoice", status: "failed", error: { code: "no_network_recipient" } }]
    })
    expect(alone.body.data.results[1]).toMatchObject({ status: "failed", http_status: 404 })
    expect((await books.invoice(id)).status).toBe("draft")
    const peppol_recipient = { identifier_scheme: "0208", identifier_value: "0202239951", country_code: "BE" }
    const both = await send([id], { method: "both", attach_pdf: "false", peppol_recipient })
    expect([both.status, both.body.data.summary]).toEqual([200, { total: 1, succeeded: 0, failed: 0, partial: 1 }])
    expect(both.body.data.results[0]).toMatchObject({
      status: "partial",
      http_status: 207,
      channels: [
        { channel: "email", status: "sent" },
        { channel: "einvoice", status: "failed", error: { code: "not_registered" } }
      ],
      data: { status: "sent" }
    })
  })

  it("answers 422 to an unknown method, to atomic, to none and to more than 100", async () => {
    for (const [further, field] of [
      [{ method: "fax" }, "method"],
      [{ atomic: true }, "atomic"],
      [{ peppol_recipient: { identifier_scheme: "0208" } }, "peppol_recipient.identifier_value"],
      [{ attach_pdf: "maybe" }, "attach_pdf"],
      [{ resend: "perhaps" }, "resend"]
    ] as const) {
      const { body, status } = await send([1], further)
      expect([further, status, Object.keys(body.errors)]).toEqual([further, 422, [field]])
    }
    expect((await send([])).status).toBe(422)
    expect((await send(Array.from({ length: 101 }, (_, index) => index + 1))).body.code).toBe("batch_too_large")
  })
})
