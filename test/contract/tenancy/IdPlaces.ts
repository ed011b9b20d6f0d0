import { document, operations } from "../document/OpenApi.ts"

/** A place outside of the path where a request names a record by its id. */
export interface IdPlace {
  readonly operation: string
  readonly in: "query" | "body"
  /** Path such as `["items", "*", "tax_rate_ids", "*"]`; a star is any element of an array. */
  readonly path: ReadonlyArray<string>
  readonly name: string
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
}

/** Names of properties that hold an id, or a substitute for one. External ids are excluded: the client chooses them. */
const name_pattern = /(?<!^external)(^|_)(id|ids|ref|path)(\[\])?$/

/**
 * Arrays whose elements the API document does not describe. The value names the operation whose body has the schema of
 * an element.
 */
const elements: Readonly<Record<string, string>> = {
  "batch.createInvoices invoices": "invoices.create",
  "batch.updateInvoices updates": "invoices.update"
}

const depth_max = 10

const referred = ({ $ref }: Schema): ReadonlyArray<Schema> => {
  const name = $ref?.split("/").at(-1)
  return name === undefined ? [] : [(document.components.schemas[name] ?? {}) as Schema]
}

const bodiesOf = (operation: string): ReadonlyArray<Schema> => {
  const body = operations.find(({ operationId }) => operationId === operation)?.requestBody
  const content = (body?.content ?? {}) as Readonly<Record<string, { readonly schema: Schema }>>
  return Object.values(content).map(({ schema }) => schema)
}

/** A schema that also allows null has a list of types. */
const has = ({ type = [] }: Schema, name: string) => [type].flat().includes(name)

interface Found {
  readonly path: ReadonlyArray<string>
  readonly name: string
}

/** Returns the paths of all ids below a schema; adds arrays whose elements have no schema to `unknown`. */
const below = (
  operation: string,
  schema: Schema,
  { name, path }: Found,
  unknown: Set<string>
): ReadonlyArray<Found> => {
  if (path.length > depth_max) return []
  const isId = name_pattern.test(name)
  const fields = Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    below(operation, property, { name: key, path: [...path, key] }, unknown)
  )
  const parts = [...referred(schema), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  if (parts.length > 0) return [...parts.flatMap((part) => below(operation, part, { name, path }, unknown)), ...fields]
  if (has(schema, "array")) {
    const element = { name, path: [...path, "*"] }
    if (schema.items !== undefined) return below(operation, schema.items, element, unknown)
    if (isId) return [element]
    const same = elements[`${operation} ${name}`]
    if (same === undefined) unknown.add(`${operation} ${name}`)
    const fields =
      same === undefined
        ? []
        : bodiesOf(same).flatMap((body) => below(operation, body, { ...element, name: "" }, unknown))
    // In an update, each element of an array has the id of an existing record in addition to its fields.
    return [...fields, { name: "id", path: [...element.path, "id"] }]
  }
  if (has(schema, "object")) return fields
  return isId && schema.type !== "null" ? [{ name, path }] : []
}

/** Arrays in bodies whose elements have neither a schema nor an entry in `elements`. */
export const unknownElements = new Set<string>()

/** All properties in queries and bodies whose names say that they contain an id. */
export const idPlaces: ReadonlyArray<IdPlace> = operations.flatMap(({ operationId, parameters }) => {
  const queries = parameters.filter((parameter) => parameter.in === "query" && name_pattern.test(parameter.name))
  const places = [
    ...queries.map(({ name }) => ({ operation: operationId, in: "query" as const, path: [name], name })),
    ...bodiesOf(operationId)
      .flatMap((body) => below(operationId, body, { name: "", path: [] }, unknownElements))
      .map((found) => ({ operation: operationId, in: "body" as const, ...found }))
  ]
  // If a body may be JSON or a form, each of its properties is found twice, and is returned once.
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()]
})

/** Returns the value with `id` at the path; an array on the path keeps only its first element. */
export const withId = (value: unknown, path: ReadonlyArray<string>, id: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return id
  if (key === "*") return [withId(Array.isArray(value) ? value[0] : undefined, rest, id)]
  const fields = typeof value === "object" && value !== null ? Object.entries(value) : []
  const old = fields.find(([name]) => name === key)?.[1]
  return { ...Object.fromEntries(fields), [key]: withId(old, rest, id) }
}
