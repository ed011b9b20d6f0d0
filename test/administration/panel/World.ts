import { Effect, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { Incidents } from "../../../src/archive/integrity/Incidents.ts"
import { AccountAdministration } from "../../../src/banking/accounts/AccountAdministration.ts"
import { ConnectedProviders } from "../../../src/einvoicing/ConnectedProviders.ts"
import { Connections } from "../../../src/einvoicing/providers/connections/Connections.ts"
import { ApiTokens } from "../../../src/identity/tokens/ApiTokens.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { lunch } from "../../expenses/receipts/FakeReader.ts"
import { client } from "../../identity/Visitor.ts"
import { enterpriseNumber, participant, registrationBody } from "../../support/counterparts/Network.ts"
import { seedMember } from "../../support/database/Seed.ts"
import { opening, type Panel } from "./Panel.ts"

/** Creates one record of each kind that the panel shows, named `name`, and returns every address of the panel. */
export const world = async ({ app }: Panel, name: string) => {
  const { id, owner, tax_rate_ids } = await app.organization({ name })
  const entity = { legal_name: name, identifier_value: enterpriseNumber() }
  const registered = await app.call("POST", "/api/v1/einvoicing/register", {
    token: owner.token,
    organization: id,
    body: registrationBody(id, entity)
  })
  const registration = `/admin/registrations/${id}/${registered.body.data.id}`
  const enrolled = await participant(app)
  const { id: enrolled_id } = await enrolled.enrolled()
  const member = await app.run(seedMember(id, "member"))
  const { token } = await app.run(
    Effect.flatMap(ApiTokens, (tokens) =>
      tokens.issueOrganization(OrganizationId.make(id), { name, scopes: ["customers:read"] }, "admin")
    ).pipe(Effect.provide(ApiTokens.layer))
  )
  const { id: client_id } = await client(app, { name, confidential: true })
  const job_id = await app.run(deadJob(name))
  const mail = await app.run(kept(name))
  await app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update users set name = ${name} where id = ${member.id}`
      yield* sql`update tax_rates set name = ${name} where organization_id = ${id}`
      yield* sql`update organizations set plan = ${name} where id = ${id}`
    })
  )
  await app.run(
    Effect.flatMap(Incidents, (incidents) =>
      incidents.report({ organization_id: OrganizationId.make(id), export_id: null, problem: name, found_by: "proof" })
    ).pipe(Effect.provide([Incidents.layer, Logger.layer([])]))
  )
  const { id: account_id } = await app.run(
    Effect.flatMap(AccountAdministration, (accounts) =>
      accounts.open(OrganizationId.make(id), { name, currency: CurrencyCode.make("EUR") }, "admin")
    ).pipe(Effect.provide(AccountAdministration.layer))
  )
  const receipt_ref = await app.run(readReceipt(id, name))
  // Only this organization has a provider, which cannot be reached. A form about any other organization calls no
  // provider.
  const connected = await app.organization({ name })
  const connections = `/admin/organizations/${connected.id}/connections`
  await app.run(
    Effect.flatMap(Connections, ({ connect }) =>
      connect(
        {
          organization_id: OrganizationId.make(connected.id),
          adapter: "recommand",
          settings: account(`company ${id}`)
        },
        "admin"
      )
    ).pipe(Effect.provide(ConnectedProviders))
  )
  const organization = `/admin/organizations/${id}`
  const pages = [
    "/admin",
    "/admin/organizations",
    organization,
    `${organization}/members`,
    `${organization}/tokens`,
    `${organization}/tax-rates`,
    `${organization}/bank-accounts`,
    `${organization}/receipts`,
    `${organization}/receipts/${receipt_ref}`,
    connections,
    `${organization}/french-reports`,
    "/admin/users",
    "/admin/clients",
    "/admin/incidents",
    "/admin/registrations",
    "/admin/jobs",
    "/admin/mail",
    `/admin/mail/${mail}`,
    `/admin/mail/${mail}/file`
  ]
  const rate = { name: "VAT", rate: "9", category: "S" }
  /** Each form with input that would be accepted. */
  const forms: ReadonlyArray<readonly [path: string, fields: Record<string, string>]> = [
    ["/admin/organizations/new", opening("somebody.new@example.com")],
    [`${organization}/plan`, { plan: "business" }],
    [`${organization}/profile`, { name, language: "nl", timezone: "Europe/Brussels", city: "Gent" }],
    [`${organization}/settings`, { payment_iban: "BE68539007547034" }],
    [`${organization}/logo`, { logo: logo }],
    [`${organization}/logo/remove`, {}],
    [`${connections}/connect/recommand`, account(`other ${id}`)],
    [`${connections}/peppol/disconnect`, {}],
    [`${organization}/archive`, {}],
    [`${organization}/reopen`, {}],
    [`${organization}/members/invite`, { email: "guest@example.com", role: "viewer" }],
    [`${organization}/members/${member.id}/role`, { role: "admin" }],
    [`${organization}/members/${member.id}/remove`, {}],
    [`${organization}/tokens/new`, { name: "Shop", validity: "", preset: "read", things: "customers" }],
    [`${organization}/tokens/${token.id}/revoke`, {}],
    [`${organization}/tax-rates/new`, { ...rate, is_default: "false" }],
    [`${organization}/tax-rates/defaults`, { tax_rate_ids: String(tax_rate_ids[0]) }],
    [`${organization}/tax-rates/${tax_rate_ids[0]}`, { ...rate, archived: "false" }],
    [`${organization}/bank-accounts/new`, { name: "Giro", currency: "EUR" }],
    [`${organization}/bank-accounts/${account_id}/balance`, { balance: "1", at: "2026-03-31" }],
    [
      `${organization}/bank-accounts/${account_id}/opening-balance`,
      { opening_balance: "1", opening_balance_date: "2026-01-01" }
    ],
    [`${organization}/bank-accounts/${account_id}/archive`, {}],
    [`${organization}/bank-accounts/${account_id}/reopen`, {}],
    [`${registration}/approve`, {}],
    [`${registration}/reject`, { reason: "Nobody knows them" }],
    [`/admin/registrations/${enrolled.id}/${enrolled_id}/suspend`, {}],
    [`/admin/registrations/${enrolled.id}/${enrolled_id}/deregister`, {}],
    ["/admin/clients/new", { name: "Phone", redirect_uris: "https://a.example/cb", preset: "mobile" }],
    [`/admin/clients/${client_id}/change`, { name: "Shop", redirect_uris: "", scopes: "invoices:read" }],
    [`/admin/clients/${client_id}/secret`, {}],
    [`/admin/clients/${client_id}/remove`, {}],
    [`/admin/users/${member.id}/password-link`, {}],
    [`/admin/users/${member.id}/disable`, {}],
    [`/admin/users/${member.id}/enable`, {}],
    [`/admin/users/${member.id}/second-step`, {}],
    [`/admin/jobs/${job_id}/retry`, {}],
    [`/admin/jobs/${job_id}/discard`, {}]
  ]
  return { id, pages, forms, mail, job_id }
}

const logo =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"

/** Settings of a provider that cannot be reached. The service accepts them all the same. */
const account = (company_id: string) => ({
  url: "http://127.0.0.1:9",
  api_key: "key",
  api_secret: "secret",
  company_id
})

/** Creates a receipt that was read, with `name` as file name, vendor and warning. Its file is not in the storage. */
export const readReceipt = Effect.fnUntraced(function* (organization_id: number, name: string) {
  const sql = yield* SqlClient.SqlClient
  const receipt_ref = crypto.randomUUID()
  const result = { ...lunch({ warnings: [name] }), fields: { ...lunch().fields, vendor: name } }
  yield* sql`
    insert into receipts (organization_id, receipt_ref, receipt_path, status, file_name, file_size, mime_type, sha256,
      object_key, result, completed_at)
    values (${organization_id}, ${receipt_ref}::uuid, ${`receipts/${receipt_ref}`}, 'needs_review', ${name}, 1,
      'application/pdf', ${receipt_ref}, ${`receipts/${organization_id}/${receipt_ref}`},
      ${JSON.stringify({ ...result, source: "ocr" })}::jsonb, now())`
  return receipt_ref
})

const deadJob = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: number }>`
    insert into jobs (id, queue_name, element, state, attempts, last_failure, visible_at, created_at, updated_at)
    values (gen_random_uuid()::text, ${name}, '{}', 'failed', 3, ${name}, localtimestamp, localtimestamp, localtimestamp)
    returning sequence as id`
  return row?.id ?? 0
})

const kept = Effect.fnUntraced(function* (name: string) {
  const message = {
    from: { address: "a@example.com", name },
    to: { address: "b@example.com", name },
    subject: name,
    text: `${name}\nhttps://example.com/invitations/inv_1?a=1&b=2\n`,
    html: "<p>never shown</p>",
    message_id: `${crypto.randomUUID()}@example.com`,
    attachments: [{ filename: `${name}.pdf`, content_type: "application/pdf", content: new Uint8Array(1234) }]
  }
  const { answer } = yield* (yield* Mailer).send(message, { organization_id: OrganizationId.make(1) })
  return answer.replace("kept as ", "")
})
