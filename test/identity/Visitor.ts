import { Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createHash, randomBytes } from "node:crypto"
import { Accounts } from "../../src/identity/accounts/Accounts.ts"
import type { Client, ClientDraft } from "../../src/identity/clients/Client.ts"
import { Clients } from "../../src/identity/clients/Clients.ts"
import { Tokens } from "../../src/identity/tokens/Tokens.ts"
import type { UserId } from "../../src/kernel/Ids.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { OrganizationBindingLive } from "../../src/organizations/OrganizationBindingLive.ts"
import { Passwords } from "../../src/platform/crypto/Passwords.ts"
import type { App } from "../support/App.ts"

export const password = "correct horse battery"

let people = 0

export const person = (app: App): Promise<{ readonly id: UserId; readonly email: string }> =>
  app.run(
    Effect.gen(function* () {
      const users = yield* Users
      const email = `visitor${++people}@example.com`
      return yield* users.create({ name: "Ana Visitor", email }, Redacted.make(password))
    }).pipe(Effect.provide(Users.layer))
  )

/** Runs `use` while the limit of simultaneous password checks is reached and callers wait for each free place. */
export const duringStorm = async <A>(app: App, use: () => Promise<A>): Promise<A> => {
  const calm = Promise.withResolvers<void>()
  const storm = app.run(
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const again = passwords.hash(Redacted.make(password)).pipe(
        Effect.catchTag("PasswordsBusy", () => Effect.sleep("1 millis")),
        Effect.forever
      )
      yield* Effect.replicateEffect(again, 80, { concurrency: "unbounded", discard: true })
    }).pipe(Effect.raceFirst(Effect.promise(() => calm.promise)))
  )
  const used = await use().finally(calm.resolve)
  await storm
  return used
}

export const join = (app: App, user_id: number, organization_id: number) =>
  app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into members (organization_id, user_id, role, status)
                 values (${organization_id}, ${user_id}, 'owner', 'active')`
    })
  )

export interface Registered extends Client {
  readonly secret: string | undefined
}

export const client = (app: App, draft: Partial<ClientDraft> = {}): Promise<Registered> =>
  app.run(
    Effect.gen(function* () {
      const clients = yield* Clients
      const { client, secret } = yield* clients.create({
        name: "Acme Books",
        first_party: true,
        confidential: false,
        redirect_uris: ["https://client.example/callback"],
        ...draft
      })
      return { ...client, secret: Option.getOrUndefined(Option.map(secret, Redacted.value)) }
    }).pipe(Effect.provide(Clients.layer))
  )

export const newVerifier = () => randomBytes(32).toString("base64url")
const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")

export interface Seen {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly location: string
}

/** A browser that keeps cookies, follows no redirects by itself, and fills in forms as they were shown. */
export const browser = (app: App) => {
  const jar = new Map<string, string>()
  const request = async (
    method: string,
    path: string,
    fields?: Record<string, string>,
    extra: Record<string, string> = {}
  ) => {
    const headers = new Headers(extra)
    if (jar.size > 0) headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "))
    if (fields !== undefined && !headers.has("origin")) headers.set("origin", app.url)
    const body = fields === undefined ? null : new URLSearchParams(fields)
    const response = await fetch(new URL(path, app.url), { method, headers, body, redirect: "manual" })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get("location") ?? ""
    return { status: response.status, headers: response.headers, text: await response.text(), location } satisfies Seen
  }
  const get = (path: string, headers?: Record<string, string>) => request("GET", path, undefined, headers)
  const post = (path: string, fields: Record<string, string>, headers?: Record<string, string>) =>
    request("POST", path, fields, headers)
  /** Logs in like a person: opens the page, submits the form, and returns the answer. */
  const logIn = async (email: string, path = "/login", secret = password) =>
    post("/login", { ...hiddenFields((await get(path)).text), email, password: secret })
  return { jar, request, get, post, logIn }
}
export type Browser = ReturnType<typeof browser>

/** Returns the hidden fields of the first form that posts to `action`, or of the first form without `action`. */
export const hiddenFields = (page: string, action?: string): Record<string, string> => {
  const start = action === undefined ? page.indexOf("<form") : page.indexOf(`action="${action}"`)
  const form = page.slice(start, page.indexOf("</form>", start))
  const fields = [...form.matchAll(/<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, unescape(value)]))
}

const unescape = (text: string) =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

export const authorizePath = (
  registered: Client,
  verifier: string,
  changes: Record<string, string | undefined> = {}
) => {
  const query: Record<string, string | undefined> = {
    response_type: "code",
    client_id: registered.id,
    redirect_uri: registered.redirect_uris[0] ?? "",
    state: "af0ifjsldkj",
    code_challenge: challengeOf(verifier),
    code_challenge_method: "S256",
    ...changes
  }
  const sent = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return `/oauth/authorize?${new URLSearchParams(sent).toString()}`
}

export const answerAt = (location: string) => Object.fromEntries(new URL(location).searchParams)

export const tokenRequest = (
  app: App,
  fields: Record<string, string | undefined>,
  headers: Record<string, string> = {}
) => {
  const sent = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return app.call("POST", "/oauth/token", {
    body: new URLSearchParams(sent).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
  })
}

/** Gets a code for a first-party client from a browser that is logged in or logs in on the way. */
export const codeFor = async (app: App, registered: Client, email: string, changes: Record<string, string> = {}) => {
  const verifier = newVerifier()
  const visitor = browser(app)
  const asked = await visitor.get(authorizePath(registered, verifier, changes))
  const loggedIn = await visitor.logIn(email, asked.location)
  const answered = await visitor.get(loggedIn.location)
  const done = registered.first_party
    ? answered
    : await visitor.post("/oauth/consent", { ...hiddenFields(answered.text), decision: "approve" })
  const { code } = answerAt(done.location)
  const redirect_uri = changes["redirect_uri"] ?? registered.redirect_uris[0]
  return { grant_type: "authorization_code", client_id: registered.id, code, redirect_uri, code_verifier: verifier }
}

/** Gets tokens through all steps of the authorization code flow. */
export const tokensFor = async (app: App, registered: Registered, email: string) => {
  const request = await codeFor(app, registered, email)
  const answer = await tokenRequest(app, { ...request, client_secret: registered.secret })
  return answer.body as { readonly access_token: string; readonly refresh_token: string; readonly scope: string }
}

/** Ends the access of a client to a user, as the user does on the account page. */
export const disconnect = (app: App, user_id: UserId, client: Client) =>
  app.run(
    Tokens.use(({ revokeClients }) => revokeClients(user_id, client.id)).pipe(
      Effect.provide(Layer.provide(Tokens.layer, OrganizationBindingLive))
    )
  )

/** Disables a user, as the operator does. */
export const disable = (app: App, email: string) =>
  app.run(
    Accounts.use((accounts) => accounts.disable(email, "admin")).pipe(
      Effect.provide(Layer.provide(Accounts.layer, OrganizationBindingLive))
    )
  )
