import { beforeAll, describe, expect, it } from "vitest"
import { registrationBody } from "../support/counterparts/Network.ts"
import { type Books, useBilling } from "../support/Billing.ts"

const { app, open } = useBilling({ production: true })
let books: Books

beforeAll(async () => {
  books = await open()
})

const submission = ({ id }: { id: number }) => ({
  organization_id: books.id,
  invoice_id: id,
  recipient_identifier_scheme: "0208",
  recipient_identifier_value: "0202239951",
  recipient_name: "Beta",
  recipient_country_code: "BE"
})

describe("a production installation without a provider", () => {
  it("offers no provider, and says which networks there are", async () => {
    expect((await books.call("GET", "/einvoicing/providers")).body.data).toEqual([])
    const networks = (await books.call("GET", "/einvoicing/networks")).body.data
    const requirements = (await books.call("GET", "/einvoicing/identifiers/requirements?country_code=BE")).body.data
    for (const { supported, unsupported_reason } of [...networks, requirements]) {
      expect([supported, unsupported_reason]).toEqual([false, expect.stringContaining("EINVOICING_SANDBOX")])
    }
  })

  it("refuses whatever needs one with 422 and the setting that is missing, and registers nothing", async () => {
    await books.made("PUT", `/customers/${books.customer_id}`, {
      country: "BE",
      einvoicing_identifier_scheme: "0208",
      einvoicing_identifier_value: "0202239951"
    })
    const search = "country_code=BE&identifier_scheme=0208&identifier_value=0202239951"
    const answers = [
      await books.call("POST", "/einvoicing/register", registrationBody(books.id, {})),
      await books.call("GET", `/einvoicing/participants/search?${search}`),
      await books.call("GET", `/customers/${books.customer_id}/validate-network`),
      await books.call("POST", "/einvoicing/validate", submission(await books.draft())),
      await books.call("POST", "/einvoicing/invoices", submission(await books.draft()))
    ]
    for (const { body, status } of answers) {
      expect([status, body.code, body.details]).toEqual([422, "provider_not_configured", { provider: "peppol" }])
      expect(body.message).toContain("EINVOICING_SANDBOX")
    }
    expect((await books.call("GET", "/einvoicing/registration")).status).toBe(404)
  })

  it("refuses to send a document of a registration that the sandbox approved", async () => {
    const invoice = await books.issued()
    await app.inDatabase(`insert into einvoicing_registrations (id, organization_id, status, provider, environment,
      legal_name, country_code, city, postal_code, address_line1, document_types, identifiers, acts_as_sender,
      acts_as_receiver, submitted_at, approved_at, updated_at)
      values (nextval('einvoicing_registrations_id_seq'), ${books.id}, 'active', 'peppol', 'sandbox', 'Acme', 'BE', 'Gent',
        '9000', 'Kerkstraat 1', '["invoice"]', '[]', true, true, now(), now(), now())`)
    const { body, status } = await books.call("POST", "/einvoicing/invoices", submission(invoice))
    expect([status, body.code]).toEqual([422, "provider_not_configured"])
  })
})
