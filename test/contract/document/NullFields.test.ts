import { describe, expect, it } from "vitest"
import { document, operations } from "./OpenApi.ts"

interface Node {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly anyOf?: ReadonlyArray<Node>
  readonly allOf?: ReadonlyArray<Node>
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Node
}

const schemas = document.components.schemas as Readonly<Record<string, Node>>

/** Returns the alternatives of a schema, with references replaced by their schemas. */
const alternatives = (node: Node): ReadonlyArray<Node> => {
  if (node.$ref !== undefined) return alternatives(schemas[node.$ref.split("/").at(-1) ?? ""] ?? {})
  const parts = node.anyOf ?? node.allOf
  return parts === undefined ? [node] : parts.flatMap(alternatives)
}

const isAny = (node: Node) => Object.keys(node).every((key) => key === "description")

const acceptsNull = (node: Node) =>
  alternatives(node).some((one) => isAny(one) || [one.type ?? []].flat().includes("null"))

interface Field {
  readonly name: string
  readonly isRequired: boolean
  readonly isNullable: boolean
}

/** Returns all fields of a body, also those of the records in it, as `items.*.quantity`. */
const fieldsOf = (node: Node, path = ""): ReadonlyArray<Field> =>
  alternatives(node).flatMap(({ items, properties = {}, required = [] }) => [
    ...Object.entries(properties).flatMap(([key, field]) => [
      { name: path + key, isRequired: required.includes(key), isNullable: acceptsNull(field) },
      ...fieldsOf(field, `${path}${key}.`)
    ]),
    ...(items === undefined ? [] : fieldsOf(items, `${path}*.`))
  ])

const bodyOf = (content: object | undefined): Node | undefined => {
  const json = (content as Readonly<Record<string, { readonly schema: Node }>> | undefined)?.["application/json"]
  return json?.schema
}

const bodies = operations.flatMap(({ method, path, requestBody }) => {
  const body = bodyOf(requestBody?.content)
  return body === undefined ? [] : [{ method, path, fields: fieldsOf(body) }]
})

/** Each body that changes a record, with the body that creates the record. */
const changes = bodies.flatMap((body) => {
  if (body.method === "POST") return []
  const path = body.path.replace("/registration", "/register").replace(/\/\{id\}$/, "")
  return [{ ...body, created: bodies.find((other) => other.method === "POST" && other.path === path)?.fields ?? [] }]
})

/** Fields that the API never creates, and that a record always has: a null for them would be a mistake. */
const settled: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/api/v1/organizations/{id}": ["name", "currency", "timezone", "language", "settings", "country"],
  "/api/v1/invoices/{id}": ["status"],
  "/api/v1/quotes/{id}": ["status"],
  "/api/v1/credit-notes/{id}": ["status"],
  "/api/v1/payments/{id}": ["status"]
}

/** An item that stands for a discount has no line, so a PUT must accept the null that GET answers. */
const only_changed = ["PUT /api/v1/credit-notes/{id} items.*.invoice_item_id"]

/** The entries of this batch are the bodies of `PUT /api/v1/invoices/{id}`. */
const batch_of_changes = "/api/v1/batch/invoices/update"

const optional = (fields: ReadonlyArray<Field>) => fields.filter(({ isRequired }) => !isRequired)
const refusingNull = (fields: ReadonlyArray<Field>) => fields.filter(({ isNullable }) => !isNullable)

describe("a body in JSON", () => {
  it("that creates a record, or asks for anything else, accepts null for every optional field", () => {
    const refused = bodies
      .filter(({ method, path }) => method === "POST" && path !== batch_of_changes)
      .flatMap(({ fields, path }) => refusingNull(optional(fields)).map(({ name }) => `${path} ${name}`))
    expect(refused).toEqual([])
  })

  it("that changes a record refuses null only for fields that are required when the record is created", () => {
    const refused = changes.flatMap(({ created, fields, path }) => {
      const required = created.filter(({ isRequired }) => isRequired).map(({ name }) => name)
      return refusingNull(optional(fields))
        .filter(({ name }) => !required.includes(name) && settled[path]?.includes(name) !== true)
        .map(({ name }) => `${path} ${name}`)
    })
    expect(refused).toEqual([])
  })

  it("that changes a record accepts null for the same fields as the body that creates it", () => {
    const differences = changes.flatMap(({ created, fields, method, path }) =>
      fields
        .filter(({ isNullable, name }) => created.some((one) => one.name === name && one.isNullable !== isNullable))
        .map(({ name }) => `${method} ${path} ${name}`)
    )
    expect(differences).toEqual(only_changed)
  })

  it("is found for all records that can be changed", () => {
    expect(changes.filter(({ created }) => created.length > 0).length).toBeGreaterThan(8)
    expect(changes.filter(({ created }) => created.length === 0).map(({ path }) => path)).toEqual([
      "/api/v1/organizations/{id}",
      "/api/v1/organizations/{id}/users/{user_id}"
    ])
  })
})
