import { beforeAll, describe, expect, it } from "vitest"
import { type Call, useApp } from "../support/App.ts"
import type { SeededOrganization } from "../support/Seed.ts"
import { inLine } from "./Contention.ts"

const app = useApp()
let ours: SeededOrganization

beforeAll(async () => {
  ours = await app.organization()
})

const call = (method: string, path: string, body?: unknown, options: Call = {}) =>
  app.call(method, path, { token: ours.owner.token, organization: ours.id, body, ...options })

const create = async () => (await call("POST", "/api/v1/customers", { name: "Beta" })).body.data

const get = async (id: number) => (await call("GET", `/api/v1/customers/${id}`)).body.data

describe("the texts of a customer", () => {
  it("have as many characters as JSON Schema counts: an emoji is one", async () => {
    const { id } = await create()
    const longest = {
      name: "😀".repeat(255),
      external_id: "🧾".repeat(200),
      metadata: { ["🔑".repeat(40)]: "🙂".repeat(500) }
    }
    expect((await call("PUT", `/api/v1/customers/${id}`, longest)).status).toBe(200)
    expect(await get(id)).toMatchObject(longest)
    const { body, status } = await call("PUT", `/api/v1/customers/${id}`, { name: "😀".repeat(256) })
    expect([status, body.message]).toEqual([422, "The name field may not be longer than 255 characters."])
  })
})

describe("concurrent changes of one customer", () => {
  it("succeed once for the same version", async () => {
    const { id } = await create()
    const put = (name: string) => () =>
      call("PUT", `/api/v1/customers/${id}`, { name }, { headers: { "if-match": '"v1"' } })
    const answers = await inLine(app, id, [put("A"), put("B"), put("C")])
    expect(answers.map(({ status }) => status)).toEqual([200, 412, 412])
    expect(await get(id)).toMatchObject({ name: "A", version: 2 })
  })

  it("are both kept when they concern different fields", async () => {
    const { id } = await create()
    const put = (changes: object) => () => call("PUT", `/api/v1/customers/${id}`, changes)
    const answers = await inLine(app, id, [put({ city: "Gent" }), put({ phone: "112" })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await get(id)).toMatchObject({ city: "Gent", phone: "112", version: 3 })
  })

  it("are answered with a contact that was created while they waited", async () => {
    const { id } = await create()
    const answers = await inLine(app, id, [
      () => call("POST", "/api/v1/contacts", { customer_id: id, name: "Els" }),
      () => call("PUT", `/api/v1/customers/${id}`, { name: "Changed" })
    ])
    // PostgreSQL does not guarantee which request gets the lock first; the contact makes a version, too.
    const [, changed] = answers.map(({ body }) => body.data)
    expect(changed.contacts).toHaveLength(changed.version - 2)
  })
})
