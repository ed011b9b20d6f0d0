import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { ClientDraft } from "../../../src/identity/clients/Client.ts"
import { Clients } from "../../../src/identity/clients/Clients.ts"
import { parseScopes } from "../../../src/identity/Scope.ts"
import { ApiTokens } from "../../../src/identity/tokens/ApiTokens.ts"
import { Users } from "../../../src/identity/users/Users.ts"
import { OrganizationId, UserId } from "../../../src/kernel/Ids.ts"
import { useApp } from "../../support/App.ts"
import { browser, client, password, person } from "../Visitor.ts"

const app = useApp()
const Identity = Layer.mergeAll(Users.layer, Clients.layer, ApiTokens.layer)
const secret = Redacted.make(password)

describe("Users", () => {
  it("creates one user when many ask for an address at the same time, in any case", async () => {
    const outcomes = await app.run(
      Effect.gen(function* () {
        const users = yield* Users
        const emails = ["race@example.com", "Race@example.com", "RACE@EXAMPLE.COM", "race@Example.com"]
        return yield* Effect.forEach(emails, (email) => Effect.result(users.create({ name: "Ana", email }, secret)), {
          concurrency: "unbounded"
        })
      }).pipe(Effect.provide(Identity))
    )
    expect(outcomes.map(({ _tag }) => _tag).toSorted()).toEqual(["Failure", "Failure", "Failure", "Success"])
  })

  it("invites an unknown address once and finds a known one", async () => {
    const [first, second, known] = await app.run(
      Effect.gen(function* () {
        const users = yield* Users
        const first = yield* users.invite({ name: "Ben", email: "ben@example.com" })
        const second = yield* users.invite({ name: "Other", email: "BEN@example.com" })
        const created = yield* users.create({ name: "Cleo", email: "cleo@example.com" }, secret)
        return [
          first,
          second,
          [created.id, (yield* users.invite({ name: "X", email: "cleo@example.com" })).id]
        ] as const
      }).pipe(Effect.provide(Identity))
    )
    expect(first).toMatchObject({ name: "Ben", has_password: false, superadmin: false })
    expect(second).toEqual(first)
    expect(known[0]).toBe(known[1])
  })

  it("refuses a short password, and a new one ends the browser sessions", async () => {
    const ana = await person(app)
    const visitor = browser(app)
    await visitor.logIn(ana.email)
    const setPassword = (text: string) =>
      app.run(
        Effect.gen(function* () {
          const users = yield* Users
          const hashed = users.hash(Redacted.make(text), ana.email)
          return yield* Effect.result(Effect.flatMap(hashed, (hash) => users.setPassword(ana.id, hash)))
        }).pipe(Effect.provide(Identity))
      )
    expect(await setPassword("short")).toMatchObject({ failure: { _tag: "PasswordUnacceptable" } })
    expect((await visitor.get("/account")).status).toBe(200)
    expect((await setPassword("another horse"))._tag).toBe("Success")
    expect((await visitor.get("/account")).location).toBe("/login")
    expect((await browser(app).logIn(ana.email)).status).toBe(422)
    expect((await browser(app).logIn(ana.email, "/login", "another horse")).status).toBe(303)
  })

  it("stores no password, token, code or secret in clear text", async () => {
    const ana = await person(app)
    const confidential = await client(app, { confidential: true })
    const visitor = browser(app)
    await visitor.logIn(ana.email)
    const rows = await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return yield* sql`
          select row_to_json(users)::text as row from users union all select row_to_json(clients)::text from clients
          union all select row_to_json(sessions)::text from sessions`
      })
    )
    const stored = JSON.stringify(rows)
    for (const text of [password, confidential.secret ?? "-", visitor.jar.get("session") ?? "-"]) {
      expect(text.length).toBeGreaterThan(8)
      expect(stored).not.toContain(text)
    }
  })
})

describe("Clients", () => {
  it("replaces a secret, so that only the new one is accepted, and gives none to a public client", async () => {
    const confidential = await client(app, { confidential: true })
    const open = await client(app)
    const outcome = await app.run(
      Effect.gen(function* () {
        const clients = yield* Clients
        const authenticate = (client_secret: string | undefined) =>
          Effect.map(
            Effect.result(clients.authenticate({ client_id: confidential.id, client_secret })),
            ({ _tag }) => _tag
          )
        const before = yield* authenticate(confidential.secret)
        const next = yield* clients.rotateSecret(confidential.id)
        return {
          before,
          old: yield* authenticate(confidential.secret),
          next: yield* authenticate(Redacted.value(next)),
          none: yield* authenticate(undefined),
          open: yield* Effect.result(clients.rotateSecret(open.id))
        }
      }).pipe(Effect.provide(Identity))
    )
    expect(outcome).toMatchObject({ before: "Success", old: "Failure", next: "Success", none: "Failure" })
    expect(outcome.open).toMatchObject({ failure: { _tag: "NotFound" } })
  })

  it("may have every scope only if it is first-party", () => {
    const draft = { name: "A", confidential: false, redirect_uris: ["https://a.example/"], scopes: ["*"] }
    const decode = Schema.decodeUnknownOption(ClientDraft)
    expect(Option.isSome(decode({ ...draft, first_party: true }))).toBe(true)
    expect(Option.isSome(decode({ ...draft, first_party: false }))).toBe(false)
    expect(Option.isSome(decode({ ...draft, first_party: false, scopes: ["invoices:read"] }))).toBe(true)
    expect(Option.isSome(decode({ ...draft, first_party: true, redirect_uris: ["http://a.example/"] }))).toBe(false)
  })
})

describe("scopes", () => {
  it("have the colon names of banking and archive as aliases", () => {
    expect(parseScopes("bank_accounts:read  archive:export invoices:read invoices:read")).toEqual([
      "bank_accounts.view",
      "archive.export",
      "invoices:read"
    ])
  })
})

describe("ApiTokens", () => {
  it("issues an organization API token, names it in the audit chain, and revokes it", async () => {
    const { id, owner } = await app.organization()
    const organization_id = OrganizationId.make(id)
    const { issued, personal } = await app.run(
      Effect.gen(function* () {
        const tokens = yield* ApiTokens
        const issued = yield* tokens.issueOrganization(
          organization_id,
          { name: "ERP", scopes: ["customers:read"] },
          "admin"
        )
        const personal = yield* tokens.issuePersonal(UserId.make(owner.id), { name: "Script", scopes: ["*"] }, null)
        return { issued, personal }
      }).pipe(Effect.provide(Identity))
    )
    const token = Redacted.value(issued.secret)
    const list = () => app.call("GET", "/api/v1/customers", { token })
    expect((await list()).status).toBe(200)
    expect((await app.call("GET", "/api/v1/user", { token: Redacted.value(personal.secret) })).status).toBe(200)
    const left = await app.run(
      Effect.gen(function* () {
        const tokens = yield* ApiTokens
        yield* tokens.revokeOrganization(organization_id, issued.token.id, "admin")
        const again = yield* Effect.result(tokens.revokeOrganization(organization_id, issued.token.id, "admin"))
        return { again, tokens: yield* tokens.listOrganization(organization_id, {}) }
      }).pipe(Effect.provide(Identity))
    )
    expect(left).toMatchObject({ again: { failure: { _tag: "NotFound" } }, tokens: { rows: [], total: 0 } })
    expect((await list()).status).toBe(401)
    const entries = await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return yield* sql<{ canonical: string }>`
          select canonical from audit_entries where organization_id = ${id} order by seq`
      })
    )
    expect(entries.map(({ canonical }) => JSON.parse(canonical).action)).toEqual([
      "api_token.issued",
      "api_token.revoked"
    ])
  })
})
