import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { CountryCode } from "../../src/kernel/Country.ts"
import { CurrencyCode } from "../../src/kernel/Currency.ts"
import { TimeZone } from "../../src/kernel/Calendar.ts"
import { OrganizationId, UserId } from "../../src/kernel/Ids.ts"
import { Organizations } from "../../src/organizations/Organizations.ts"
import { Database } from "../../src/platform/sql/Database.ts"
import { useApp } from "../support/App.ts"
import { small_logo } from "../support/Billing.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { seedMember, type SeededOrganization, seedOrganizationToken, seedToken } from "../support/database/Seed.ts"

const app = useApp()
let ours: SeededOrganization
let theirs: SeededOrganization

beforeAll(async () => {
  ours = await app.organization({ name: "Acme" })
  theirs = await app.organization({ name: "Other" })
})

const path = (id: number) => `/api/v1/organizations/${id}`
const update = (body: unknown, headers: Record<string, string> = {}, seed = ours) =>
  app.call("PUT", path(seed.id), { token: seed.owner.token, body, headers })
const get = async (seed = ours) => (await app.call("GET", path(seed.id), { token: seed.owner.token })).body.data

const rows = (query: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<object>, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, query))

const markCurrencyInUse = (id: number) =>
  Effect.flatMap(Organizations, (organizations) => organizations.markCurrencyInUse(OrganizationId.make(id))).pipe(
    Effect.provide(Organizations.layer)
  )

const names = async (token: string, query = "") => {
  const { body, status } = await app.call("GET", `/api/v1/organizations${query}`, { token })
  expect(status).toBe(200)
  return body.data.map(({ name }: { name: string }) => name)
}

const filled = {
  name: "Acme Ébène",
  timezone: "Europe/Paris",
  language: "fr",
  subdivision_code: "BE-VOV",
  address_line1: "Kerkstraat 1",
  address_line2: "bus 2",
  city: "Gent",
  postal_code: "9000",
  state: "Oost-Vlaanderen",
  contact_name: "Ana",
  contact_email: "ana@acme.be",
  contact_phone: "+32 9 000 00 00",
  logo: small_logo,
  tax_number: "BE0202239951",
  registration_number: "0202.239.951",
  legal_form: "BV",
  register_court: "RPR Gent",
  share_capital: "€ 18.550",
  managing_directors: "Ana Blau, Bo Groen",
  national_tax_number: "143/262/10459",
  late_payment_penalty: "10 % a year from the due date.",
  early_payment_discount: "2 % within 10 days.",
  website: "https://acme.be"
}

const answered = () => ({ ...filled, logo: `/api/v1/organizations/${ours.id}/logo` })

describe("PUT /api/v1/organizations/{id}", () => {
  it("answers 200 with every field of the body, as GET then answers it, and a new version", async () => {
    const before = await get()
    const { body, headers, status } = await update(filled)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ ...answered(), id: ours.id, country: "BE", currency: "EUR" })
    expect(body.data.version).toBe(before.version + 1)
    expect(headers.get("etag")).toBe(`"v${body.data.version}"`)
    expect(await get()).toEqual(body.data)
  })

  it("keeps absent fields, and clears fields that are null", async () => {
    await update(filled)
    const { body } = await update({ website: null, city: "Aalst" })
    expect(body.data).toMatchObject({ ...answered(), website: null, city: "Aalst" })
  })

  it("accepts the answer of GET, except for a changed country", async () => {
    const { country: _, ...organization } = await get()
    const { body, status } = await update(organization)
    expect(status).toBe(200)
    expect({ ...body.data, version: 0, updated_at: "" }).toEqual({
      ...organization,
      country: "BE",
      version: 0,
      updated_at: ""
    })
  })

  it("answers 422 with success false and a message for a country, and changes nothing", async () => {
    const before = await get()
    const { body, status } = await update({ country: "FR", name: "Moved" })
    expect(status).toBe(422)
    expect(body).toMatchObject({ success: false, message: "The country field cannot be changed." })
    expect(await get()).toEqual(before)
  })

  it.each([
    ["name", " "],
    ["name", null],
    ["name", "x".repeat(256)],
    ["name", "nul\u0000"],
    ["currency", "EURO"],
    ["currency", null],
    ["timezone", "Mars/Olympus"],
    // Node knows these zones, but PostgreSQL, which computes the days of reports, does not.
    ["timezone", "US/Pacific-New"],
    ["timezone", "SystemV/AST4"],
    ["language", "english"],
    ["language", "xx"],
    ["subdivision_code", "FR-75C"],
    ["subdivision_code", "BE-XYZ"],
    ["contact_email", "nobody"],
    ["logo", "x".repeat(2049)],
    ["register_court", "x".repeat(256)],
    ["share_capital", 10_000],
    ["managing_directors", "x".repeat(256)],
    ["national_tax_number", "nul\u0000"],
    ["late_payment_penalty", "x".repeat(501)],
    ["early_payment_discount", "x".repeat(501)],
    ["settings", {}],
    ["city", 5]
  ])("answers 422 on %s for %j", async (field, value) => {
    const before = await get()
    const { body, status } = await update({ [field]: value })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([field])
    expect(await get()).toEqual(before)
  })

  it("answers 412 for an If-Match of an older version and changes nothing", async () => {
    const before = await get()
    const { body, status } = await update({ name: "Late" }, { "if-match": '"v0"' })
    expect(status).toBe(412)
    expect(body.details).toEqual({ version: before.version })
    expect(await get()).toEqual(before)
  })

  it("writes one audit entry that names the actor and the changes", async () => {
    await update({ city: "Gent" })
    const [last] = await rows(
      (sql) => sql`select canonical from audit_entries where organization_id = ${ours.id} order by seq desc limit 1`
    )
    expect(JSON.parse((last as { canonical: string }).canonical)).toMatchObject({
      action: "organization.updated",
      actor: `user:${ours.owner.id}`,
      data: { organization_id: ours.id, changed: ["city"] }
    })
  })

  it("answers 404 with the same bytes for another organization, an unknown one and an invalid id", async () => {
    const answers = await Promise.all(
      [String(theirs.id), "999999", "0", "1e0", "abc"].map((id) =>
        app.call("PUT", `/api/v1/organizations/${id}`, { token: ours.owner.token, body: { name: "Mine" } })
      )
    )
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await get(theirs)).name).toBe("Other")
  })
})

describe("The currency of an organization", () => {
  it("can change while no financial document exists", async () => {
    const seed = await app.organization()
    expect((await update({ currency: "USD" }, {}, seed)).body.data.currency).toBe("USD")
  })

  it("is locked with 422 currency_locked from the first document on, but may be sent unchanged", async () => {
    const seed = await app.organization()
    await app.run(markCurrencyInUse(seed.id))
    const refused = await update({ currency: "USD", name: "Dollar" }, {}, seed)
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({ success: false, code: "currency_locked" })
    expect(await get(seed)).toMatchObject({ currency: "EUR", name: "Acme" })
    expect((await update({ currency: "EUR", name: "Same" }, {}, seed)).status).toBe(200)
  })

  it("cannot change while a document is being written", async () => {
    const seed = await app.organization()
    const written = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const document = Effect.gen(function* () {
      const { transaction } = yield* Database
      const open = Effect.promise(() => {
        written.resolve()
        return end.promise
      })
      yield* transaction(Effect.andThen(markCurrencyInUse(seed.id), open))
    })
    const writing = app.run(document)
    await written.promise
    const updating = update({ currency: "USD" }, {}, seed)
    await until("the change to wait", async () => {
      const [waiting] = await rows(
        (sql) => sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      )
      return waiting
    })
    end.resolve()
    await writing
    const refused = await updating
    expect(refused.status).toBe(422)
    expect((await get(seed)).currency).toBe("EUR")
  })
})

describe("GET /api/v1/organizations", () => {
  it("lists only organizations in which the user is an active member", async () => {
    const person = await app.run(seedMember(undefined, "member"))
    for (const [name, status] of [
      ["Zürich AG", "active"],
      ["Straße 100%", "active"],
      ["Invited Inc", "invited"]
    ] as const) {
      const { id } = await app.organization({ name: "Before" })
      const numbers = { tax_number: "BE0202239951", registration_number: `HRB ${name.length}` }
      await update({ name, ...numbers }, {}, { ...ours, id, owner: await app.run(seedMember(id, "owner")) })
      await rows(
        (sql) => sql`insert into members (organization_id, user_id, role, status)
                     values (${id}, ${person.id}, 'viewer', ${status})`
      )
    }
    expect(await names(person.token)).toEqual(["Straße 100%", "Zürich AG"])
    expect(await names(person.token, "?search=zurich")).toEqual(["Zürich AG"])
    expect(await names(person.token, "?search=STRASSE")).toEqual(["Straße 100%"])
    expect(await names(person.token, "?search=%25")).toEqual(["Straße 100%"])
    expect(await names(person.token, "?search=_")).toEqual([])
    expect(await names(person.token, "?search=be0202239951")).toEqual(["Straße 100%", "Zürich AG"])
    expect(await names(person.token, "?search=hrb+9")).toEqual(["Zürich AG"])
    expect(await names(person.token, "?per_page=1&page=2")).toEqual(["Zürich AG"])
  })

  it("lists only the bound organization for an organization API token and a bound user token", async () => {
    const token = await app.run(seedOrganizationToken(theirs.id))
    expect(await names(token)).toEqual(["Other"])
    const second = await app.organization({ name: "Second" })
    await rows(
      (sql) => sql`insert into members (organization_id, user_id, role, status)
                   values (${second.id}, ${ours.owner.id}, 'viewer', 'active')`
    )
    const bound = await app.run(seedToken(ours.owner.id, ["*"]))
    await rows(
      (sql) => sql`update tokens set organization_id = ${second.id}
                            where id = (select max(id) from tokens where user_id = ${ours.owner.id})`
    )
    expect(await names(bound)).toEqual(["Second"])
    const foreign = await app.call("GET", path(ours.id), { token: bound })
    expect(foreign.status).toBe(404)
  })

  it("answers 401 without a token and 403 without the scope", async () => {
    expect((await app.call("GET", "/api/v1/organizations")).status).toBe(401)
    const narrow = await app.run(seedToken(ours.owner.id, ["invoices:read"]))
    const { body, status } = await app.call("GET", "/api/v1/organizations", { token: narrow })
    expect(status).toBe(403)
    expect(body.required_scope).toBe("organizations:read")
  })
})

describe("Organizations.create", () => {
  it("creates an organization whose owner has access at once and whose audit chain starts", async () => {
    const person = await app.run(seedMember(undefined, "member"))
    const organization = await app.run(
      Effect.flatMap(Organizations, (organizations) =>
        organizations.create(
          {
            name: "Neu GmbH",
            country: CountryCode.make("DE"),
            currency: CurrencyCode.make("EUR"),
            timezone: TimeZone.make("Europe/Berlin"),
            language: "de",
            owner_id: UserId.make(person.id)
          },
          "admin"
        )
      ).pipe(Effect.provide(Organizations.layer))
    )
    const { body, status } = await app.call("PUT", path(organization.id), {
      token: person.token,
      body: { city: "Ulm" }
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ name: "Neu GmbH", country: "DE", city: "Ulm", version: 2 })
    const entries = await rows(
      (sql) => sql`select canonical from audit_entries where organization_id = ${organization.id} order by seq`
    )
    expect(entries).toHaveLength(2)
  })
})
