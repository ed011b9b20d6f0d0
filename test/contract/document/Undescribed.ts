import { document } from "./OpenApi.ts"

interface Node {
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)
const nodeOf = (value: unknown): Node => (isNode(value) ? value : {})
const entries = (value: unknown) => Object.entries(nodeOf(value))

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== ""

/** These components only state the type of number, so each field must say what its number means. */
const kinds = new Set(["Amount", "AmountText", "Decimal"])

/** A field needs no description of its own if it refers to a record or to a list of values, because these have one. */
const isDescribed = (field: unknown): boolean => {
  const { $ref, anyOf, description, items } = nodeOf(field)
  if (isText(description)) return true
  if (typeof $ref === "string") return !kinds.has($ref.split("/").at(-1) ?? "")
  if (Array.isArray(anyOf)) return anyOf.filter((member) => nodeOf(member)["type"] !== "null").every(isDescribed)
  return isNode(items) && typeof items["$ref"] === "string" && isDescribed(items)
}

const fieldsWithin = (schema: unknown, place: string): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap((part) => fieldsWithin(part, place))
  return entries(schema).flatMap(([key, part]) => {
    if (key !== "properties") return key === "example" || key === "examples" ? [] : fieldsWithin(part, place)
    return entries(part).flatMap(([name, field]) => [
      ...(isDescribed(field) ? [] : [`${place}.${name}`]),
      ...fieldsWithin(field, `${place}.${name}`)
    ])
  })
}

const operations = entries(document.paths).flatMap(([, item]) =>
  entries(item).map(([, operation]) => nodeOf(operation))
)
const { headers, parameters, responses, schemas, securitySchemes } = document.components

const withoutText = (nodes: ReadonlyArray<readonly [string, unknown]>, key = "description") =>
  nodes.filter(([, node]) => !isText(nodeOf(node)[key])).map(([name]) => name)

const named = operations.map((operation) => [String(operation["operationId"]), operation] as const)

const isParameter = (value: unknown): boolean => !isNode(value) || !("$ref" in value)

export const undescribed = {
  summaries: withoutText(named, "summary"),
  operations: withoutText(named),
  fields: [
    ...Object.entries(schemas).flatMap(([name, schema]) => fieldsWithin(schema, name)),
    ...named.flatMap(([name, { requestBody, responses }]) => fieldsWithin([requestBody, responses], name)),
    ...fieldsWithin(responses, "responses")
  ],
  records: withoutText(Object.entries(schemas)),
  parameters: withoutText([
    ...Object.entries(parameters),
    ...named.flatMap(([name, operation]) =>
      (Array.isArray(operation["parameters"]) ? operation["parameters"] : [])
        .filter(isParameter)
        .map((parameter: unknown) => [`${name} ${String(nodeOf(parameter)["name"])}`, parameter] as const)
    )
  ]),
  headers: withoutText(Object.entries(headers)),
  tags: withoutText(document.tags.map((tag) => [tag.name, tag] as const)),
  scopes: Object.values(nodeOf(nodeOf(securitySchemes["oauth2"])["flows"])).flatMap((flow) =>
    entries(nodeOf(flow)["scopes"]).flatMap(([scope, text]) => (isText(text) ? [] : [scope]))
  )
}
