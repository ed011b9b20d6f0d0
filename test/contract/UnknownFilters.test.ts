import { beforeAll, describe, expect, it } from "vitest"
import { useApp } from "../support/App.ts"
import { operations } from "./OpenApi.ts"

const app = useApp()
let own: Awaited<ReturnType<typeof app.organization>>
beforeAll(async () => {
  own = await app.organization()
})

/** Every list of the document; lists are answered page by page. */
const lists = operations.flatMap(({ method, operationId, parameters, path }) => {
  const names = parameters.flatMap((parameter) => (parameter.in === "query" ? [parameter.name] : []))
  return method === "GET" && names.includes("per_page") ? [{ operationId, path, names }] : []
})

const ask = (path: string, query: string) => {
  const found = path.replace("organizations/{id}", `organizations/${own.id}`).replaceAll(/\{\w+\}/g, "1")
  return app.call("GET", `${found}?${query}`, { token: own.owner.token, organization: own.id })
}

it("covers the lists of the contract", () => {
  expect(lists.map(({ operationId }) => operationId).toSorted()).toEqual([
    "archive.documents",
    "attachments.list",
    "bankAccounts.imports",
    "bankAccounts.list",
    "bankTransactions.list",
    "contacts.list",
    "creditNotes.list",
    "customerDocuments.invoices",
    "customerDocuments.quotes",
    "customers.list",
    "einvoices.list",
    "events.list",
    "expenses.list",
    "invoices.list",
    "members.list",
    "operations.list",
    "organizations.list",
    "payments.list",
    "quotes.list",
    "receivedDocuments.list",
    "taxRates.list",
    "webhooks.list",
    "webhooks.logs"
  ])
})

describe.each(lists)("$operationId", ({ names, path }) => {
  it("answers 422 unknown_filter for a parameter that it does not have, and names the ones it has", async () => {
    for (const name of ["colour", "status[]", "Per_page", "__proto__", ""]) {
      const { body, status } = await ask(path, `${names[0]}=1&${encodeURIComponent(name)}=x`)
      expect([name, status, body.code]).toEqual([name, 422, "unknown_filter"])
      expect(body.details.unknown).toEqual([name])
      expect(body.details.filters.toSorted()).toEqual(names.toSorted())
      expect(body.message).toContain(`no filter ${name}`)
    }
  })

  it("accepts each of its own parameters", async () => {
    for (const name of names) {
      const { body } = await ask(path, `${encodeURIComponent(name)}=1`)
      expect([name, body.code]).not.toEqual([name, "unknown_filter"])
    }
  })
})

it("ignores unknown parameters of other endpoints", async () => {
  expect((await ask("/api/v1/organizations/{id}", "colour=red")).status).toBe(200)
  expect((await ask("/api/v1/reports/dashboard", "colour=red")).status).toBe(200)
})

it("refuses unknown parameters of a list that has no pages, and ignores those of pages", async () => {
  const { body, status } = await ask("/api/v1/bank-rules", "colour=x&page=1&per_page=5")
  expect([status, body.code, body.details.unknown]).toEqual([422, "unknown_filter", ["colour"]])
  expect((await ask("/api/v1/bank-rules", "page=1&per_page=5")).status).toBe(200)
})
