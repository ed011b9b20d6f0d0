import { Validator } from "@seriousme/openapi-schema-validator"
import { describe, expect, it, beforeAll } from "vitest"
import { openApiText } from "../../../scripts/openapi.ts"
import { useApp } from "../../support/App.ts"
import { endpoints } from "../Endpoints.ts"
import { declaredAs, document, documentText, operations } from "./OpenApi.ts"
import { undescribed } from "./Undescribed.ts"

const app = useApp()

const named = (path: string) => path.replaceAll(/:(\w+)/g, "{$1}")

const refusals = (path: string, method: string, status: string) => {
  const response = document.paths[path]?.[method]?.responses[status]
  const shared = document.components.responses[response?.$ref?.split("/").at(-1) ?? ""]
  return JSON.stringify((shared ?? response)?.content ?? {})
}

describe("openapi.json", () => {
  it("equals the contract; after an intended change run npm run contract", () => {
    expect(openApiText() === documentText).toBe(true)
  })

  it("equals the answer of GET /openapi.json, which needs no token", async () => {
    const answer = await app.call("GET", "/openapi.json")
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(document)
  })

  it("is a valid OpenAPI 3.1 document", async () => {
    const validator = new Validator()
    expect(await validator.validate(JSON.parse(documentText))).toEqual({ valid: true })
    expect(validator.version).toBe("3.1")
  })

  it("has each endpoint of the contract once", () => {
    const routes = operations.map(({ method, operationId, path }) => `${operationId} ${method} ${path}`)
    const built = endpoints.map(({ method, name, path }) => `${name} ${method} ${named(path)}`)
    expect(routes.toSorted()).toEqual(built.toSorted())
  })
})

describe("the document", () => {
  it.each([
    ["/api/v1/invoices/{id}/attachments", [["file"], ["attachment"]]],
    ["/api/v1/expenses/upload-receipt", [["receipt"], ["file"]]]
  ])("asks %s for one file, under either name", (path, required) => {
    expect(document.paths[path]?.["post"]?.requestBody?.content).toMatchObject({
      "multipart/form-data": { schema: { anyOf: required.map((names) => ({ required: names })) } }
    })
  })

  it("shows the flags of a form as booleans", () => {
    const form = document.paths["/api/v1/bank-accounts/{id}/import-statement"]?.["post"]?.requestBody?.content
    const flag = { type: "boolean" }
    const properties = { strict: flag, dry_run: flag, accept_unbalanced: flag, accept_overlap: flag }
    expect(form).toMatchObject({ "multipart/form-data": { schema: { anyOf: [{ properties }, { properties }] } } })
  })

  it("lists no refusal of a body or of filters where there are none", () => {
    expect(refusals("/api/v1/customers", "post", "400")).toContain("MalformedJson")
    expect(refusals("/api/v1/customers", "post", "422")).not.toContain("UnknownFilter")
    expect(refusals("/api/v1/customers", "get", "422")).toContain("UnknownFilter")
    expect(refusals("/api/v1/bank-rules", "get", "422")).toContain("UnknownFilter")
    expect(document.paths["/api/v1/customers/{id}"]?.["get"]?.responses).not.toHaveProperty("422")
    const bodiless = operations.filter(({ requestBody }) => requestBody === undefined)
    for (const { method, path } of bodiless) {
      expect(refusals(path, method.toLowerCase(), "400")).not.toContain("MalformedJson")
    }
  })

  it("has no impossible answer, and no text instead of null", () => {
    expect(documentText).not.toMatch(/"enum": \[\s*"null"/)
    for (const path of ["/api/v1/templates", "/api/v1/templates/{templateId}/create-invoice"]) {
      const statuses = Object.keys(document.paths[path]?.["post"]?.responses ?? {})
      expect(statuses.filter((status) => status.startsWith("2"))).toEqual([])
      expect(statuses).toContain("501")
    }
  })
})

/** Returns the lists within a schema that have no maximum length. */
const endless = (schema: unknown, place: string): ReadonlyArray<string> => {
  if (typeof schema !== "object" || schema === null) return []
  if ("$ref" in schema) return endless(document.components.schemas[String(schema.$ref).split("/").at(-1) ?? ""], place)
  const within = Object.entries(schema).flatMap(([key, part]) => endless(part, `${place}.${key}`))
  return "type" in schema && [schema.type].flat().includes("array") && !("maxItems" in schema)
    ? [place, ...within]
    : within
}

it("a list in a JSON body has a maximum length", () => {
  const places = operations.flatMap(({ operationId, requestBody }) => endless(requestBody?.content, operationId))
  expect(places).toEqual([])
})

describe("the text of the document", () => {
  it("names every operation, tag, scope and header", () => {
    const { headers, operations, scopes, summaries, tags } = undescribed
    expect({ headers, operations, scopes, summaries, tags }).toEqual({
      headers: [],
      operations: [],
      scopes: [],
      summaries: [],
      tags: []
    })
  })

  it("gives every component a unique name", () => {
    expect(Object.keys(document.components.schemas).filter((name) => /_\d+$|Encoded$/.test(name))).toEqual([])
  })

  it("has few enough lines to review", () => {
    expect(documentText.split("\n").length).toBeLessThan(12_750)
  })
})

describe("the operation", () => {
  const empty = ["oauth.authorize 302", "oauthExtensions.revoke 200"]
  const rows = endpoints.map((endpoint) => ({
    ...endpoint,
    operation: operations.find(({ operationId }) => operationId === endpoint.name)
  }))

  it.each(rows)("$name has a schema for every answer, 429 and 500 among them", ({ name, operation }) => {
    const responses = Object.entries(operation?.responses ?? {})
    expect(responses.map(([status]) => status)).toEqual(expect.arrayContaining(["429", "500", "default"]))
    expect(JSON.stringify(operation?.responses["500"])).toContain("/ServerError")
    for (const [status, { $ref, content }] of responses) {
      if (status === "304" || empty.includes(`${name} ${status}`)) continue
      const schemas = Object.values(content ?? {})
      expect([status, $ref !== undefined || schemas.length > 0]).toEqual([status, true])
      for (const media of schemas) expect(media).toMatchObject({ schema: expect.any(Object) })
    }
  })

  it.each(rows)("$name may answer 503 when the database is down", ({ method, path }) => {
    const body = { success: false, code: "unavailable", message: "Later." }
    const headers = new Headers({ "content-type": "application/json" })
    const url = path.replaceAll(/:\w+/g, "1")
    expect(declaredAs(method, url, { status: 503, headers, body, text: JSON.stringify(body) })?.mistake).toBeUndefined()
  })

  it.each(rows)("$name names each id of its path", ({ ids, operation }) => {
    const parameters = (operation?.parameters ?? []).filter((parameter) => parameter.in === "path")
    expect(parameters.map(({ name }) => name)).toEqual(ids.map(({ param }) => param))
  })

  it.each(rows)("$name states its scopes, and whether it needs the organization's header", (row) => {
    const organization = row.caller === "member" && !row.inPath ? { organization: [] } : {}
    const schemes = [
      { oauth2: [...row.scopes], ...organization },
      { bearer: [], ...organization }
    ]
    expect(row.operation?.security).toEqual(row.caller === "anybody" ? [] : schemes)
  })
})

let own: Awaited<ReturnType<typeof app.organization>>
beforeAll(async () => {
  own = await app.organization()
})

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
    "creditNotes.deliveries",
    "creditNotes.list",
    "customerDocuments.invoices",
    "customerDocuments.quotes",
    "customers.list",
    "einvoices.list",
    "events.list",
    "expenses.list",
    "invoices.deliveries",
    "invoices.list",
    "members.list",
    "operations.list",
    "organizations.list",
    "payments.list",
    "quotes.deliveries",
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
      expect(body.message).toContain(`no parameter ${name}`)
    }
  })

  it("accepts each of its own parameters", async () => {
    for (const name of names) {
      const { body } = await ask(path, `${encodeURIComponent(name)}=1`)
      expect([name, body.code]).not.toEqual([name, "unknown_filter"])
    }
  })
})

it("ignores unknown parameters of endpoints without parameters", async () => {
  expect((await ask("/api/v1/organizations/{id}", "colour=red")).status).toBe(200)
})

it("answers 422 unknown_filter for a parameter that a report does not have", async () => {
  const dates = "start_date=2026-01-01&end_date=2026-12-31"
  const reports = [
    ["aged-receivables", "as_of=2026-03-31"],
    ["dashboard", "period=this_year"],
    ["profit-loss", dates],
    ["revenue", dates],
    ["top-customers", "limit=3"],
    ["vat", dates]
  ] as const
  for (const [name, query] of reports) {
    const path = `/api/v1/reports/${name}`
    expect([name, (await ask(path, query)).status]).toEqual([name, 200])
    const { body, status } = await ask(path, `${query}&colour=red`)
    expect([name, status, body.code, body.details?.unknown]).toEqual([name, 422, "unknown_filter", ["colour"]])
  }
})

it.each(["bank-rules", "webhooks/events", "einvoicing/networks", "einvoicing/providers"])(
  "GET /%s has no pages: it refuses unknown parameters, and ignores those of pages",
  async (path) => {
    const { body, status } = await ask(`/api/v1/${path}`, "colour=x&page=1&per_page=5")
    expect([status, body.code, body.details?.unknown]).toEqual([422, "unknown_filter", ["colour"]])
    expect((await ask(`/api/v1/${path}`, "page=1&per_page=5")).status).toBe(200)
  }
)

it("answers 422 unknown_filter also for a misspelled parameter of a write, which does nothing", async () => {
  const to = { token: own.owner.token, organization: own.id }
  const rule = { name: "Fees", conditions: [{ type: "amount_max", value: 1 }], actions: { category: "fees" } }
  const created = await app.call("POST", "/api/v1/bank-rules?dryrun=true", { ...to, body: rule })
  expect([created.status, created.body.details?.unknown]).toEqual([422, ["dryrun"]])
  expect((await app.call("GET", "/api/v1/bank-rules", to)).body.data).toEqual([])
  const deleted = await app.call("DELETE", "/api/v1/batch/resources?resource=customers&ids=1&atomc=true", to)
  expect([deleted.status, deleted.body.details?.unknown]).toEqual([422, ["atomc"]])
})
