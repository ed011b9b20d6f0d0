import { Validator } from "@seriousme/openapi-schema-validator"
import { describe, expect, it } from "vitest"
import { openApiText } from "../../scripts/openapi.ts"
import { useApp } from "../support/App.ts"
import { endpoints } from "./Endpoints.ts"
import { declaredAs, document, documentText, operations } from "./OpenApi.ts"
import { undescribed } from "./Undescribed.ts"

const app = useApp()

const named = (path: string) => path.replaceAll(/:(\w+)/g, "{$1}")

describe("openapi.json", () => {
  it("equals the contract; after an intended change run npm run openapi", () => {
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

  it("gives every component a name of its own", () => {
    expect(Object.keys(document.components.schemas).filter((name) => /_\d+$|Encoded$/.test(name))).toEqual([])
  })

  it("has few enough lines to review", () => {
    expect(documentText.split("\n").length).toBeLessThan(12_000)
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
