import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { usePanel } from "./Panel.ts"
import { client, hiddenFields } from "../../identity/Visitor.ts"

const { app, enter, fill, lastEntry, send, state } = usePanel()

const secretOn = (text: string) => /<code id="secret">([^<]+)<\/code>/.exec(text)?.[1] ?? ""

describe("API tokens in the panel", () => {
  it("are shown on one page, which is not cached, and are valid until they are revoked", async () => {
    const admin = await enter()
    const { id } = await app.organization({ name: "Tokens" })
    const path = `/admin/organizations/${id}/tokens`
    const issued = await fill(admin, `${path}/new`, {
      name: "Shop",
      validity: "30",
      preset: "read",
      things: ["customers", "invoices"]
    })
    expect([issued.status, issued.headers.get("cache-control")]).toEqual([200, "no-store"])
    const token = secretOn(issued.text)
    expect(token).toMatch(/^org_/)
    const read = () => app.call("GET", "/api/v1/customers", { token })
    expect((await read()).status).toBe(200)
    expect((await app.call("GET", "/api/v1/quotes", { token })).status).toBe(403)
    const { action, actor, data } = await lastEntry(id)
    expect([action, actor, JSON.stringify(data).includes(token)]).toEqual([
      "api_token.issued",
      `user:${admin.user.id}`,
      false
    ])
    const list = await admin.get(path)
    expect(list.text).toContain("Shop")
    expect(list.text).toMatch(/until <time/)
    const revoke = /href="([^"]+\/revoke)"/.exec(list.text)?.[1] ?? ""
    for (const page of [path, `${path}/new`, revoke, `/admin/organizations/${id}`]) {
      expect((await admin.get(page)).text).not.toContain(token)
    }
    expect((await admin.get(revoke)).text).toContain("Revoke Shop?")
    expect((await read()).status).toBe(200)
    expect((await fill(admin, revoke, {})).location).toBe(`${path}?done=RevokeOrganizationToken`)
    expect((await read()).status).toBe(401)
    const before = await state()
    expect((await fill(admin, revoke, {})).status).toBe(404)
    expect(await state()).toBe(before)
  })

  it("are issued once by a form that is sent twice, and both answers show the same token", async () => {
    const admin = await enter()
    const { id } = await app.organization({ name: "Twice" })
    const path = `/admin/organizations/${id}/tokens/new`
    const { csrf = "" } = hiddenFields((await admin.get(path)).text)
    const issue = () => send(admin, path, { csrf, name: "Shop", validity: "", preset: "read" })
    const [first, second] = await Promise.all([issue(), issue()])
    expect(secretOn(first.text)).toMatch(/^org_/)
    expect(secretOn(second.text)).toBe(secretOn(first.text))
    expect(await app.inDatabase(`select from tokens where organization_id = ${id}`)).toHaveLength(1)
  })

  it("are listed page by page while they are valid, and only the organization's own can be revoked", async () => {
    const admin = await enter()
    const { id } = await app.organization({ name: "Many" })
    const { id: other_id } = await app.organization({ name: "Other" })
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`
          insert into tokens (kind, name, organization_id, scopes, hash, expires_at)
          select 'organization', 'Token ' || n, ${id}, '{customers:read}', sha256((${id} || ' ' || n)::bytea),
            case when n = 1 then now() end
          from generate_series(1, 27) n`
      )
    )
    const path = `/admin/organizations/${id}/tokens`
    const first = await admin.get(path)
    expect(first.text.match(/Revoke: Token \d+"/g)).toHaveLength(25)
    expect(first.text).toContain("Page 1 of 2, 26 in all")
    const second = await admin.get(`${path}?page=2`)
    expect(second.text.match(/Revoke: Token \d+"/g)).toEqual([`Revoke: Token 2"`])
    const revoke = /href="([^"]+\/revoke)"/.exec(second.text)?.[1] ?? ""
    const token_id = Number(/tokens\/(\d+)\//.exec(revoke)?.[1])
    const before = await state()
    for (const none of [
      `${path}/${token_id - 1}/revoke`,
      `/admin/organizations/${other_id}/tokens/${token_id}/revoke`
    ]) {
      expect((await fill(admin, none, {})).status).toBe(404)
    }
    expect(await state()).toBe(before)
    expect((await fill(admin, revoke, {})).location).toBe(`${path}?done=RevokeOrganizationToken`)
    expect((await admin.get(path)).text).not.toContain("Page 1")
  })

  it("are not issued without a name or a scope, or with every scope", async () => {
    const admin = await enter()
    const { id } = await app.organization({ name: "Refused" })
    const path = `/admin/organizations/${id}/tokens/new`
    const before = await state()
    for (const [fields, sentence] of [
      [{ name: "", preset: "read", things: ["customers"] }, "Name may not be empty."],
      [{ name: "Shop", preset: "" }, "The scopes field"],
      [{ name: "Shop", preset: "*" }, "The scopes field"],
      [{ name: "Shop", preset: "read", things: ["everything"] }, "The scopes field"]
    ] as const) {
      const refused = await fill(admin, path, { ...fields, validity: "90" })
      expect(refused.status).toBe(422)
      expect(refused.text).toContain(sentence)
      expect(refused.text).toMatch(/<option value="90"\s+selected/)
      if (fields.name === "") expect(refused.text).toMatch(/value="customers"\s+checked/)
    }
    expect(await state()).toBe(before)
  })
})

/** Returns the error code that the token endpoint gives this client for an invalid refresh token. */
const token = async (client_id: string, client_secret: string) => {
  const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x", client_id, client_secret })
  const headers = { "content-type": "application/x-www-form-urlencoded" }
  return (await app.call("POST", "/oauth/token", { body: body.toString(), headers })).body.error
}

describe("OAuth clients in the panel", () => {
  const draft = {
    name: "Ledger",
    first_party: "false",
    confidential: "true",
    password_grant: "false",
    redirect_uris: "https://ledger.example/callback\r\nhttp://127.0.0.1/callback\r\n",
    preset: "read",
    things: ["invoices"]
  }

  it("get a secret that is shown once, and a new one that replaces the old one", async () => {
    const admin = await enter()
    const registered = await fill(admin, "/admin/clients/new", draft)
    expect([registered.status, registered.headers.get("cache-control")]).toEqual([200, "no-store"])
    const first = secretOn(registered.text)
    const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(registered.text)?.[0] ?? ""
    expect(await token(id, first)).toBe("invalid_grant")
    const list = await admin.get("/admin/clients")
    expect(list.text).toContain("https://ledger.example/callback")
    expect(list.text).not.toContain(first)
    expect((await admin.get(`/admin/clients/${id}/secret`)).text).toContain("New secret for Ledger?")
    expect(await token(id, first)).toBe("invalid_grant")
    const second = secretOn((await fill(admin, `/admin/clients/${id}/secret`, {})).text)
    expect([await token(id, first), await token(id, second)]).toEqual(["invalid_client", "invalid_grant"])
  })

  it("have no secret when they are public", async () => {
    const admin = await enter()
    const answer = await fill(admin, "/admin/clients/new", { ...draft, name: "Phone", confidential: "false" })
    expect([answer.status, answer.location]).toEqual([303, "/admin/clients?done=CreateOAuthClient"])
    const list = await admin.get("/admin/clients")
    const id = /Phone[^]*?client_id <code>([^<]+)</.exec(list.text)?.[1] ?? ""
    const before = await state()
    expect((await admin.get(`/admin/clients/${id}/secret`)).status).toBe(404)
    const { csrf = "" } = hiddenFields(list.text)
    expect((await send(admin, `/admin/clients/${id}/secret`, { csrf })).status).toBe(404)
    expect(await state()).toBe(before)
  })

  it("are changed, except for what the form leaves as it was", async () => {
    const admin = await enter()
    const registered = await fill(admin, "/admin/clients/new", draft)
    const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(registered.text)?.[0] ?? ""
    const path = `/admin/clients/${id}/change`
    const stored = async () =>
      (await app.inDatabase(`select name, redirect_uris, scopes from clients where id = '${id}'`))[0]
    const before = await stored()
    const { text } = await admin.get(path)
    expect(text).toMatch(/value="invoices:read"\s+checked/)
    const shown = hiddenFields(text.slice(text.indexOf('<form class="card"')))
    const same = {
      ...shown,
      name: "Ledger",
      redirect_uris: shown["shown.redirect_uris"] ?? "",
      scopes: "invoices:read"
    }
    expect((await send(admin, path, { ...same, name: "Ledger 2" })).status).toBe(303)
    expect(await stored()).toEqual({ ...before, name: "Ledger 2" })
    const next = { scopes: ["invoices:read", "customers:read"], redirect_uris: "https://ledger.example/next" }
    expect((await send(admin, path, { ...same, ...next })).status).toBe(303)
    expect(await stored()).toEqual({ name: "Ledger 2", ...next, redirect_uris: [next.redirect_uris] })
    for (const wrong of [{ scopes: "*" }, { scopes: [] }, { redirect_uris: "javascript:alert(1)" }, { name: "" }]) {
      expect((await send(admin, path, { ...same, ...next, ...wrong })).status).toBe(422)
    }
    expect(await stored()).toEqual({ name: "Ledger 2", ...next, redirect_uris: [next.redirect_uris] })
  })

  it("may have as many characters in their redirect addresses as the form accepts", async () => {
    const admin = await enter()
    const { id } = await client(app)
    const path = `/admin/clients/${id}/change`
    const change = async (name: string, redirect_uris: string) => {
      const { text } = await admin.get(path)
      const shown = hiddenFields(text.slice(text.indexOf('<form class="card"')))
      expect((await send(admin, path, { ...shown, name, redirect_uris, scopes: "invoices:read" })).status).toBe(303)
    }
    const accepted = Number(/id="redirect_uris"[^>]*maxlength="(\d+)"/.exec((await admin.get(path)).text)?.[1])
    const address = (_: unknown, index: number) =>
      `https://ledger.example/${index + 10}/`.padEnd(accepted / 20 - 2, "x")
    const redirect_uris = Array.from({ length: 20 }, address)
    await change("Ledger", redirect_uris.join("\r\n"))
    await change("Ledger 2", redirect_uris.join("\r\n"))
    expect(await app.inDatabase(`select name, redirect_uris from clients where id = '${id}'`)).toEqual([
      { name: "Ledger 2", redirect_uris }
    ])
  })

  it.each<[Partial<typeof draft>, string]>([
    [{ name: "" }, "Name may not be empty."],
    [{ redirect_uris: "https://ok.example/cb javascript:alert(1)" }, "Redirect addresses must be an https"],
    [
      { redirect_uris: Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`).join("\n") },
      "Redirect addresses"
    ],
    [{ preset: "*" }, "The scopes field"],
    [{ things: ["nothing"] }, "The scopes field"]
  ])("are not registered with %j", async (wrong, sentence) => {
    const admin = await enter()
    const before = await state()
    const refused = await fill(admin, "/admin/clients/new", { ...draft, ...wrong })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(sentence)
    if (wrong.redirect_uris !== undefined) expect(refused.text).toContain(wrong.redirect_uris.split("\n")[0])
    else expect(refused.text).toContain("https://ledger.example/callback")
    expect(refused.text).not.toContain('id="secret"')
    expect(await state()).toBe(before)
  })
})
