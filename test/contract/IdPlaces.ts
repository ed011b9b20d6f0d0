import { document, operations } from "./OpenApi.ts"

/** Where a request names a record by its id, other than in its path. */
export interface IdPlace {
  readonly operation: string
  readonly in: "query" | "body"
  /** `["items", "*", "tax_rate_ids", "*"]`; a star is an element of an array. */
  readonly path: ReadonlyArray<string>
  /** The property, as in `tax_rate_ids`. */
  readonly name: string
}

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
}

/** Names of properties that hold an id, or what stands for one. An external id is the client's own and names nothing here. */
const name_pattern = /(?<!^external)(^|_)(id|ids|ref|path)(\[\])?$/

/** What the elements are of which the document says nothing, because each is refused by itself. */
const elements: Readonly<Record<string, string>> = {
  "batch.createInvoices invoices": "invoices.create",
  "batch.updateInvoices updates": "invoices.update"
}

const depth_max = 10

const resolved = (schema: Schema): Schema => {
  const name = schema.$ref?.split("/").at(-1)
  return name === undefined ? schema : ((document.components.schemas[name] ?? {}) as Schema)
}

const bodiesOf = (operation: string): ReadonlyArray<Schema> => {
  const body = operations.find(({ operationId }) => operationId === operation)?.requestBody
  const content = (body?.content ?? {}) as Readonly<Record<string, { readonly schema: Schema }>>
  return Object.values(content).map(({ schema }) => schema)
}

interface Found {
  readonly path: ReadonlyArray<string>
  readonly name: string
}

/** Paths below a schema, and arrays whose elements nothing is known of. */
const below = (
  operation: string,
  reference: Schema,
  { name, path }: Found,
  unknown: Set<string>
): ReadonlyArray<Found> => {
  const schema = resolved(reference)
  if (path.length > depth_max) return []
  const isId = name_pattern.test(name)
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  if (choices.length > 0) return choices.flatMap((choice) => below(operation, choice, { name, path }, unknown))
  if (schema.type === "array") {
    const element = { name, path: [...path, "*"] }
    if (schema.items !== undefined) return below(operation, schema.items, element, unknown)
    if (isId) return [element]
    const same = elements[`${operation} ${name}`]
    if (same === undefined) unknown.add(`${operation} ${name}`)
    const fields =
      same === undefined
        ? []
        : bodiesOf(same).flatMap((body) => below(operation, body, { ...element, name: "" }, unknown))
    // An element that is changed is named beside its changes.
    return [...fields, { name: "id", path: [...element.path, "id"] }]
  }
  if (schema.type === "object") {
    return Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
      below(operation, property, { name: key, path: [...path, key] }, unknown)
    )
  }
  return isId && schema.type !== "null" ? [{ name, path }] : []
}

/** Arrays in bodies whose elements are in no schema and not in `elements`. */
export const unknownElements = new Set<string>()

/** Every property of every query and body whose name says that it is an id. */
export const idPlaces: ReadonlyArray<IdPlace> = operations.flatMap(({ operationId, parameters = [] }) => {
  const queries = parameters.filter((parameter) => parameter.in === "query" && name_pattern.test(parameter.name))
  const places = [
    ...queries.map(({ name }) => ({ operation: operationId, in: "query" as const, path: [name], name })),
    ...bodiesOf(operationId)
      .flatMap((body) => below(operationId, body, { name: "", path: [] }, unknownElements))
      .map((found) => ({ operation: operationId, in: "body" as const, ...found }))
  ]
  // A body in two spellings, JSON and form, has its properties twice.
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()]
})

/** The value with `id` at the path; an array along it keeps its first element alone. */
export const withId = (value: unknown, path: ReadonlyArray<string>, id: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return id
  if (key === "*") return [withId(Array.isArray(value) ? value[0] : undefined, rest, id)]
  const fields = typeof value === "object" && value !== null ? Object.entries(value) : []
  const old = fields.find(([name]) => name === key)?.[1]
  return { ...Object.fromEntries(fields), [key]: withId(old, rest, id) }
}
