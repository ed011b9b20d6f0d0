import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { line, race, statuses } from "../../support/Billing.ts"
import { digestOf } from "../../support/files/Digest.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { magic } from "../../support/counterparts/Network.ts"
import { useEinvoicing } from "./Submitting.ts"
import { EinvoicingServices } from "../../../src/einvoicing/EinvoicingLayer.ts"
import { Approvals } from "../../../src/einvoicing/registrations/Approvals.ts"
import { OrganizationId, RegistrationId } from "../../../src/kernel/Ids.ts"

const { app, open } = useEinvoicing()

const seller = async (options = {}) => {
  const books = await open(options)
  await books.register()
  return books
}

describe("POST /api/v1/einvoicing/validate", () => {
  it("answers that a document is valid, with its totals, and changes nothing", async () => {
    const { draft, id, validate } = await seller()
    const invoice = await draft({
      items: [line(19.99, { quantity: 3, discount: 10 }), line(100, { tax_exempt: true })]
    })
    const before = await app.run(digestOf(id))
    const { body, status } = await validate(invoice)
    expect([status, body.data]).toEqual([
      200,
      {
        valid: true,
        profile: "peppol-bis-billing-3",
        errors: [],
        warnings: [],
        totals: { tax_exclusive: "153.97", tax: "11.33", payable: "165.30" }
      }
    ])
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it("answers 200 with the errors, each with the field and the remedy", async () => {
    const { customer_id, draft, made, tax_rate_ids, validate } = await open({ rates: [21, 6] })
    await made("PUT", `/customers/${customer_id}`, { country: null, tax_number: "0123" })
    const items = [line(100, { tax_rate_ids }), line(1, { unit: "ZZ9" })]
    const { body, status } = await validate(await draft({ items }), { recipient_identifier_value: "" })
    expect([status, body.data.valid]).toEqual([200, false])
    const found = body.data.errors.map(({ pointer, rule }: Record<string, string>) => [rule, pointer])
    expect(found).toEqual([
      ["PEPPOL-EN16931-R020", "/organization_id"],
      ["PEPPOL-EN16931-R010", "/recipient_identifier_value"],
      ["UBL-SR-48", "/invoice/items/0/tax_rate_ids"],
      ["BR-CL-23", "/invoice/items/1/unit"]
    ])
    expect(body.data.errors[1]).toEqual({
      rule: "PEPPOL-EN16931-R010",
      severity: "error",
      message: "Buyer electronic address is required.",
      pointer: "/recipient_identifier_value",
      fix: `Set einvoicing_identifier_value on customer ${customer_id}.`
    })
    expect(body.data.warnings.map(({ rule }: Record<string, string>) => rule)).toEqual(["BR-CO-09"])
  })

  it("answers 422 for what it cannot parse, and 404 for another organization", async () => {
    const { body, call, draft, id } = await seller()
    const other = await open()
    const invoice = await draft()
    const ask = (given: object) => call("POST", "/einvoicing/validate", body(invoice, given))
    expect((await ask({ invoice_id: 999_999 })).body.errors).toHaveProperty("invoice_id")
    expect((await ask({ invoice_id: (await other.draft()).id })).body.errors).toHaveProperty("invoice_id")
    expect((await ask({ recipient_country_code: "XX" })).body.errors).toHaveProperty("recipient_country_code")
    expect((await ask({ recipient_name: undefined })).body.errors).toHaveProperty("recipient_name")
    expect((await ask({ organization_id: undefined })).body.errors).toHaveProperty("organization_id")
    expect((await ask({ provider: "fr_ctc" })).body.code).toBe("provider_mismatch")
    expect((await ask({ provider: "peppol" })).status).toBe(200)
    expect([(await ask({ organization_id: other.id })).status, id]).toEqual([404, id])
  })
})

describe("POST /api/v1/einvoicing/invoices", () => {
  it("issues a draft, fixes what is transmitted, and answers the submission", async () => {
    const { at, call, draft, id, invoice, owner, submit } = await seller()
    const { body, headers, status } = await submit(await draft())
    expect(status).toBe(201)
    expect(headers.get("content-type")).toContain("application/json")
    const issued = await invoice(body.data.invoice_id)
    expect([issued.status, issued.sent_at]).toEqual(["sent", null])
    expect(body.data).toMatchObject({
      document_type: "invoice",
      number: issued.number,
      provider: "peppol",
      network: "peppol",
      profile: "peppol-bis-billing-3",
      status: "pending",
      recipient: { identifier_scheme: "0088", identifier_value: magic.accepted, name: "Beta NV", country_code: "BE" }
    })
    expect(body.data.xml_sha256).toMatch(/^[0-9a-f]{64}$/)
    expect((await at(body.data.id)).body).toEqual(body)
    expect((await call("GET", "/einvoicing/invoices")).body.data).toEqual([body.data])
    const { entries } = await app.run(verifiedAuditLog(id))
    expect(entries.slice(-2).map(({ action, actor }) => [action, actor])).toEqual([
      ["invoice.issued", `user:${owner.id}`],
      ["einvoice.created", `user:${owner.id}`]
    ])
  })

  it("knows the recipient's scheme by its name, and transmits its code", async () => {
    const { draft, submitted } = await seller()
    const siret = { recipient_identifier_scheme: "FR:SIRET", recipient_identifier_value: "73282932000074" }
    const { recipient } = await submitted(await draft(), { ...siret, recipient_country_code: "FR" })
    expect(recipient).toMatchObject({ identifier_scheme: "0009", identifier_value: "73282932000074" })
  })

  it("accepts an invoice that is issued and partly paid, for the balance due, in the customer's own name", async () => {
    const { id, issued, pay, submit, validate } = await seller()
    const invoice = await issued()
    await pay(invoice, 21)
    expect((await validate(invoice)).body.data.totals.payable).toBe("100.00")
    expect((await submit(invoice, { recipient_name: "Somebody else" })).body.data.recipient.name).toBe("Somebody else")
    const stored = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ readonly xml: string }>`select xml from einvoices where organization_id = ${id}`
    )
    const [{ xml } = { xml: "" }] = await app.run(stored)
    expect(xml).toContain('<cbc:PrepaidAmount currencyID="EUR">21.00</cbc:PrepaidAmount>')
    expect(xml).toContain(`<cbc:RegistrationName>${invoice.customer.name}</cbc:RegistrationName>`)
    expect(xml).not.toContain("Somebody else")
  })

  it("answers 400 without an active registration as a sender, and changes nothing", async () => {
    const { call, draft, id, made, register, submit } = await open()
    const invoice = await draft()
    const before = await app.run(digestOf(id))
    const refused = await submit(invoice)
    expect([refused.status, refused.body.code]).toEqual([400, "not_registered"])
    expect(await app.run(digestOf(id))).toEqual(before)
    await register()
    await made("PATCH", "/einvoicing/registration", { organization_id: id, acts_as_sender: false })
    expect((await submit(invoice)).body.code).toBe("not_registered")
    expect((await call("GET", `/invoices/${invoice.id}`)).body.data.status).toBe("draft")
  })

  it("answers 422 with the findings when the document breaks a rule; the draft stays one and no number is lost", async () => {
    const { draft, id, submit } = await seller()
    const invoice = await draft({ items: [line(1, { unit: "ZZ9" })] })
    const before = await app.run(digestOf(id))
    const { body, status } = await submit(invoice)
    expect([status, body.code]).toEqual([422, "invalid_document"])
    expect(body.details.errors).toMatchObject([{ rule: "BR-CL-23", pointer: "/invoice/items/0/unit" }])
    expect(await app.run(digestOf(id))).toEqual(before)
    const { body: next } = await submit(await draft())
    expect(next.data.number).toMatch(/-0001$/)
  })

  it("answers 422 for a void invoice, and changes nothing", async () => {
    const books = await seller({ settings: { invoice_number_on: "create" } })
    const invoice = await books.draft()
    await books.made("DELETE", `/invoices/${invoice.id}`)
    const before = await app.run(digestOf(books.id))
    const { body, status } = await books.submit(invoice)
    expect([status, body.code]).toEqual([422, "invoice_locked"])
    expect(await app.run(digestOf(books.id))).toEqual(before)
  })

  it("answers 422 or 404 for what it cannot parse, and changes nothing", async () => {
    const { draft, id, submit } = await seller()
    const other = await open()
    const invoice = await draft()
    const before = await app.run(digestOf(id))
    expect((await submit(invoice, { invoice_id: 999_999 })).body.errors).toHaveProperty("invoice_id")
    expect((await submit(await other.draft())).body.errors).toHaveProperty("invoice_id")
    expect((await submit(invoice, { organization_id: other.id })).status).toBe(404)
    expect((await submit(invoice, { organization_id: undefined })).body.errors).toHaveProperty("organization_id")
    const mismatch = await submit(invoice, { provider: "it_sdi" })
    expect([mismatch.status, mismatch.body.code]).toEqual([422, "provider_mismatch"])
    expect(mismatch.body.details).toEqual({ provider: "peppol" })
    expect(await app.run(digestOf(id))).toEqual(before)
  })

  it("answers 422 if the network requires a format that this service does not write, and changes nothing", async () => {
    const { call, draft, id, register, submit, validate } = await open()
    await register({ country_code: "MX", identifier_scheme: "MX:RFC", identifier_value: "GODE561231GR8" })
    const invoice = await draft()
    const before = await app.run(digestOf(id))
    for (const { body, status } of [await validate(invoice), await submit(invoice)]) {
      expect([status, body.code]).toEqual([422, "format_unsupported"])
      expect(body.details).toEqual({ provider: "mx_cfdi", specification: "cfdi-4.0" })
    }
    expect(await app.run(digestOf(id))).toEqual(before)
    const { body } = await call("GET", "/einvoicing/providers")
    const unable = body.data.filter(
      ({ capabilities }: { capabilities: Array<string> }) => !capabilities.includes("send")
    )
    expect(unable.map(({ code }: { code: string }) => code)).toEqual(["pl_ksef", "ro_spv", "mx_cfdi"])
  })

  it("refuses a second live submission, and accepts another after the first failed", async () => {
    const { draft, id, submit, submitted, transmit } = await seller()
    const invoice = await draft()
    const first = await submitted(invoice, { recipient_identifier_value: magic.refused })
    const before = await app.run(digestOf(id))
    const second = await submit(invoice)
    expect([second.status, second.body.code]).toEqual([422, "already_submitted"])
    expect(second.body.details).toEqual({ id: first.id, status: "pending" })
    expect(await app.run(digestOf(id))).toEqual(before)
    await transmit(first.id)
    const third = await submit(invoice)
    expect([third.status, third.body.data.number]).toEqual([201, first.number])
  })

  it("accepts one of several at the same time", async () => {
    const { call, draft, submit } = await seller()
    const invoice = await draft()
    expect(statuses(await race(5, () => submit(invoice)))).toEqual({ 201: 1, 422: 4 })
    expect((await call("GET", "/einvoicing/invoices")).body.meta.total).toBe(1)
  })

  it("answers 500 and whether to try again when the document cannot be built, and changes nothing", async () => {
    const { id, issued, submit } = await seller()
    const invoice = await issued()
    // The parties that an issued document prints are sealed, so only the owner of the database can damage them.
    const spoil = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`alter table document_correspondents disable trigger document_correspondents_sealed`
      yield* sql`update document_correspondents set organization = '{}' where organization_id = ${id}`
      yield* sql`alter table document_correspondents enable trigger document_correspondents_sealed`
    })
    await app.run(spoil)
    const before = await app.run(digestOf(id))
    const { body, status } = await submit(invoice)
    expect([status, body.code, body.retryable]).toEqual([500, "submission_failed", false])
    expect(await app.run(digestOf(id))).toEqual(before)
  })
})

describe("GET /api/v1/einvoicing/invoices", () => {
  it("lists by status and provider, the latest first, and answers 422 for unknown ones", async () => {
    const { call, draft, submitted, transmit } = await seller()
    const first = await submitted(await draft(), { recipient_identifier_value: magic.refused })
    const second = await submitted(await draft())
    await transmit(first.id)
    const listed = async (query: string) => {
      const { body } = await call("GET", `/einvoicing/invoices?${query}`)
      return body.data.map(({ id }: { id: number }) => id)
    }
    expect(await listed("")).toEqual([second.id, first.id])
    expect(await listed("status=failed")).toEqual([first.id])
    expect(await listed("provider=peppol&per_page=1&page=2")).toEqual([first.id])
    expect(await listed("provider=fr_ctc")).toEqual([])
    expect((await call("GET", "/einvoicing/invoices?status=lost")).status).toBe(422)
    expect((await call("GET", "/einvoicing/invoices?provider=pigeon")).status).toBe(422)
  })
})

it("POST /api/v1/einvoicing/invoices answers 400 while the registration is suspended, and issues nothing", async () => {
  const { call, draft, id, register, submit } = await open()
  await register()
  const registration = (await call("GET", "/einvoicing/registration")).body.data
  const key = { organization_id: OrganizationId.make(id), id: RegistrationId.make(registration.id) }
  const decided = (decide: (approvals: Approvals["Service"]) => Effect.Effect<unknown, unknown>) =>
    app.run(Effect.flatMap(Approvals, decide).pipe(Effect.provide(EinvoicingServices)))

  await decided((approvals) => approvals.suspend(key, "admin"))
  const invoice = await draft()
  const before = await app.run(digestOf(id))
  const { body, status } = await submit(invoice)
  expect([status, body.code]).toEqual([400, "not_registered"])
  expect(await app.run(digestOf(id))).toEqual(before)

  await decided((approvals) => approvals.approve(key, "admin"))
  expect((await submit(invoice)).status).toBe(201)
})
