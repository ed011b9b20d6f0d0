import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../../../support/App.ts"
import { seedMember, type SeededOrganization, seedOrganizationToken } from "../../../support/database/Seed.ts"

const app = useApp()
let ours: SeededOrganization
let theirs: SeededOrganization

beforeAll(async () => {
  ours = await app.organization()
  theirs = await app.organization({ name: "Theirs" })
})

const call = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
  app.call(method, path, { token: ours.owner.token, organization: ours.id, headers, body })

const limitOf = async (path: string) => (await fetch(`${app.url}${path}`)).headers.get("x-ratelimit-limit")

describe("every answer", () => {
  it("echoes the request's id, or has one of its own if none or an unsafe one was sent", async () => {
    const given = await call("GET", "/api/v1/invoices", { "x-request-id": "trace-1:2.3_A" })
    expect(given.headers.get("x-request-id")).toBe("trace-1:2.3_A")
    for (const unsafe of ["", "two words", "x".repeat(129), "<b>"]) {
      const { headers } = await call("GET", "/api/v1/invoices", { "x-request-id": unsafe })
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    }
  })

  it("carries the rate headers, nosniff and, to a known caller, no-store, whatever its status", async () => {
    const answers = [
      await call("GET", "/api/v1/invoices"),
      await call("GET", "/api/v1/nothing"),
      await call("GET", "/api/v1/invoices/999"),
      await call("POST", "/api/v1/invoices", {}, {}),
      await call("PATCH", "/api/v1/invoices", {}, {}),
      await call("POST", "/api/v1/invoices", {}, "{"),
      await call("POST", "/api/v1/invoices", { "content-type": "text/plain" }, "{}")
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 422, 405, 400, 415])
    for (const { headers } of answers) {
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8")
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      expect(headers.get("cache-control")).toBe("no-store")
      expect(Number(headers.get("x-ratelimit-limit"))).toBe(1_000_000)
      expect(Number(headers.get("x-ratelimit-remaining"))).toBeLessThan(1_000_000)
      expect(headers.get("x-request-id")).not.toBeNull()
      expect(headers.get("server")).toBeNull()
      expect(headers.get("x-powered-by")).toBeNull()
    }
  })

  it("carries the rate headers with the reference, too, and not with what has no rate limit", async () => {
    const paths = ["/openapi.json", "/docs", "/health/live", "/health/ready", "/metrics"]
    const limits = Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await limitOf(path)])))
    expect(limits).toEqual({
      "/openapi.json": "1000000",
      "/docs": "1000000",
      "/health/live": null,
      "/health/ready": null,
      "/metrics": null
    })
    expect(await limitOf("/.well-known/oauth-authorization-server")).toBeNull()
  })

  it("is JSON 404 for a route that does not exist, in every spelling", async () => {
    for (const path of ["/api", "/api/v2/invoices", "/api/v1/invoices/1/nothing", "/api/v1/invoices//1"]) {
      const { body, status } = await call("GET", path)
      expect([path, status, body]).toEqual([path, 404, { success: false, message: "Not found.", code: "not_found" }])
    }
    for (const path of ["/api/v1/invoices/%", "/api/v1/invoices/%zz", "/api/v1/invoices/%00", "/%ff"]) {
      expect([path, (await call("GET", path)).status]).toEqual([path, 404])
    }
  })

  it("is 404 for an id of any length, and 401 to a caller without a token", async () => {
    for (const id of ["9".repeat(100), "9".repeat(101), "x".repeat(4000)]) {
      for (const path of [`/api/v1/invoices/${id}`, `/api/v1/invoices/${id}/pdf`, `/api/v1/expenses/ocr/${id}`]) {
        const { body, status } = await call("GET", path)
        expect([id.length, path.slice(0, 30), status, body.code]).toEqual([
          id.length,
          path.slice(0, 30),
          404,
          "not_found"
        ])
      }
      expect((await app.call("GET", `/api/v1/invoices/${id}`, {})).status).toBe(401)
    }
  })

  it("is 404 for a path with a semicolon, which is not the path before it, and nothing changes", async () => {
    const { id } = (await call("POST", "/api/v1/customers", {}, { name: "Beta" })).body.data
    const before = (await call("GET", "/api/v1/customers")).body
    for (const [method, path] of [
      ["GET", `/api/v1/customers/${id};a=b/invoices`],
      ["GET", `/api/v1/organizations/${theirs.id};/users`],
      ["DELETE", `/api/v1/customers/${id};`],
      ["PUT", `/api/v1/customers/${id};v=1`],
      ["POST", "/api/v1/customers;a?b=c"],
      ["GET", "/health/live;"]
    ] as const) {
      const body = method === "PUT" || method === "POST" ? { name: "Gamma" } : undefined
      const answer = await call(method, path, {}, body)
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, "not_found"])
    }
    expect((await call("GET", "/api/v1/customers")).body).toEqual(before)
    expect((await call("GET", "/api/v1/customers?search=Be;ta")).status).toBe(200)
  })

  it("to another method of a known route is 405 with the allowed methods", async () => {
    const rows = [
      ["PATCH", "/api/v1/invoices", "GET, HEAD, POST"],
      ["DELETE", "/api/v1/invoices?status=paid", "GET, HEAD, POST"],
      ["PATCH", "/api/v1/invoices/1", "GET, HEAD, PUT, DELETE"],
      ["GET", "/api/v1/invoices/1/mark-sent", "POST"],
      ["PUT", "/api/v1/payments/1/refund", "POST"],
      ["PATCH", "/api/v1/webhooks/events", "GET, HEAD, PUT, DELETE"]
    ] as const
    for (const [method, path, allow] of rows) {
      const { body, headers, status } = await call(method, path)
      expect([path, status, body.code, headers.get("allow")]).toEqual([path, 405, "method_not_allowed", allow])
    }
    const overridden = await call("POST", "/api/v1/invoices/1", { "x-http-method-override": "DELETE" })
    expect(overridden.status).toBe(405)
  })

  it("is 503 while the disk of the database is full, and nothing is kept", async () => {
    await app.inDatabase(`create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`)
    await app.inDatabase("create trigger full_disk before insert on customers execute function full_disk()")
    const { body, headers, status } = await call("POST", "/api/v1/customers", {}, { name: "Never kept" })
    await app.inDatabase("drop function full_disk cascade")
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "unavailable", "2"])
    expect((await call("GET", "/api/v1/customers?search=Never")).body.data).toEqual([])
  })

  it("to HEAD has the headers of GET and no body", async () => {
    const get = await call("GET", "/api/v1/invoices")
    const head = await call("HEAD", "/api/v1/invoices")
    expect([head.status, head.text]).toEqual([200, ""])
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"))
    expect((await call("HEAD", "/api/v1/invoices/999")).status).toBe(404)
  })
})

const asked = (headers: Record<string, string>) => app.call("GET", "/api/v1/invoices", { headers })

describe("the caller and the organization", () => {
  it("is the same 401 for every invalid token", async () => {
    const { token } = ours.owner
    const first = await asked({ "x-organization-id": String(ours.id) })
    expect([first.status, first.body]).toEqual([
      401,
      { success: false, message: "Unauthenticated.", code: "unauthenticated" }
    ])
    for (const authorization of [
      "Bearer",
      `Basic ${token}`,
      `Bearer ${token}x`,
      `Bearer ${token} x`,
      token,
      "Bearer '--"
    ]) {
      const { status, text } = await asked({ authorization, "x-organization-id": String(ours.id) })
      expect([authorization, status, text]).toEqual([authorization, 401, first.text])
    }
    expect((await asked({ authorization: `bearer ${token}`, "x-organization-id": String(ours.id) })).status).toBe(200)
  })

  it("is 400 when the header names no organization, and one 403 for an unknown or foreign one", async () => {
    const authorization = `Bearer ${ours.owner.token}`
    for (const id of [undefined, "abc", "0", "-1", "1.0", "1e0", " ", "1,2", "9007199254740993"]) {
      const { body, status } = await asked({ authorization, ...(id === undefined ? {} : { "x-organization-id": id }) })
      expect([id, status, body.code]).toEqual([id, 400, "organization_required"])
    }
    const unknown = await asked({ authorization, "x-organization-id": "999999" })
    const foreign = await asked({ authorization, "x-organization-id": String(theirs.id) })
    expect([unknown.status, unknown.body.code, foreign.text]).toEqual([403, "organization_forbidden", unknown.text])
  })

  it("is 404 for a foreign organization in the path, however the path is written", async () => {
    const { id } = theirs
    const missing = await call("GET", "/api/v1/organizations/999999")
    expect(missing.status).toBe(404)
    const paths = [
      `/api/v1/organizations/${id}`,
      `/api/v1/organizations/${id}/`,
      `/API/v1/Organizations/${id}`,
      `/api/v1/%6Frganizations/${id}`,
      `/%61pi/v1/organizations/${id}?x=1`,
      `/api/v1//organizations/${id}`,
      `//api/v1/organizations///${id}`,
      `/api/v1/organizations/%3${id}`,
      `/api/v1/organizations/${id};x`
    ]
    for (const path of paths.flatMap((path) => [path, path.replace(/\/?(\?.*)?$/, "/users"), `${path}/statistics`])) {
      for (const method of ["GET", "PUT"]) {
        const { status, text } = await call(method, path, {}, method === "PUT" ? { name: "Taken" } : undefined)
        expect([method, path, [404, 405].includes(status)]).toEqual([method, path, true])
        expect(text).not.toContain("Theirs")
      }
    }
    const own = await app.call("GET", `/api/v1/organizations/${id}`, { token: theirs.owner.token })
    expect([own.status, own.body.data.name]).toEqual([200, "Theirs"])
    const spelled = await app.call("GET", `/api/v1/%6Frganizations/${id}`, {
      token: theirs.owner.token,
      organization: ours.id
    })
    expect([spelled.status, spelled.body.data.name]).toEqual([200, "Theirs"])
  })

  it("may be omitted with an organization's own token, and must not be another one", async () => {
    const authorization = `Bearer ${await app.run(seedOrganizationToken(ours.id))}`
    expect((await asked({ authorization })).status).toBe(200)
    expect((await asked({ authorization, "x-organization-id": String(ours.id) })).status).toBe(200)
    expect((await asked({ authorization, "x-organization-id": String(theirs.id) })).status).toBe(403)
  })

  it("is 403 with the missing scope", async () => {
    const { token } = await app.run(seedMember(ours.id, "owner", ["invoices:read"]))
    const { body, headers, status } = await app.call("POST", "/api/v1/invoices", {
      token,
      organization: ours.id,
      body: {}
    })
    expect([status, body.code, body.required_scope]).toEqual([403, "missing_scope", "invoices:write"])
    expect(headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope"')
  })
})

describe("a browser of another origin", () => {
  const origin = "https://app.example.com"

  it("may send a preflight without a token, and learns what it may send and read", async () => {
    const { headers, status } = await app.call("OPTIONS", "/api/v1/invoices", {
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,idempotency-key,x-organization-id"
      }
    })
    expect(status).toBe(204)
    expect(headers.get("access-control-allow-origin")).toBe("*")
    expect(headers.get("access-control-allow-methods")).toContain("DELETE")
    expect(headers.get("access-control-allow-headers")).toContain("idempotency-key")
    expect(headers.get("access-control-allow-credentials")).toBeNull()
    expect(headers.get("x-request-id")).toMatch(/^[\w-]{36}$/)
  })

  it("may read the rate, the version and the request id, also of a refusal", async () => {
    for (const path of ["/api/v1/invoices", "/api/v1/nothing"]) {
      const { headers } = await call("GET", path, { origin })
      expect(headers.get("access-control-allow-origin")).toBe("*")
      const exposed = headers.get("access-control-expose-headers") ?? ""
      const readable = ["x-ratelimit-remaining", "x-ratelimit-reset", "retry-after", "etag", "x-request-id"]
      for (const name of [...readable, "location", "content-disposition", "preference-applied"]) {
        expect(exposed).toContain(name)
      }
    }
  })
})

describe("a person's browser", () => {
  const accept = "text/html,application/xhtml+xml"
  const shown = async (method: string, path: string) => {
    const { headers, status, text } = await app.call(method, path, { headers: { accept } })
    return { status, type: headers.get("content-type"), text }
  }

  it("shows a page instead of an error in JSON, also after a form was sent", async () => {
    for (const method of ["GET", "POST"]) {
      const page = await shown(method, "/nothing")
      expect([page.status, page.type]).toEqual([404, "text/html; charset=utf-8"])
      expect(page.text).toContain("There is no page at this address.")
    }
    expect((await shown("POST", "/api/v1/nothing")).type).toContain("application/json")
  })

  it("shows customers neither the name of this service, which they do not know, nor a link to it", async () => {
    expect((await shown("GET", "/nothing")).text).toMatch(/<body[^]*Invoicing/)
    expect((await shown("GET", "/d/doc_x/nothing")).text).not.toMatch(/<body[^]*Invoicing/)
  })
})
