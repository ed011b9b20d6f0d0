import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, describe, expect, it } from "vitest"
import { creditsOf } from "../../billing/credit-notes/Credits.ts"
import { smtp } from "../../support/counterparts/Mail.ts"
import { magic } from "../../support/counterparts/Network.ts"
import { pdfText } from "../../support/files/PdfText.ts"
import { useEinvoicing } from "./Submitting.ts"

const mails = await smtp()
const { app, open } = useEinvoicing(mails.settings)
type Seller = Awaited<ReturnType<typeof open>>

const textOf = async ({ id, owner }: Seller, path: string) => {
  const headers = { authorization: `Bearer ${owner.token}`, "x-organization-id": String(id) }
  const answer = await fetch(`${app.url}/api/v1${path}/pdf`, { headers })
  expect(answer.status).toBe(200)
  return (await Effect.runPromise(pdfText(new Uint8Array(await answer.arrayBuffer())))).replaceAll(/\s+/g, " ")
}
const portalOf = async ({ made }: Seller, path: string) => {
  await made("POST", `${path}/send`, { recipients: ["a@beta.eu"], attach_pdf: false })
  return async () => (await app.call("GET", new URL(mails.received.at(-1)?.link ?? "").pathname)).text
}

describe("an invoice that the sandbox took", () => {
  it("says so on its PDF and its page, and said nothing before, nor after a failure", async () => {
    const books = await open()
    await books.register()
    const invoice = await books.draft()
    const page = await portalOf(books, `/invoices/${invoice.id}`)
    const failed = await books.submitted(invoice, { recipient_identifier_value: magic.undeliverable })
    expect((await books.carried(failed.id)).status).toBe("failed")
    for (const text of [await page(), await textOf(books, `/invoices/${invoice.id}`)]) {
      expect(text).not.toContain("simulated")
    }
    const { id } = await books.submitted(invoice)
    await books.carried(id)
    for (const text of [await page(), await textOf(books, `/invoices/${invoice.id}`)]) {
      expect(text).toContain("this document went through a simulated e-invoicing network")
    }
    await books.made("PUT", `/customers/${books.customer_id}`, { language: "de" })
    const draft = await books.draft()
    expect(await textOf(books, `/invoices/${draft.id}`)).not.toContain("simuliert")
  })
})

/** An organization whose records the simulated tax agency takes. */
const spanish = async (tax_number: string) => {
  const books = await open({ country: "ES", rates: [21] })
  await books.made("PUT", `/organizations/${books.id}`, { tax_number, city: "Madrid" })
  const identifier = { country_code: "ES", identifier_scheme: "9920", identifier_value: tax_number }
  await books.register({ ...identifier, es_sii_registered: false })
  return books
}

describe("a Spanish invoice of the sandbox", () => {
  it("is answered by the tax agency and handed to nobody, also if its customer is another organization", async () => {
    const [seller, buyer] = [await spanish("ES10000006C"), await spanish("ES10000007K")]
    await seller.made("PUT", `/customers/${seller.customer_id}`, { country: "ES", tax_number: "10000007K" })
    const recipient = { recipient_identifier_scheme: "9920", recipient_identifier_value: "ES10000007K" }
    const { id } = await seller.submitted(await seller.issued(), { ...recipient, recipient_country_code: "ES" })
    expect(await seller.carried(id)).toMatchObject({ status: "accepted", network_status: "Correcto" })
    expect(await app.inDatabase(`select from network_inbox where account = ${buyer.id}`)).toEqual([])
  })

  it("prints the QR code and the sentence of the law before and after its record, and its receipt none", async () => {
    const books = await spanish("ES10000005L")
    await books.made("PUT", `/customers/${books.customer_id}`, { country: "ES", tax_number: "54362315K" })
    const invoice = await books.issued()
    const ofLaw = /QR tributario:.*Factura verificable en la sede electrónica/
    expect(await textOf(books, `/invoices/${invoice.id}`)).toMatch(ofLaw)
    const recipient = { recipient_identifier_scheme: "9920", recipient_identifier_value: "ES54362315K" }
    await books.submitted(invoice, { ...recipient, recipient_country_code: "ES" })
    expect(await textOf(books, `/invoices/${invoice.id}`)).toMatch(ofLaw)
    const note = await creditsOf(books).draft(invoice, 10)
    expect(await textOf(books, `/credit-notes/${note.id}`)).not.toContain("QR tributario")
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["a@beta.eu"], attach_pdf: false })
    expect(await textOf(books, `/credit-notes/${note.id}`)).toMatch(ofLaw)
    await portalOf(books, `/invoices/${invoice.id}`)
    await books.pay(invoice, 111)
    const receipt = await fetch(`${app.url}${new URL(mails.received.at(-1)?.link ?? "").pathname}/receipt`)
    const text = await Effect.runPromise(pdfText(new Uint8Array(await receipt.arrayBuffer())))
    expect(text).toContain("Total received")
    expect(text).not.toContain("QR tributario")
  })
})

/** Writes the row of a submission directly, because no network accepts credit notes yet. */
const cleared = (note_id: number, organization_id: number, environment: string) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ id: number }>`
        insert into einvoices (organization_id, credit_note_id, number, provider, profile, transmission_id,
          sender_scheme, sender_value, recipient, status, network_reference, xml_sha256, xml, environment,
          created_at, updated_at)
        values (${organization_id}, ${note_id}, 'CN-1', 'it_sdi', 'fatturapa-1.2', gen_random_uuid(), '0201', 'X',
          '{}', 'delivered', 'IT-4711', 'x', '<x/>', ${environment}, now(), now()) returning id`
      yield* sql`insert into einvoice_messages (organization_id, einvoice_id, message_id, at, status, source)
        values (${organization_id}, ${row?.id ?? 0}, ${"m"}, '2026-03-09T11:12:13Z', 'delivered', 'authority')`
    })
  )

describe("a credit note in a clearance country", () => {
  // These submissions were written without the service. They would violate the invariants that are checked after each
  // test file.
  afterAll(async () => {
    await app.inDatabase(`delete from einvoice_messages m using einvoices e
      where e.id = m.einvoice_id and e.credit_note_id is not null`)
    await app.inDatabase("delete from einvoices where credit_note_id is not null")
  })

  it.each([
    ["production", ["Identificativo SdI IT-4711", "Stamped 2026-03-09 11:12:13 UTC"]],
    ["sandbox", ["Test reference IT-4711", "the tax authority has not cleared this document", "simulated e-invoicing"]]
  ])("prints what the %s environment knows of it", async (environment, shown) => {
    const books = await open({ country: "IT" })
    const note = await creditsOf(books).draft(await books.issued(), 10)
    await books.made("POST", `/credit-notes/${note.id}/send`, { recipients: ["a@beta.eu"], attach_pdf: false })
    expect(await textOf(books, `/credit-notes/${note.id}`)).toContain("Not yet stamped by the tax authority.")
    await cleared(note.id, books.id, environment)
    const text = await textOf(books, `/credit-notes/${note.id}`)
    for (const part of shown) expect(text).toContain(part)
    expect(text).not.toContain("Not yet stamped")
  })
})
