import * as fc from "fast-check"
import type { Arbitrary } from "fast-check"
import { document, operations, type Operation } from "../../test/contract/OpenApi.ts"
import { contentTypes, fileNames, files, headers, numbers, rawBodies, strings, structures } from "./Hostile.ts"

/** An id that is filled in when the request is sent: the `pick`-th that answers have shown of that collection. */
export class Slot {
  readonly collection: string
  readonly pick: number

  constructor(collection: string, pick: number) {
    this.collection = collection
    this.pick = pick
  }
}

export interface Part {
  readonly name: string
  readonly file: string
  readonly bytes: Uint8Array
}

export type Body =
  | { readonly kind: "none" }
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "raw"; readonly text: string; readonly type: string }
  | { readonly kind: "form"; readonly fields: ReadonlyArray<readonly [string, string]> }
  | { readonly kind: "multipart"; readonly parts: ReadonlyArray<Part> }

export interface FuzzRequest {
  readonly operation: string
  readonly method: string
  /** Path segments; a slot is an id. */
  readonly path: ReadonlyArray<string | Slot>
  readonly query: ReadonlyArray<readonly [string, unknown]>
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly body: Body
  /** Whose token: one of the organization's members, another organization's, or nobody's. */
  readonly caller: number
}

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Schema
  readonly format?: string
  readonly maxLength?: number
  readonly minItems?: number
}

const depth_max = 6
const array_max = 4

const hostile: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...strings),
  fc.constantFrom(...numbers),
  fc.constantFrom(...structures),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.double(),
  fc.integer()
)

const idOf = (collection: string): Arbitrary<unknown> => fc.nat(1_000).map((pick) => new Slot(collection, pick))

/** `customer_id` and `tax_rate_ids` name the collection they take ids of. */
const collectionOf = (field: string): string | undefined => {
  const name = /^(\w+?)_ids?$/.exec(field)?.[1]
  return name === undefined ? undefined : `${name.replaceAll("_", "-")}s`
}

const realistic: Readonly<Record<string, Arbitrary<unknown>>> = {
  currency: fc.constantFrom("EUR", "EUR", "EUR", "USD", "JPY"),
  country: fc.constantFrom("BE", "FR", "DE"),
  language: fc.constantFrom("en", "nl", "fr"),
  email: fc.nat(9).map((n) => `person${n}@example.com`),
  website: fc.constant("https://example.com"),
  phone: fc.constant("+32 2 555 00 00"),
  payment_method: fc.constantFrom("bank_transfer", "cash", "card"),
  category: fc.constantFrom("meals", "travel", "own category"),
  tax_number: fc.constantFrom(null, "BE0202239951"),
  billing_subdivision_code: fc.constant(null),
  shipping_subdivision_code: fc.constant(null),
  einvoicing_identifier_scheme: fc.constant(null),
  einvoicing_identifier_value: fc.constant(null),
  exchange_rate: fc.constant(null),
  due_date: fc.constantFrom("2027-06-30", "2028-01-31"),
  valid_until: fc.constantFrom("2027-06-30", "2028-01-31"),
  tax_rate_ids: fc.constant([]),
  discount_type: fc.constant("percent"),
  discount: fc.nat(100),
  unit: fc.constantFrom("hour", "C62"),
  tax_exempt: fc.constant(false),
  tax_exemption_reason: fc.constant(null),
  country_code: fc.constant("BE"),
  issue_date: fc.constantFrom("2026-03-01", "2026-11-01"),
  quantity: fc.integer({ min: 1, max: 20 }),
  unit_price: fc.constantFrom<unknown>(100, 12.5, "0.01"),
  amount: fc.constantFrom<unknown>(1, 12.34, "0.01"),
  recipients: fc.constantFrom<unknown>("a@example.com", ["a@example.com", "b@example.com"]),
  page: fc.constantFrom("1", "2", "1000000"),
  per_page: fc.constantFrom("1", "25", "100")
}

const days = fc
  .integer({ min: 0, max: 800 })
  .map((day) => new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10))

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined
    ? schema
    : ((document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) as Schema)

/** Mostly what the schema asks; the rules behind it must then say no by themselves. */
const valued = (reference: Schema, field: string, spoil: boolean, depth = 0): Arbitrary<unknown> => {
  const schema = resolved(reference)
  const choices = schema.anyOf ?? schema.oneOf
  if (depth > depth_max) return fc.constant(null)
  const collection = collectionOf(field)
  if (collection !== undefined && schema.type !== "array") return idOf(collection)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const usual = realistic[field]
  if (usual !== undefined) return usual
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valued(choice, field, spoil, depth + 1)))
  if (schema.type === "object") return objectOf(schema, spoil, depth)
  if (schema.type === "array") {
    const item = collection === undefined ? valued(schema.items ?? {}, field, spoil, depth + 1) : idOf(collection)
    return fc.array(item, { minLength: schema.minItems ?? 0, maxLength: array_max })
  }
  if (schema.type === "boolean") return fc.boolean()
  if (schema.type === "integer") return fc.integer({ min: 1, max: 100 })
  if (schema.type === "number") return fc.integer({ min: 1, max: 100_000 }).map((units) => units / 100)
  if (schema.format === "date") return days
  return fc.oneof(fc.constantFrom("Consulting", "Café Zürich", "12.50", "2026-03-01"), fc.string({ maxLength: 30 }))
}

const objectOf = (schema: Schema, spoil: boolean, depth: number): Arbitrary<unknown> => {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => [name, maybeSpoiled(valued(property, name, spoil, depth + 1), spoil)] as const
  )
  const requiredKeys = fields.flatMap(([name]) => (schema.required?.includes(name) === true ? [name] : []))
  const complete = fc.record(Object.fromEntries(fields), { requiredKeys })
  if (!spoil) return complete
  const lacking = fc.record(Object.fromEntries(fields), { requiredKeys: [] })
  return fc.oneof({ weight: 12, arbitrary: complete }, { weight: 1, arbitrary: lacking })
}

function maybeSpoiled(arbitrary: Arbitrary<unknown>, spoil: boolean): Arbitrary<unknown> {
  return spoil ? fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: hostile }) : arbitrary
}

/** Half of all values are what the schema asks; the other half are spoiled in places. */
const value = (schema: Schema, field: string): Arbitrary<unknown> =>
  fc.oneof(valued(schema, field, false), maybeSpoiled(valued(schema, field, true), true))

const bodyOf = ({ requestBody }: Operation): Arbitrary<Body> => {
  const content = (requestBody?.content ?? {}) as Readonly<Record<string, { readonly schema: Schema }>>
  const raw: Arbitrary<Body> = fc.record({
    kind: fc.constant("raw" as const),
    text: fc.constantFrom(...rawBodies),
    type: fc.oneof(fc.constant("application/json"), fc.constantFrom(...contentTypes))
  })
  const json = content["application/json"]?.schema
  const form = content["application/x-www-form-urlencoded"]?.schema
  if (content["multipart/form-data"] !== undefined) {
    const part = fc.record({
      name: fc.constantFrom("file", "attachment", "receipt", "expense_id", "x"),
      file: fc.constantFrom(...fileNames),
      bytes: fc.constantFrom(...files)
    })
    const multipart = fc.array(part, { maxLength: 3 }).map((parts): Body => ({ kind: "multipart", parts }))
    return fc.oneof({ weight: 9, arbitrary: multipart }, { weight: 1, arbitrary: raw })
  }
  if (form !== undefined) {
    const field = fc.oneof(
      fc.constantFrom("authorization_code", "refresh_token", "password"),
      fc.constantFrom(...strings)
    )
    const fields = fc.array(fc.tuple(fc.constantFrom(...Object.keys(form.properties ?? {}), "x"), field), {
      maxLength: 8
    })
    return fc.oneof(
      { weight: 9, arbitrary: fields.map((all): Body => ({ kind: "form", fields: all })) },
      { weight: 1, arbitrary: raw }
    )
  }
  if (json === undefined)
    return fc.oneof({ weight: 30, arbitrary: fc.constant<Body>({ kind: "none" }) }, { weight: 1, arbitrary: raw })
  const asked = value(json, "").map((sent): Body => ({ kind: "json", value: sent }))
  return fc.oneof({ weight: 30, arbitrary: asked }, { weight: 1, arbitrary: raw })
}

const segmentsOf = (path: string): ReadonlyArray<Arbitrary<string | Slot>> => {
  const segments = path.split("/").slice(1)
  return segments.map((segment, index) => {
    if (!segment.startsWith("{")) return fc.constant(segment)
    const slot = fc.nat(1_000).map((pick) => new Slot(segments[index - 1] ?? "", pick))
    const bad = fc
      .constantFrom(...strings.filter((text) => text.length < 2_000))
      .map((text) => encodeURIComponent(text.toWellFormed()))
    return fc.oneof({ weight: 20, arbitrary: slot }, { weight: 1, arbitrary: bad })
  })
}

const queryOf = ({ parameters = [] }: Operation): Arbitrary<ReadonlyArray<readonly [string, unknown]>> => {
  const named = parameters.filter((parameter) => parameter.in === "query")
  const fields = named.map(({ name, schema }) => [name, value(schema as Schema, name)] as const)
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] }).map((all) => Object.entries(all))
}

const callers = 6

const requestOf = (operation: (typeof operations)[number]): Arbitrary<FuzzRequest> =>
  fc.record({
    operation: fc.constant(operation.operationId),
    method: fc.constant(operation.method),
    path: fc.tuple(...segmentsOf(operation.path)),
    query: queryOf(operation),
    headers: fc.oneof(
      { weight: 6, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fc.constantFrom(...headers), { minLength: 1, maxLength: 2 }) }
    ),
    body: bodyOf(operation),
    caller: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(callers - 1) })
  })

/** Logging the fuzzer's own tokens out would end the run. */
const left_out = new Set(["session.logout", "session.logoutAll"])

const requests = fc.oneof(...operations.filter(({ operationId }) => !left_out.has(operationId)).map(requestOf))

/** The `index`-th request of a seed: the same one each time. */
export const requestAt = (seed: number, index: number): FuzzRequest => {
  const [request] = fc.sample(requests, { seed: (seed * 1_000_003 + index) | 0, numRuns: 1 })
  if (request === undefined) throw new Error("fast-check gave no request")
  return request
}
