import { expect, it } from "vitest"
import { changesBetween } from "../../../scripts/openapi/Diff.ts"
import { documentText } from "./OpenApi.ts"

const customer = (properties: object, required: ReadonlyArray<string> = []) => ({
  type: "object",
  properties,
  required
})
const text = { type: "string" }

const documentOf = (request: object, answer: object, parameters: ReadonlyArray<object> = []) => ({
  paths: {
    "/customers": {
      post: {
        parameters,
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Request" } } } },
        responses: { "201": { content: { "application/json": { schema: answer } } } }
      }
    }
  },
  components: { schemas: { Request: request } }
})

const usual = documentOf(customer({ name: text }, ["name"]), customer({ id: text }, ["id"]))
const breakingIn = (after: object, before: object = usual) =>
  changesBetween(before, after).flatMap(({ breaking, what }) => (breaking ? [what] : []))

it("finds nothing between a document and itself", () => {
  expect(changesBetween(JSON.parse(documentText), JSON.parse(documentText))).toEqual([])
})

it.each([
  ["a removed operation", { paths: {} }, "POST /customers: removed"],
  [
    "a new required field of a request",
    documentOf(customer({ name: text, email: text }, ["name", "email"]), customer({ id: text }, ["id"])),
    "POST /customers body.email: added"
  ],
  [
    "a shorter field of a request",
    documentOf(customer({ name: { ...text, maxLength: 5 } }, ["name"]), customer({ id: text }, ["id"])),
    "POST /customers body.name: maxLength none -> 5"
  ],
  [
    "a new required parameter",
    documentOf(customer({ name: text }, ["name"]), customer({ id: text }, ["id"]), [
      { in: "query", name: "kind", required: true, schema: text }
    ]),
    "POST /customers query kind: added"
  ],
  [
    "a field that an answer no longer has",
    documentOf(customer({ name: text }, ["name"]), customer({})),
    "POST /customers 201.id: removed"
  ],
  [
    "a field of another type",
    documentOf(customer({ name: text }, ["name"]), customer({ id: { type: "integer" } }, ["id"])),
    "POST /customers 201.id: type string -> integer"
  ]
])("finds %s", (_title, after, change) => {
  expect(breakingIn(after)).toEqual([change])
})

it("accepts new operations, optional fields, and new fields and values of answers", () => {
  const after = documentOf(
    customer({ name: text, email: text }, ["name"]),
    customer({ id: text, email: text }, ["id", "email"])
  )
  expect(changesBetween(usual, after)).toHaveLength(2)
  expect(breakingIn(after)).toEqual([])
  expect(breakingIn(usual, { paths: {} })).toEqual([])
})
