import { describe, expect, it } from "vitest"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { SqlClient } from "effect/sql"
import { AdministrationPages } from "../../../src/administration/panel/AdministrationPages.ts"
import { OrganizationBindingLive } from "../../../src/organizations/OrganizationBindingLive.ts"
import { browser, client, hiddenFields } from "../../identity/Visitor.ts"
import { fakeReader } from "../../expenses/receipts/FakeReader.ts"
import { usePanel } from "./Panel.ts"
import { world } from "./World.ts"

const panel = usePanel()
const { app, enter, fill, send, state } = panel

const csrfOf = async (visitor: Awaited<ReturnType<typeof enter>>, path: string) =>
  hiddenFields((await visitor.get(path)).text)["csrf"] ?? ""

const panelRoutes = Effect.gen(function* () {
  const router = yield* HttpRouter.make
  const routes: Array<readonly [method: string, path: string]> = []
  const add: typeof router.add = (method, path, handler, options) => {
    if (path.startsWith("/admin")) routes.push([method, path])
    return router.add(method, path, handler, options)
  }
  yield* Effect.scoped(
    Layer.build(
      Layer.provide(AdministrationPages, [
        Layer.succeed(HttpRouter.HttpRouter, { ...router, add }),
        OrganizationBindingLive,
        fakeReader().layer
      ])
    )
  )
  return routes
})

describe("the panel", () => {
  it("is tested below at each of its addresses", async () => {
    const { forms, pages } = await world(panel, "All")
    const routes = await app.run(panelRoutes)
    expect(routes.length).toBeGreaterThan(60)
    const unmatched = routes.filter(([method, path]) => {
      const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`)
      const tried = method === "POST" ? forms.map(([form]) => form) : [...pages, ...forms.map(([form]) => form)]
      return !tried.some((address) => pattern.test(address))
    })
    expect(unmatched).toEqual([])
  })

  it("redirects a browser without a session to the login, which leads back", async () => {
    const { forms, pages } = await world(panel, "Login")
    const { user } = await enter()
    const before = await state()
    for (const path of pages) {
      const answer = await browser(app).get(`${path}?page=2`)
      expect([answer.status, answer.location]).toEqual([303, `/login?to=${encodeURIComponent(`${path}?page=2`)}`])
    }
    for (const [path, fields] of forms) {
      for (const visitor of [browser(app), { ...browser(app), jar: new Map([["session", `ses_${"a".repeat(43)}`]]) }]) {
        const answer = await send(visitor, path, { ...fields, csrf: "x" })
        expect([answer.status, answer.location]).toEqual([303, `/login?to=${encodeURIComponent(path)}`])
      }
      const visitor = browser(app)
      const back = (await visitor.logIn(user.email, `/login?to=${encodeURIComponent(path)}`)).location
      expect(back).toBe(path)
    }
    expect(await state()).toBe(before)
  }, 120_000)

  it("is linked from the account page of a superadmin, and of nobody else", async () => {
    const pages = await Promise.all([true, false].map(async (superadmin) => (await enter(superadmin)).get("/account")))
    expect(pages.map(({ text }) => text.includes('<a href="/admin">Administration</a>'))).toEqual([true, false])
  })

  it("does not exist for any other user who is logged in: the answer is that of an unknown path", async () => {
    const { forms, pages } = await world(panel, "Others")
    const other = await enter(false)
    const csrf = await csrfOf(other, "/account")
    const before = await state()
    const unknown = await other.get("/administrator")
    const bytes = ({ headers, status, text }: typeof unknown) => [status, headers.get("content-type"), text]
    expect(unknown.status).toBe(404)
    for (const path of [...pages, ...forms.map(([path]) => path)]) {
      expect(bytes(await other.get(path))).toEqual(bytes(unknown))
    }
    for (const [path, fields] of forms) {
      expect(bytes(await send(other, path, { ...fields, csrf }))).toEqual(bytes(unknown))
    }
    expect(await state()).toBe(before)
  })

  it("is closed to a superadmin from the next request when the right is taken away, or the session ends", async () => {
    const admin = await enter()
    const csrf = await csrfOf(admin, "/admin/organizations/new")
    const { id } = await app.organization({ name: "Ending" })
    const path = `/admin/organizations/${id}/plan`
    const set = (superadmin: boolean) =>
      app.run(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`update users set superadmin = ${superadmin} where id = ${admin.user.id}`
        )
      )
    await set(false)
    expect((await send(admin, path, { csrf, plan: "pro" })).status).toBe(404)
    await set(true)
    await app.run(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`update sessions set expires_at = now() where user_id = ${admin.user.id}`
      )
    )
    const before = await state()
    const late = await send(admin, path, { csrf, plan: "pro" })
    expect([late.status, late.location]).toEqual([303, `/login?to=${encodeURIComponent(path)}`])
    expect(await state()).toBe(before)
  })

  it("refuses every form that it did not show to this session", async () => {
    const { forms } = await world(panel, "Forged")
    const admin = await enter()
    const csrf = await csrfOf(admin, "/admin/organizations/new")
    const foreign = await csrfOf(await enter(), "/admin/organizations/new")
    const before = await state()
    for (const [path, fields] of forms) {
      const refused = [
        await send(admin, path, fields),
        await send(admin, path, { ...fields, csrf: "" }),
        await send(admin, path, { ...fields, csrf: foreign }),
        await send(admin, path, { ...fields, csrf }, { origin: "https://evil.example" }),
        await send(admin, path, { ...fields, csrf }, { origin: "null" })
      ]
      for (const { status, text } of refused) {
        expect([path, status]).toEqual([path, 403])
        expect(text).toMatch(/role="alert">\s*This form is no longer valid/)
        expect(hiddenFields(text)["csrf"]).toMatch(/^page_[\w-]{43}\.[\w-]{43}$/)
      }
    }
    expect(await state()).toBe(before)
    // A form that is larger than the service accepts is not even read.
    expect((await send(admin, "/admin/organizations/new", { csrf, name: "x".repeat(66_000) })).status).toBe(413)
    expect(await state()).toBe(before)
  })

  it("carries out every valid form", async () => {
    const { forms } = await world(panel, "Taken")
    const admin = await enter()
    // A retried job cannot be discarded, and a revoked token no longer exists, so each form gets new data.
    for (const [index] of forms.entries()) {
      const own = await world(panel, `Taken ${index}`)
      const [path, fields] = own.forms[index] ?? ["", {}]
      const owner = "owner_email" in fields ? { owner_email: `owner${index}@example.com` } : {}
      const answer = await fill(admin, path, { ...fields, ...owner })
      const isSecret = /tokens\/new$|\/secret$|\/password-link$/.test(path)
      expect([path, answer.status]).toEqual([path, isSecret ? 200 : 303])
      if (!isSecret) expect((await admin.get(answer.location)).text).toMatch(/class="notice good" role="status"/)
    }
  }, 120_000)

  it("answers a second click like the first one, although the first one removed the record", async () => {
    const admin = await enter()
    const { id } = await client(app)
    const path = `/admin/clients/${id}/remove`
    const fields = { csrf: await csrfOf(admin, path) }
    const answers = [await send(admin, path, fields), await send(admin, path, fields)]
    const done = "/admin/clients?done=RemoveOAuthClient"
    expect(answers.map(({ location, status }) => [status, location])).toEqual([
      [303, done],
      [303, done]
    ])
  })

  it("answers 404 where an address names nothing", async () => {
    const admin = await enter()
    const { id } = await app.organization({ name: "Found" })
    const nothing = [
      "/admin/organizations/999999",
      "/admin/organizations/1e0",
      "/admin/organizations/2147483648/plan",
      `/admin/organizations/${id}/members/999999/role`,
      `/admin/organizations/${id}/tokens/999999/revoke`,
      `/admin/organizations/${id}/tax-rates/999999`,
      "/admin/clients/018f0000-0000-4000-8000-000000000000/secret",
      "/admin/clients/x/secret",
      "/admin/clients/x/change",
      "/admin/jobs/999999/retry",
      "/admin/mail/..%2F..%2Fsecret.key",
      "/admin/mail/20260101T000000000Z-000000000000.eml"
    ]
    for (const path of nothing) {
      const answer = await admin.get(path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.text).toContain("<h1>Not found</h1>")
    }
    expect((await admin.get("/admin/nothing")).status).toBe(404)
  })
})
