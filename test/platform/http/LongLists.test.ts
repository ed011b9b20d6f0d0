import { beforeAll, expect, it } from "vitest"
import { useApp } from "../../support/App.ts"
import type { SeededOrganization } from "../../support/Seed.ts"

const app = useApp()
let ours: SeededOrganization

beforeAll(async () => {
  ours = await app.organization()
})

const post = (path: string, body: object) =>
  app.call("POST", `/api/v1/${path}`, { token: ours.owner.token, organization: ours.id, body })

const entries = (entry: unknown) => Array.from({ length: 6_000 }, () => entry)

it.each([
  ["invoices", "items", 500],
  ["quotes", "items", 500],
  ["expenses", "tax_rates", 20],
  ["bank-rules", "conditions", 20],
  ["bank-transactions/1/match", "allocations", 50],
  ["invoices/1/send", "recipients", 50]
])("%s refuses a list that is too long for its length alone, whatever its entries", async (path, name, max) => {
  for (const entry of [{}, 1, "a", null, []]) {
    const { body, status } = await post(path, { [name]: entries(entry) })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).filter((key) => key.startsWith(name))).toEqual([name])
    expect(body.errors[name]).toEqual([`The ${name} field may not have more than ${max} entries.`])
  }
})

it("a list as long as it may be is refused for its entries", async () => {
  const { body } = await post("quotes", { items: Array.from({ length: 500 }, () => ({})) })
  expect(body.errors["items.0.description"]).toEqual(["The items.0.description field is required."])
  expect(body.errors.items).toBeUndefined()
})

it("a text that is too long is not checked further", async () => {
  const { body } = await post("customers", { name: "\u0000".repeat(300) })
  expect(body.errors).toEqual({ name: ["The name field may not be longer than 255 characters."] })
})
