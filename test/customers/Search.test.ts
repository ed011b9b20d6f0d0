import { beforeAll, describe, expect, it } from "vitest"
import { searchPattern, searchText } from "../../src/kernel/SearchText.ts"
import { useApp } from "../support/App.ts"
import type { SeededOrganization } from "../support/database/Seed.ts"

const app = useApp()
let ours: SeededOrganization

const customers = [
  { name: "Café Ångström", email: "info@cafe.example", tax_number: "BE0202239951" },
  { name: "Großhandel Øster & Łukasz", email: "OST@GROSS.example" },
  { name: "100% Papier_Groep\\Zuid" },
  { name: "ＡＢＣ ﬁnance" },
  { name: "Œuvres d'Æsir" },
  { name: "Αθήνα Τράπεζα" },
  { name: "Ещё Йод" },
  { name: "Κώστας" }
]

beforeAll(async () => {
  ours = await app.organization()
  const theirs = await app.organization({ name: "Other" })
  for (const body of customers) {
    const { body: answer } = await post(ours, "customers", body)
    await post(ours, "contacts", { customer_id: answer.data.id, name: `Contact ${body.name}`, email: body.email })
  }
  await post(theirs, "customers", { name: "Café of others" })
})

const post = (seed: SeededOrganization, path: string, body: unknown) =>
  app.call("POST", `/api/v1/${path}`, { token: seed.owner.token, organization: seed.id, body })

const search = async (path: string, query: string) => {
  const options = { token: ours.owner.token, organization: ours.id }
  const { body, status } = await app.call("GET", `/api/v1/${path}?search=${encodeURIComponent(query)}`, options)
  expect(status).toBe(200)
  expect(body.meta.total).toBe(body.data.length)
  return body.data.map(({ name }: { name: string }) => name)
}

const found: ReadonlyArray<readonly [string, number]> = [
  ["cafe angstrom", 0],
  ["CAFÉ", 0],
  ["Cafe\u0301", 0],
  ["ångström", 0],
  ["grosshandel", 1],
  ["GROßHANDEL", 1],
  ["oster & lukasz", 1],
  ["Łukasz", 1],
  ["  øster   &  ", 1],
  ["100%", 2],
  ["papier_g", 2],
  ["p\\zuid", 2],
  ["abc finance", 3],
  ["oeuvres d'aesir", 4],
  ["αθηνα", 5],
  ["еще йод", 6],
  ["ΚΩΣ", 7],
  ["ΚΩΣΤΑΣ", 7]
]

describe("GET /api/v1/customers?search=", () => {
  it.each(found)("finds %j ignoring case, accents and spacing", async (query, index) => {
    expect(await search("customers", query)).toEqual([customers[index]?.name])
  })

  it.each([
    ["ost@gross", 1],
    ["info@CAFE.example", 0],
    ["be0202239951", 0],
    ["0223995", 0]
  ] as const)("finds %j in the address and the tax number", async (query, index) => {
    expect(await search("customers", query)).toEqual([customers[index]?.name])
  })

  it.each(["%", "_", "\\", "1__%", "caf%strom", "angstrom info"])("matches %j literally", async (query) => {
    const names = customers.map(({ name }) => name).filter((name) => name.includes(query))
    expect(await search("customers", query)).toEqual(names)
  })

  it("finds a changed name, and no longer the old one", async () => {
    const { body } = await post(ours, "customers", { name: "Vorher" })
    const options = { token: ours.owner.token, organization: ours.id, body: { name: "Nachher" } }
    await app.call("PUT", `/api/v1/customers/${body.data.id}`, options)
    expect(await search("customers", "vorher")).toEqual([])
    expect(await search("customers", "nachher")).toEqual(["Nachher"])
  })

  it("lists everything, newest first, for a blank search", async () => {
    expect((await search("customers", "  ")).slice(-2)).toEqual([customers[1]?.name, customers[0]?.name])
  })

  it("answers 422 for a search with control characters or more than 255 characters", async () => {
    for (const query of ["%00", "x".repeat(256)]) {
      const options = { token: ours.owner.token, organization: ours.id }
      const { body, status } = await app.call("GET", `/api/v1/customers?search=${query}`, options)
      expect(status).toBe(422)
      expect(Object.keys(body.errors)).toEqual(["search"])
    }
  })
})

describe("GET /api/v1/contacts?search=", () => {
  it.each(found)("finds %j ignoring case, accents and spacing", async (query, index) => {
    expect(await search("contacts", query)).toEqual([`Contact ${customers[index]?.name}`])
  })
})

describe("searchText", () => {
  it("keeps vowels that a script writes as marks", () => {
    expect(searchText(["की"])).not.toBe(searchText(["का"]))
  })

  it("is idempotent", () => {
    const text = searchText(customers.map(({ name }) => name))
    expect(searchText(text.split("\n"))).toBe(text)
  })

  it("searches nothing when the query is blank or only accents", () => {
    expect([undefined, "", " \n ", "\u0301"].map(searchPattern)).toEqual([undefined, undefined, undefined, undefined])
  })
})
