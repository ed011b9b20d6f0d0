import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Users } from "../../src/identity/users/Users.ts"
import { Timestamp } from "../../src/kernel/Calendar.ts"
import { CurrencyCode } from "../../src/kernel/Currency.ts"
import { ClientId, OrganizationId, TaxRateId, TokenId } from "../../src/kernel/Ids.ts"
import { Iban } from "../../src/organizations/profile/Iban.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import { opening, useAdministration } from "./Administration.ts"

describe("POST /rpc/admin", () => {
  const { app, ask } = useAdministration()
  const open = (owner_email: string) => ask((client) => client.CreateOrganization(opening(owner_email)))

  const nowhere = OrganizationId.make(999_999)

  it("opens an organization with a new owner and the usual rates of its country, the standard one as default", async () => {
    const { organization, owner, tax_rates } = await ask((client) =>
      client.CreateOrganization({
        ...opening("anna@example.com"),
        owner_name: "Anna",
        owner_password: Redacted.make("correct horse battery")
      })
    )
    assert.strictEqual(organization.name, "Bäckerei Süß")
    assert.deepStrictEqual([owner.name, owner.primary_organization_id], ["Anna", organization.id])
    assert.deepStrictEqual(
      tax_rates.map(({ is_default, rate }) => [BigDecimal.format(rate), is_default]),
      [
        ["19", true],
        ["7", false],
        ["0", false]
      ]
    )
    const login = Effect.flatMap(Users, (users) =>
      users.authenticate("anna@example.com", Redacted.make("correct horse battery"), { address: "127.0.0.1" })
    ).pipe(Effect.provide(Users.layer))
    assert.strictEqual((await app.run(login)).id, owner.id)
  })

  it("makes a known user the owner, but never sets their password", async () => {
    const first = await open("bert@example.com")
    const second = await open("BERT@example.com")
    assert.strictEqual(second.owner.id, first.owner.id)
    assert.strictEqual(second.owner.primary_organization_id, first.organization.id)
    const refused = await ask((client) =>
      client
        .CreateOrganization({ ...opening("bert@example.com"), owner_password: Redacted.make("correct horse battery") })
        .pipe(Effect.flip)
    )
    assert.strictEqual(refused._tag, "EmailTaken")
    const { total } = await ask((client) => client.ListOrganizations({ search: "SUSS" }))
    assert.strictEqual(total, 3)
  })

  it("creates no part of an organization when its owner's password is refused", async () => {
    const before = await ask((client) => client.ListOrganizations({}))
    const refused = await ask((client) =>
      client
        .CreateOrganization({ ...opening("short@example.com"), owner_password: Redacted.make("short") })
        .pipe(Effect.flip)
    )
    assert.strictEqual(refused._tag, "PasswordUnacceptable")
    assert.strictEqual((await ask((client) => client.ListOrganizations({}))).total, before.total)
  })

  it("sets the plan, raises the storage quota above the default, archives, and then the API refuses to change the organization", async () => {
    const { organization, owner } = await open("carla@example.com")
    const { secret } = await ask((client) =>
      client.IssuePersonalAccessToken({ email: owner.email, name: "laptop", scopes: ["*"] })
    )
    const token = Redacted.value(secret)
    const organization_id = organization.id
    assert.strictEqual((await ask((client) => client.SetPlan({ organization_id, plan: "business" }))).plan, "business")
    const unknown = await ask((client) => client.SetPlan({ organization_id, plan: "nonsense" }).pipe(Effect.flip))
    assert.strictEqual(unknown.message, "The plan must be one of: standard, business.")
    const settings = [{ key: "stored_bytes_quota", value: 20 * 1024 ** 3 }] as const
    const raised = await ask((client) => client.UpdateOrganization({ organization_id, settings }))
    assert.strictEqual(raised.settings.stored_bytes_quota, settings[0].value)
    const change = () =>
      app.call("POST", "/api/v1/customers", { token, organization: organization_id, body: { name: "Acme" } })
    assert.strictEqual((await change()).status, 201)
    const archived = await ask((client) => client.ArchiveOrganization({ organization_id }))
    assert.isNotNull(archived.archived_at)
    assert.strictEqual((await change()).status, 403)
    const again = await ask((client) => client.ArchiveOrganization({ organization_id }))
    assert.deepStrictEqual(again, archived)
    const reopened = await ask((client) => client.ReopenOrganization({ organization_id }))
    assert.isNull(reopened.archived_at)
    assert.strictEqual((await change()).status, 201)
    assert.deepStrictEqual(await ask((client) => client.ReopenOrganization({ organization_id })), reopened)
    const { entries } = await app.run(verifiedAuditLog(organization_id))
    assert.strictEqual(entries.filter(({ action }) => action === "organization.reopened").length, 1)
  })

  it("grants a user the right to run the installation, and revokes it", async () => {
    const { owner } = await open("super@example.com")
    const set = (email: string, superadmin: boolean) => ask((client) => client.SetSuperadmin({ email, superadmin }))
    assert.deepStrictEqual(await set("SUPER@example.com", true), { ...owner, superadmin: true })
    assert.deepStrictEqual(await set(owner.email, false), owner)
    const refused = await ask((client) =>
      Effect.flip(client.SetSuperadmin({ email: "nobody@example.com", superadmin: true }))
    )
    assert.strictEqual(refused._tag, "NotFound")
  })

  it("keeps tax rates: new ones, changed ones, and which are the default", async () => {
    const { organization, tax_rates } = await open("dora@example.com")
    const organization_id = organization.id
    const created = await ask((client) =>
      client.CreateTaxRate({
        organization_id,
        name: "Ermäßigt",
        rate: BigDecimal.fromBigInt(7n),
        category: "S",
        is_default: false
      })
    )
    const tax_rate_id = created.id
    const rate = BigDecimal.fromStringUnsafe("5.5")
    const updated = await ask((client) => client.UpdateTaxRate({ organization_id, tax_rate_id, rate }))
    assert.deepStrictEqual([updated.name, BigDecimal.format(updated.rate)], ["Ermäßigt", "5.5"])
    await ask((client) => client.SetDefaultTaxRates({ organization_id, tax_rate_ids: [tax_rate_id] }))
    const listed = await ask((client) => client.ListTaxRates({ organization_id }))
    assert.strictEqual(listed.length, tax_rates.length + 1)
    assert.deepStrictEqual(
      listed.filter(({ is_default }) => is_default).map(({ id }) => id),
      [tax_rate_id]
    )
    const foreign = await open("emil@example.com")
    const refused = await ask((client) =>
      client.UpdateTaxRate({ organization_id: foreign.organization.id, tax_rate_id, rate }).pipe(Effect.flip)
    )
    assert.strictEqual(refused._tag, "NotFound")
  })

  it("keeps bank accounts, and hides those of other organizations", async () => {
    const { organization } = await open("berta@example.com")
    const organization_id = organization.id
    const currency = CurrencyCode.make("EUR")
    const draft = { organization_id, name: "Giro", currency }
    const account = await ask((client) => client.CreateBankAccount(draft))
    const bank_account_id = account.id
    const balance = { balance: BigDecimal.fromStringUnsafe("10.5"), at: Timestamp.make("2026-01-31T23:00:00.000Z") }
    const updated = await ask((client) => client.SetProviderBalance({ organization_id, bank_account_id, ...balance }))
    assert.deepStrictEqual(updated, { ...account, provider_balance: balance.balance, provider_balance_at: balance.at })
    const foreign = (await open("boris@example.com")).organization.id
    const at = { organization_id: foreign, bank_account_id }
    const refusals = await Promise.all([
      ask((client) => client.ArchiveBankAccount(at).pipe(Effect.flip)),
      ask((client) => client.ReopenBankAccount(at).pipe(Effect.flip)),
      ask((client) => client.SetProviderBalance({ ...at, ...balance }).pipe(Effect.flip)),
      ask((client) => client.CreateBankAccount({ ...draft, organization_id: nowhere }).pipe(Effect.flip)),
      ask((client) => client.ListBankAccounts({ organization_id: nowhere }).pipe(Effect.flip))
    ])
    assert.deepStrictEqual(new Set(refusals.map(({ _tag }) => _tag)), new Set(["NotFound"]))
    assert.deepStrictEqual(await ask((client) => client.ListBankAccounts({ organization_id })), {
      accounts: [updated],
      total: 1
    })
    const iban = Schema.decodeSync(Iban)("BE68 5390 0754 7034")
    const known = await ask((client) => client.CreateBankAccount({ ...draft, iban }))
    assert.strictEqual(known.iban, "BE68539007547034")
    const twice = await ask((client) => client.CreateBankAccount({ ...draft, iban }).pipe(Effect.flip))
    assert.strictEqual(twice._tag, "IbanTaken")
    const archived = await ask((client) => client.ArchiveBankAccount({ organization_id, bank_account_id }))
    assert.strictEqual(archived.status, "archived")
    assert.deepStrictEqual(
      await ask((client) => client.ArchiveBankAccount({ organization_id, bank_account_id })),
      archived
    )
    const reopened = await ask((client) => client.ReopenBankAccount({ organization_id, bank_account_id }))
    assert.strictEqual(reopened.status, "active")
    await ask((client) => client.ArchiveBankAccount({ organization_id, bank_account_id: known.id }))
    const other = await ask((client) => client.CreateBankAccount({ ...draft, iban }))
    const inUse = { organization_id, bank_account_id: known.id }
    const refused = await ask((client) => client.ReopenBankAccount(inUse).pipe(Effect.flip))
    assert.strictEqual(refused._tag, "IbanTaken")
    await ask((client) => client.ArchiveBankAccount({ organization_id, bank_account_id: other.id }))
    assert.strictEqual((await ask((client) => client.ReopenBankAccount(inUse))).status, "active")
    const { entries } = await app.run(verifiedAuditLog(organization_id))
    assert.strictEqual(entries.at(-1)?.action, "bank_account.reopened")
  })

  it("issues an organization's token that opens the API until it is revoked", async () => {
    const { organization } = await open("fritz@example.com")
    const organization_id = organization.id
    const { secret, token } = await ask((client) =>
      client.IssueOrganizationToken({ organization_id, name: "shop", scopes: ["customers:read"] })
    )
    const status = async (path: string) =>
      (await app.call("GET", `/api/v1/${path}`, { token: Redacted.value(secret) })).status
    assert.deepStrictEqual([await status("customers"), await status("invoices")], [200, 403])
    const listed = await ask((client) => client.ListOrganizationTokens({ organization_id }))
    assert.deepStrictEqual(listed, { tokens: [token], total: 1 })
    await ask((client) => client.RevokeOrganizationToken({ organization_id, token_id: token.id }))
    assert.strictEqual(await status("customers"), 401)
    assert.deepStrictEqual(await ask((client) => client.ListOrganizationTokens({ organization_id })), {
      tokens: [],
      total: 0
    })
  })

  it("registers clients: a secret for a confidential one, which rotates, and none for a public one", async () => {
    const draft = { name: "Shop", first_party: false, redirect_uris: ["https://shop.example.com/callback"] }
    const made = await ask((client) => client.CreateOAuthClient({ ...draft, confidential: true }))
    const known = await ask((client) => client.CreateOAuthClient({ ...draft, confidential: false }))
    assert.isNull(known.client_secret)
    const { client_secret } = await ask((client) => client.RotateClientSecret({ client_id: made.client.id }))
    assert.isNotNull(made.client_secret)
    assert.notStrictEqual(Redacted.value(client_secret), made.client_secret && Redacted.value(made.client_secret))
    const refused = await ask((client) => client.RotateClientSecret({ client_id: known.client.id }).pipe(Effect.flip))
    assert.strictEqual(refused._tag, "NotFound")
  })

  it("answers NotFound for an organization, a token, a client or a user that does not exist", async () => {
    const organization_id = nowhere
    const tax_rate_id = TaxRateId.make(1)
    const rate = BigDecimal.fromBigInt(1n)
    const token = { name: "x", scopes: ["customers:read"] as const }
    const refusals = await ask((client) =>
      Effect.forEach(
        [
          client.SetPlan({ organization_id, plan: "business" }),
          client.ArchiveOrganization({ organization_id }),
          client.ReopenOrganization({ organization_id }),
          client.CreateTaxRate({ organization_id, name: "x", rate, category: "S", is_default: true }),
          client.UpdateTaxRate({ organization_id, tax_rate_id, rate }),
          client.SetDefaultTaxRates({ organization_id, tax_rate_ids: [] }),
          client.ListTaxRates({ organization_id }),
          client.IssueOrganizationToken({ organization_id, ...token }),
          client.RevokeOrganizationToken({ organization_id, token_id: TokenId.make(1) }),
          client.ListOrganizationTokens({ organization_id }),
          client.IssuePersonalAccessToken({ email: "nobody@example.com", ...token }),
          client.UpdateOAuthClient({ client_id: ClientId.make("018f0000-0000-4000-8000-000000000000"), name: "x" }),
          client.RotateClientSecret({ client_id: ClientId.make("018f0000-0000-4000-8000-000000000000") })
        ],
        (call) => Effect.flip<unknown, { readonly _tag: string }, never>(call)
      )
    )
    assert.deepStrictEqual(
      refusals.map(({ _tag }) => _tag),
      refusals.map(() => "NotFound")
    )
    const count = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ n: number }>`select count(*) as n from tokens where organization_id = ${nowhere}`
    )
    assert.deepStrictEqual(await app.run(count), [{ n: 0 }])
  })

  it("records every call in the audit chain of its organization, with the actor admin", async () => {
    const { organization } = await open("gina@example.com")
    const organization_id = organization.id
    const { token } = await ask((client) =>
      client.IssueOrganizationToken({ organization_id, name: "shop", scopes: ["customers:read"] })
    )
    await ask((client) => client.RevokeOrganizationToken({ organization_id, token_id: token.id }))
    await ask((client) => client.SetPlan({ organization_id, plan: "business" }))
    await ask((client) => client.SetDefaultTaxRates({ organization_id, tax_rate_ids: [] }))
    await ask((client) => client.ArchiveOrganization({ organization_id }))
    const entries = await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ canonical: string }>`
          select canonical from audit_entries where organization_id = ${organization_id} order by seq`
      )
    )
    const done: ReadonlyArray<{ action: string; actor: string }> = entries.map(({ canonical }) => JSON.parse(canonical))
    assert.deepStrictEqual(
      done.map(({ action }) => action),
      [
        "organization.created",
        "tax_rate.created",
        "tax_rate.created",
        "tax_rate.created",
        "api_token.issued",
        "api_token.revoked",
        "organization.plan_set",
        "tax_rate.defaults_set",
        "organization.archived"
      ]
    )
    assert.isTrue(done.every(({ actor }) => actor === "admin"))
  })

  it("disables the links to a document, and records that in the audit chain", async () => {
    const { organization } = await open("links@example.com")
    const of = { document: "invoice" as const, document_id: 1 }
    const answer = await ask((client) => client.RevokeDocumentLinks({ organization_id: organization.id, ...of }))
    assert.deepStrictEqual(answer, { revoked: 0 })
    const refused = await ask((client) =>
      client.RevokeDocumentLinks({ organization_id: nowhere, ...of }).pipe(Effect.flip)
    )
    assert.strictEqual(refused._tag, "NotFound")
    const { entries } = await app.run(verifiedAuditLog(organization.id))
    assert.deepStrictEqual([entries.at(-1)?.action, entries.at(-1)?.actor], ["document.links_revoked", "admin"])
  })
})
