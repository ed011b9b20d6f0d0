import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { useApp } from "../support/App.ts"
import { admin_token, opening, useAdministration } from "./Administration.ts"

const body_bytes = 100_000

const listing = JSON.stringify({ _tag: "Request", id: "1", tag: "ListOrganizations", payload: {}, headers: [] })

describe("the gate of POST /rpc/admin", () => {
  const { app, ask } = useAdministration()

  it("answers AdminDenied to a wrong or missing token for any procedure, and does nothing", async () => {
    const before = await ask((client) => client.ListOrganizations({}))
    for (const token of ["wrong", `${admin_token}x`, "x"]) {
      const refused = await ask(
        (client) => client.CreateOrganization(opening("mallory@example.com")).pipe(Effect.flip),
        token
      )
      assert.strictEqual(refused._tag, "AdminDenied")
    }
    const { status, text } = await app.call("POST", "/rpc/admin", { body: `${listing}\n` })
    assert.strictEqual(status, 200)
    assert.include(text, "admin_denied")
    assert.strictEqual((await ask((client) => client.ListOrganizations({}))).total, before.total)
  })

  it("does not reveal the cause of a defect: the client learns the id of its request", async () => {
    await app.inDatabase("alter table clients rename to hidden_clients")
    const call = {
      _tag: "Request",
      id: "1",
      tag: "CreateOAuthClient",
      payload: { name: "Shop", first_party: false, confidential: false, redirect_uris: [] },
      headers: []
    }
    const { text } = await app.call("POST", "/rpc/admin", {
      token: admin_token,
      headers: { "x-request-id": "request-of-this-test" },
      body: `${JSON.stringify(call)}\n`
    })
    await app.inDatabase("alter table hidden_clients rename to clients")
    assert.include(text, "server_error")
    assert.include(text, "request-of-this-test")
    assert.notMatch(text, /clients|sql|relation/i)
  })

  it("says that the database is out of reach, which passes by itself", async () => {
    await app.inDatabase(`create function away() returns trigger language plpgsql as
      $$ begin raise exception 'shutting down' using errcode = '57P01'; end $$`)
    await app.inDatabase("create trigger away before insert on clients execute function away()")
    const client = { name: "Shop", first_party: false, confidential: false, redirect_uris: [] }
    const refused = await ask((administration) => Effect.flip(administration.CreateOAuthClient(client)))
    await app.inDatabase("drop function away cascade")
    assert.match(refused.message, /^The server cannot reach its database now \(request /)
  })

  it.each(["", "{", "null", "[]", "7", '{"_tag":"Nothing"}', '{"_tag":"Ack","requestId":"1"}', '{"_tag":"Request"}'])(
    "answers what is no call at all: %s",
    async (body) => {
      const { status, text } = await app.call("POST", "/rpc/admin", { token: admin_token, body: `${body}\n` })
      assert.isBelow(status, 500)
      assert.notMatch(text, /\bat .*:\d+:\d+/)
      assert.strictEqual((await ask((client) => client.ListOrganizations({}))).total, 0)
    }
  )

  it("refuses a body that is too large", async () => {
    const { body, status } = await app.call("POST", "/rpc/admin", {
      token: admin_token,
      body: " ".repeat(body_bytes)
    })
    assert.deepStrictEqual([status, body.code], [413, "payload_too_large"])
  })
})

describe("POST /rpc/admin without ADMIN_TOKEN", () => {
  const app = useApp()

  it("is an unknown path", async () => {
    const [rpc, unknown] = await Promise.all(
      ["/rpc/admin", "/rpc/nothing"].map((path) => app.call("POST", path, { token: "x", body: {} }))
    )
    assert.strictEqual(rpc?.status, 404)
    assert.deepStrictEqual(rpc?.body, unknown?.body)
  })
})
