import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { OrganizationOpener } from "../../../src/administration/OrganizationOpener.ts"
import { TimeZone } from "../../../src/kernel/Calendar.ts"
import { CountryCode } from "../../../src/kernel/Country.ts"
import { CurrencyCode } from "../../../src/kernel/Currency.ts"
import { EmailAddress } from "../../../src/kernel/EmailAddress.ts"
import { useApp } from "../../support/App.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { client, codeFor, join, person, type Registered, tokenRequest } from "../Visitor.ts"

const app = useApp()
let ledger: Registered

beforeAll(async () => {
  ledger = await client(app, { first_party: false, confidential: true, scopes: ["invoices:read"] })
})

/** Lets the application act for the user, in the primary organization unless another one is named. */
const logIn = async (email: string, organization?: number) => {
  const request = { ...(await codeFor(app, ledger, email)), client_secret: ledger.secret }
  const named = organization === undefined ? {} : { organization_id: String(organization) }
  return (await tokenRequest(app, { ...request, ...named })).body
}

const renew = (refresh_token: string, organization?: number) =>
  tokenRequest(app, {
    grant_type: "refresh_token",
    client_id: ledger.id,
    client_secret: ledger.secret,
    refresh_token,
    organization_id: organization === undefined ? undefined : String(organization)
  })

const openFor = (owner_email: string) =>
  app.run(
    OrganizationOpener.use((opener) =>
      opener.open(
        {
          name: "Opened later",
          country: CountryCode.make("BE"),
          currency: CurrencyCode.make("EUR"),
          timezone: TimeZone.make("Europe/Brussels"),
          language: "nl",
          owner_email: EmailAddress.make(owner_email)
        },
        "admin"
      )
    ).pipe(Effect.provide(OrganizationOpener.layer))
  )

const memberOf = async (name: string) => {
  const user = await person(app)
  const { id } = await app.organization({ name })
  await join(app, user.id, id)
  return { user, organization: id }
}

describe("the login at a third-party application", () => {
  it("stays in its organization when the operator opens another one for the user", async () => {
    const { organization, user } = await memberOf("Acme")
    const login = await logIn(user.email)
    const opened = await openFor(user.email)
    expect(opened.owner.id).toBe(user.id)
    const renewed = await renew(login.refresh_token)
    expect([login.organization_id, renewed.body.organization_id]).toEqual([organization, organization])
    // A later login also gets the organization that the user joined first.
    expect((await logIn(user.email)).organization_id).toBe(organization)
  })

  it("stays in its organization when the primary organization of the user changes", async () => {
    const { organization, user } = await memberOf("Acme")
    const login = await logIn(user.email)
    const { id: other } = await app.organization()
    await join(app, user.id, other)
    await app.inDatabase(`update users set primary_organization_id = ${other} where id = ${user.id}`)
    const renewed = await renew(login.refresh_token)
    expect(renewed.body.organization_id).toBe(organization)
    const named = await renew(renewed.body.refresh_token, other)
    expect(named.body.organization_id).toBe(other)
    expect((await renew(named.body.refresh_token)).body.organization_id).toBe(organization)
  })

  it("stays in its organization when the user leaves it and is invited to it again", async () => {
    const { organization, user } = await memberOf("Acme")
    const login = await logIn(user.email)
    await join(app, user.id, (await app.organization()).id)
    const gone = `delete from members where user_id = ${user.id} and organization_id = ${organization}`
    await app.inDatabase(gone)
    expect((await renew(login.refresh_token)).body.error).toBe("invalid_grant")
    await join(app, user.id, organization)
    expect((await renew(login.refresh_token)).body.organization_id).toBe(organization)
  })

  it("stays in the organization of the token if an earlier version started it", async () => {
    const { organization, user } = await memberOf("Acme")
    const login = await logIn(user.email)
    await app.inDatabase(`update token_families set primary_organization_id = null where user_id = ${user.id}`)
    const { id: other } = await app.organization()
    await join(app, user.id, other)
    await app.inDatabase(`update users set primary_organization_id = ${other} where id = ${user.id}`)
    expect((await renew(login.refresh_token)).body.organization_id).toBe(organization)
  })

  it("reports a refresh token that is used again to the organization of the token, and to no other one", async () => {
    const { organization: primary, user } = await memberOf("Primary")
    const { id: named } = await app.organization({ name: "Named" })
    await join(app, user.id, named)
    const { refresh_token } = await logIn(user.email, named)
    await renew(refresh_token, named)
    await app.inDatabase(`update tokens set rotated_at = rotated_at - interval '1 minute' where user_id = ${user.id}`)
    expect((await renew(refresh_token, named)).body.error).toBe("invalid_grant")
    const reported = async (id: number) =>
      (await app.run(verifiedAuditLog(id))).entries.filter(({ action }) => action === "security.refresh_reuse")
    expect(await reported(named)).toHaveLength(1)
    expect(await reported(primary)).toEqual([])
  })
})
