import { beforeAll, expect } from "vitest"
import {
  browser,
  client,
  codeFor,
  hiddenFields,
  join,
  person,
  type Registered,
  tokenRequest,
  tokensFor
} from "../../identity/Visitor.ts"
import { useApp } from "../../support/App.ts"
import type { SeededOrganization } from "../../support/database/Seed.ts"

export interface Login {
  readonly user: { readonly id: number; readonly email: string }
  readonly registered: Registered
  readonly redemption: Awaited<ReturnType<typeof codeFor>>
  readonly access_token: string
  readonly refresh_token: string
}

export const disconnected = { is_active: false, disabled_reason: "disconnected", version: 2 }
export const active = { is_active: true, disabled_reason: null, version: 1 }

/** An organization whose members let applications create webhooks. */
export const useApplications = () => {
  const app = useApp({ role: "all" })
  let acme: SeededOrganization

  beforeAll(async () => {
    acme = await app.organization()
  })

  const member = async () => {
    const user = await person(app)
    await join(app, user.id, acme.id)
    return user
  }

  const application = (first_party = false): Promise<Registered> =>
    client(app, { name: "Ledger Link", first_party, scopes: ["webhooks:read", "webhooks:write"] })

  const call = (method: string, path: string, token: string, body?: unknown) =>
    app.call(method, `/api/v1/webhooks${path}`, { token, organization: acme.id, body })

  const create = (token: string) =>
    call("POST", "", token, { url: "https://hooks.example.com/created", events: ["invoice.paid"] })

  const made = async (token: string) => {
    const { body, status } = await create(token)
    expect(status).toBe(201)
    return body.data
  }

  const madeWith = async (registered: Registered, { email }: { readonly email: string }) =>
    made((await tokensFor(app, registered, email)).access_token)

  /** Reads webhooks as the owner of the organization sees them. */
  const seen = async ({ id }: { readonly id: number }) => (await call("GET", `/${id}`, acme.owner.token)).body.data

  const disconnect = async ({ email }: { readonly email: string }, { id }: Registered) => {
    const visitor = browser(app)
    await visitor.logIn(email)
    const { csrf = "" } = hiddenFields((await visitor.get("/account")).text, "/account/apps/disconnect")
    expect((await visitor.post("/account/apps/disconnect", { csrf, id })).location).toBe("/account")
  }

  const logIn = async (user: Login["user"], registered: Registered): Promise<Login> => {
    const redemption = await codeFor(app, registered, user.email)
    return { user, registered, redemption, ...(await tokenRequest(app, redemption)).body }
  }

  const resetPassword = async ({ user }: Login) => {
    await app.inDatabase(`insert into password_resets (hash, user_id, expires_at)
      values (sha256('rst_lost'), ${user.id}, now() + interval '1 hour')`)
    const visitor = browser(app)
    const fields = hiddenFields((await visitor.get("/reset/rst_lost")).text)
    const answer = await visitor.post("/reset/rst_lost", { ...fields, password: "another horse, entirely" })
    expect(answer.status).toBe(303)
  }

  return {
    app,
    acme: () => acme,
    member,
    application,
    call,
    create,
    made,
    madeWith,
    seen,
    disconnect,
    logIn,
    resetPassword
  }
}
