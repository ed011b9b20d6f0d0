import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Inbox } from "../../../src/einvoicing/received/Inbox.ts"
import { enterpriseNumber, magic, registrationBody } from "../../support/counterparts/Network.ts"
import type { App } from "../../support/App.ts"
import type { Books } from "../../support/Billing.ts"
import type { SeedOptions } from "../../support/database/Seed.ts"
import { makeSigner } from "../../einvoicing/received/SignedFile.ts"
import { sellerOf } from "../../einvoicing/documents/Submitting.ts"
import { upload } from "./Upload.ts"
import type { Ask } from "./Walk.ts"

const italian = { country_code: "IT", identifier_scheme: "0211" }
const identified = (scheme: string, value: string) => ({
  einvoicing_identifier_scheme: scheme,
  einvoicing_identifier_value: value
})

const inboxServices = Inbox.layer.pipe(Layer.provide(ConnectedProviders))

type Caller = (token: string, id: number) => Ask

export const walkNetwork = async (app: App, open: (options?: SeedOptions) => Promise<Books>, caller: Caller) => {
  await walkRegistrations(app, await open(), caller)
  await walkEinvoices(app, await open(), caller)
  await walkSignature(app, await open({ country: "IT", rates: [22] }), caller)
  await walkReceived(app, await open(), await open(), caller)
  await walkForms(app, await open(), caller)
  await walkFiles(app, await open(), caller)
}

const walkRegistrations = async (app: App, { id, owner }: Books, caller: Caller) => {
  const ask = caller(owner.token, id)
  const decided = (status: string) => app.run(registrationDecided(id, status))
  const register = "POST /einvoicing/register"
  const update = "PATCH /einvoicing/registration"
  await ask(200, "GET /einvoicing/networks")
  await ask(200, "GET /einvoicing/providers")
  await ask(200, "GET /einvoicing/identifiers/requirements?country_code=FR")
  await ask(422, "GET /einvoicing/identifiers/requirements?country_code=US")
  await ask(404, "GET /einvoicing/registration")
  await ask(422, register, registrationBody(id, { provider: "fr_ctc" }))
  await ask(422, register, registrationBody(id, { ...italian, identifier_value: "IT99999980016" }))
  await ask(500, register, registrationBody(id, { ...italian, identifier_value: "IT99999990015" }))
  const own = { identifier_scheme: "0088", identifier_value: magic.update_refused }
  await ask(201, register, registrationBody(id, own))
  await ask(422, register, registrationBody(id))
  await ask(200, "GET /einvoicing/registration")
  await ask(200, update, { organization_id: id, acts_as_sender: false })
  await ask(422, update, { organization_id: id, acts_as_receiver: false })
  await decided("active")
  await ask(502, update, { organization_id: id, acts_as_sender: true })
  await decided("rejected")
  await ask(422, update, { organization_id: id, acts_as_sender: true })
  const search = "GET /einvoicing/participants/search"
  await ask(200, `${search}?country_code=BE&identifier_scheme=0208&identifier_value=0202239951`)
  await ask(422, `${search}?country_code=IT`)
  await ask(503, `${search}?country_code=BE&identifier_scheme=0088&identifier_value=${magic.unavailable}`)
  for (const [status, details] of [
    [200, { country: "BE", ...identified("0208", "0202239951") }],
    [422, {}],
    [422, identified("0088", "5412345000013")],
    [422, { country: "US", ...identified("0208", "0202239951") }]
  ] as const) {
    const customer = await ask(201, "POST /customers", { name: "Beta", ...details })
    await ask(status, `GET /customers/${customer.id}/validate-network`)
  }
}

const walkEinvoices = async (app: App, books: Books, caller: Caller) => {
  const { body, draft, follow, register, transmit } = await sellerOf(app, books)
  const ask = caller(books.owner.token, books.id)
  const invoice = await draft()
  const [submit, validate] = ["POST /einvoicing/invoices", "POST /einvoicing/validate"]
  await ask(400, submit, body(invoice))
  await register()
  await ask(200, validate, body(invoice, { recipient_identifier_value: "" }))
  await ask(422, validate, body(invoice, { invoice_id: 999_999_999 }))
  await ask(404, validate, body(invoice, { organization_id: 999_999_999 }))
  await ask(404, submit, body(invoice, { organization_id: 999_999_999 }))
  await ask(422, submit, body(invoice, { provider: "fr_ctc" }))
  await ask(422, submit, body(invoice, { recipient_identifier_value: "" }))
  const { id } = await ask(201, submit, body(invoice))
  await ask(422, submit, body(invoice))
  await ask(404, `GET /einvoicing/invoices/${id}/evidence`)
  await transmit(id)
  await follow(id)
  for (const rest of ["", "/status", "/evidence"]) await ask(200, `GET /einvoicing/invoices/${id}${rest}`)
  await ask(200, "GET /einvoicing/invoices?status=accepted&provider=peppol")
  await ask(422, "GET /einvoicing/invoices?status=lost")
}

/** Calls the endpoints for a document that the organization itself has to sign. */
const walkSignature = async (app: App, books: Books, caller: Caller) => {
  const { body, draft, made, register, transmit } = await sellerOf(app, books)
  const ask = caller(books.owner.token, books.id)
  const place = { address_line1: "Via Roma 1", city: "Roma", postal_code: "00184" }
  await made("PUT", `/organizations/${books.id}`, { ...place, tax_number: "IT00743110157" })
  await made("PUT", `/customers/${books.customer_id}`, { ...place, country: "IT", tax_number: "IT12345670017" })
  await register({ country_code: "IT", identifier_scheme: "0211", identifier_value: "IT00743110157" })
  const office = {
    recipient_identifier_scheme: "0201",
    recipient_identifier_value: "UF5UXC",
    recipient_country_code: "IT"
  }
  const submission = body(await draft({ purchase_order: "CIG Z1234567AB" }), office)
  const { id } = await ask(201, "POST /einvoicing/invoices", submission)
  await transmit(id)
  const { receipts } = await ask(200, `GET /einvoicing/invoices/${id}/evidence`)
  const { text } = await books.call("GET", `/archive/documents/${receipts[0].archive_object_id}/download`)
  const sign = `POST /einvoicing/invoices/${id}/signed-document`
  await ask(400, sign, "", { headers: { "content-type": "multipart/form-data" } })
  await ask(422, sign, undefined, await upload("unsigned.xml", {}, text))
  const signer = makeSigner()
  const signed = await upload("signed.xml.p7m", {}, signer.p7m(text).toString("base64"))
  signer.close()
  await ask(200, sign, undefined, signed)
  await ask(422, sign, undefined, await upload("unsigned.xml", {}, text))
  await ask(404, "POST /einvoicing/invoices/999999999/signed-document", undefined, signed)
  await transmit(id)
  await ask(200, `GET /einvoicing/invoices/${id}`)
}

const receivedAt = (id: number) => `/einvoicing/received/${id}`

const walkReceived = async (app: App, books: Books, others: Books, caller: Caller) => {
  const supplier = await sellerOf(app, others)
  const ask = caller(books.owner.token, books.id)
  const identifier_value = enterpriseNumber()
  const { register } = await sellerOf(app, books)
  await register({ identifier_value })
  const address = { recipient_identifier_scheme: "0208", recipient_identifier_value: identifier_value }
  await supplier.register()
  for (const _ of [1, 2]) await supplier.carried((await supplier.submitted(await supplier.draft(), address)).id)
  await app.run(Inbox.use((inbox) => inbox.collect).pipe(Effect.provide(inboxServices)))
  await ask(422, "GET /einvoicing/received?status=lost")
  const [second, first] = await ask(200, "GET /einvoicing/received")
  for (const rest of ["", "/document"]) {
    await ask(200, `GET ${receivedAt(first.id)}${rest}`)
    await ask(404, `GET ${receivedAt(999_999_999)}${rest}`)
  }
  await ask(404, `POST ${receivedAt(999_999_999)}/create-expense`)
  await ask(201, `POST ${receivedAt(first.id)}/create-expense`, { category: "office" })
  await ask(422, `POST ${receivedAt(first.id)}/create-expense`)
  await ask(404, `POST ${receivedAt(999_999_999)}/accept`)
  await ask(404, `POST ${receivedAt(999_999_999)}/refuse`, { reason: "No" })
  await ask(200, `POST ${receivedAt(first.id)}/accept`)
  await ask(422, `POST ${receivedAt(first.id)}/refuse`, { reason: "Late" })
  await ask(200, `POST ${receivedAt(second.id)}/refuse`, { reason: "Never ordered" })
  await ask(422, `POST ${receivedAt(second.id)}/accept`)
}

/** Validates an e-invoice for Mexico, which is refused because the service does not write Mexican e-invoices. */
const walkForms = async (app: App, books: Books, caller: Caller) => {
  const { body, draft, register } = await sellerOf(app, books)
  await register({ country_code: "MX", identifier_scheme: "MX:RFC", identifier_value: "GODE561231GR8" })
  await caller(books.owner.token, books.id)(422, "POST /einvoicing/validate", body(await draft()))
}

const walkFiles = async (app: App, books: Books, caller: Caller) => {
  const { issued } = await sellerOf(app, books)
  const ask = caller(books.owner.token, books.id)
  const invoice = await issued()
  const note = await ask(201, "POST /credit-notes", { invoice_id: invoice.id, amount: 12.1, reason: "Returned" })
  for (const form of ["ubl", "cii", "facturx"]) {
    await ask(200, `GET /invoices/${invoice.id}/${form}`)
    await ask(422, `GET /credit-notes/${note.id}/${form}`)
  }
  await ask(200, `POST /credit-notes/${note.id}/send`, { recipients: "ap@beta.eu" })
  await ask(200, `GET /credit-notes/${note.id}/deliveries`)
  for (const form of ["ubl", "cii", "facturx"]) await ask(200, `GET /credit-notes/${note.id}/${form}`)
}

/** Sets the status of the registration, as a decision of the administration would. */
const registrationDecided = (organization_id: number, status: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`update einvoicing_registrations set status = ${status} where organization_id = ${organization_id}`
  )
