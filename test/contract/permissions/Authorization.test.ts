import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { beforeAll, describe, expect, it } from "vitest"
import { everyScope, scopesKnown } from "../../../src/identity/Scope.ts"
import { type Answer, useApp } from "../../support/App.ts"
import { seedMember, seedOrganizationToken, type SeededOrganization } from "../../support/database/Seed.ts"
import { bodyOf, type Endpoint, endpoints, nowhere, pathOf } from "../Endpoints.ts"

/** Statuses for a caller who was admitted: 404 for a missing record, 422 for an invalid body. */
const admitted = [200, 404, 422]

/**
 * `PermissionProduct.test.ts` tests the decision at every endpoint, and `PermissionSweep.test.ts` the status and code of
 * the answer. This file tests the rest of the answers, which do not depend on the endpoint, at a few of them.
 */
const named = (...names: ReadonlyArray<string>) => {
  const found = endpoints.filter(({ name }) => names.includes(name))
  if (found.length !== names.length) throw new Error(`Not all of these are endpoints: ${names.join(", ")}`)
  return found
}

const business = named("customers.get", "invoices.create")

const app = useApp()
let ours: SeededOrganization
let theirs: SeededOrganization

beforeAll(async () => {
  ours = await app.organization()
  theirs = await app.organization({ name: "Theirs" })
})

/**
 * Creates a further owner of the organization `ours`, whom no other test logs out, and returns a token of this owner.
 */
const tokenWith = async (...scopes: ReadonlyArray<string>) =>
  (await app.run(seedMember(ours.id, "owner", scopes))).token

/** Requests a record that does not exist, in the organization `ours` if the path names an organization. */
const ask = (endpoint: Endpoint, token: string | undefined, organization?: number | string): Promise<Answer> =>
  app.call(
    endpoint.method,
    pathOf(endpoint, (collection) => (collection === "organizations" ? ours.id : nowhere)),
    {
      token,
      organization,
      body: bodyOf(endpoint)
    }
  )

const refusal = (status: number, code: string, message: string, more: object = {}) => ({
  status,
  text: JSON.stringify({ success: false, message, code, ...more })
})

const unauthenticated = refusal(401, "unauthenticated", "Unauthenticated.")
const organizationForbidden = refusal(403, "organization_forbidden", "You do not have access to this organization.")
const organizationRequired = refusal(
  400,
  "organization_required",
  "The X-Organization-Id header must name an organization by its id."
)

describe("without a valid token", () => {
  it.each(named("session.user", "invoices.create"))("$method $path answers 401", async (endpoint) => {
    const without = await ask(endpoint, undefined, ours.id)
    expect(without).toMatchObject(unauthenticated)
    // RFC 6750, 3.1: a request without a credential gets no error code.
    expect(without.headers.get("www-authenticate")).toBe("Bearer")
    const unknown = await ask(endpoint, "pat_unknown", ours.id)
    expect(unknown).toMatchObject(unauthenticated)
    expect(unknown.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"')
  })
})

describe("without the scope", () => {
  const scoped = named("organizations.list", "customerDocuments.invoices").flatMap((endpoint) =>
    endpoint.scopes.map((scope) => ({ ...endpoint, scope }))
  )

  it.each(scoped)("$method $path answers 403 to a token with every scope but $scope", async (endpoint) => {
    const { scope, scopes } = endpoint
    const others = scopesKnown.filter((known) => known !== scope)
    const answer = await ask(endpoint, await tokenWith(...others), ours.id)
    const message = `The token lacks the scope ${scope}.`
    expect(answer).toMatchObject(refusal(403, "missing_scope", message, { required_scope: scope }))
    expect(answer.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope"')
    const sufficient = await ask(endpoint, await tokenWith(...scopes), ours.id)
    expect(admitted).toContain(sufficient.status)
  })
})

describe("without the permission", () => {
  // PermissionSweep.test.ts shows which role lacks which permission at each endpoint.
  it("answers 403 with the permission that the role lacks", async () => {
    const { token } = await app.run(seedMember(ours.id, "member"))
    const message = "Your role does not allow payments.delete."
    const answer = await app.call("DELETE", `/api/v1/payments/${nowhere}`, { token, organization: ours.id })
    expect(answer).toMatchObject(refusal(403, "forbidden", message, { required_permission: "payments.delete" }))
  })
})

describe("without the organization", () => {
  it.each(business)("$method $path answers 400 to an absent or malformed header", async (endpoint) => {
    for (const header of [undefined, "abc", "0", "01", "1e0", "-1", "9007199254740993"]) {
      expect([header, await ask(endpoint, ours.owner.token, header)]).toMatchObject([header, organizationRequired])
    }
    const bound = await app.run(seedOrganizationToken(ours.id))
    expect(await ask(endpoint, bound, "abc")).toMatchObject(organizationRequired)
  })

  it.each(business)("$method $path answers one 403 to an unknown and to a foreign organization", async (endpoint) => {
    const bound = await app.run(seedOrganizationToken(theirs.id))
    expect(await ask(endpoint, ours.owner.token, theirs.id)).toMatchObject(organizationForbidden)
    expect(await ask(endpoint, ours.owner.token, 999_999_999)).toMatchObject(organizationForbidden)
    expect(await ask(endpoint, bound, ours.id)).toMatchObject(organizationForbidden)
  })

  it("answers that 403 to a token bound to an organization that its user has left", async () => {
    const { id, token } = await app.run(seedMember(ours.id, "owner"))
    const leave = (sql: SqlClient.SqlClient) =>
      Effect.andThen(
        sql`update tokens set organization_id = ${ours.id} where user_id = ${id}`,
        sql`delete from members where user_id = ${id}`
      )
    expect((await app.call("GET", "/api/v1/customers", { token, organization: ours.id })).status).toBe(200)
    await app.run(Effect.flatMap(SqlClient.SqlClient, leave))
    expect(await app.call("GET", "/api/v1/customers", { token })).toMatchObject(organizationForbidden)
  })

  it.each(named("session.user", "organizations.update"))(
    "$method $path does not look at the header",
    async (endpoint) => {
      const token = await tokenWith(everyScope)
      for (const header of [theirs.id, "abc"]) {
        expect([header, admitted]).toEqual([
          header,
          expect.arrayContaining([(await ask(endpoint, token, header)).status])
        ])
      }
    }
  )
})
