import { Schema, SchemaAST, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { compiled } from "./Compiled.ts"
import { described, shownAs } from "./Described.ts"

const per_page_default = 25
export const per_page_max = 100
export const page_max = 1_000_000

/** Names the envelope after its record, so that the API document describes equal answers by one component. */
export const envelope = (schema: Schema.Top, suffix: string, description: string) => {
  const name = SchemaAST.resolveIdentifier(schema.ast)
  return name === undefined ? { description } : { identifier: name + suffix, description }
}

export const success = described(Schema.Literal(true), "Always `true`; a refusal has `false`.")

/** Wraps a value in `{"success":true,"data":...}` on the wire; server and client code see the plain value. */
export const data = <S extends Schema.Top>(schema: S) =>
  Schema.Struct({ success, data: compiled(schema) }).pipe(
    Schema.annotate(envelope(schema, "Response", "A successful answer with the requested data in `data`.")),
    // `schema` itself decodes and encodes the field, so this step only takes the field out of the envelope.
    Schema.decodeTo(
      Schema.declare((value: unknown): value is S["Type"] => value !== undefined),
      {
        // Boundary: TypeScript takes a field of a generic type for possibly optional, but `data` is never optional here.
        decode: SchemaGetter.transform((envelope) => (envelope as { readonly data: S["Type"] }).data),
        encode: SchemaGetter.transform((value) => ({ success: true, data: value }) as never)
      }
    )
  )

export const created = <S extends Schema.Top>(schema: S) => data(schema).pipe(HttpApiSchema.status(201))

export const removed = <Id extends Schema.Top>(id: Id) =>
  data(
    Schema.Struct({ id: described(id, "Id that the record had.") }).annotate({
      identifier: "RemovedRecord",
      description: "The record that was removed."
    })
  )

export const PageLinks = Schema.Struct({
  first: described(Schema.String, "Address of the first page."),
  last: described(Schema.String, "Address of the last page."),
  prev: described(Schema.NullOr(Schema.String), "Address of the previous page; null on the first one."),
  next: described(Schema.NullOr(Schema.String), "Address of the next page; null on the last one.")
}).annotate({ identifier: "PageLinks", description: "Links to the pages around a page." })

export const PageMeta = Schema.Struct({
  current_page: described(Schema.Int, "Number of this page, from 1.", 1),
  from: described(
    Schema.NullOr(Schema.Int),
    "Position of the first row in the list, from 1; null if the page is empty.",
    1
  ),
  last_page: described(Schema.Int, "Number of the last page.", 7),
  path: described(Schema.String, "Address of the list without its query.", "https://example.com/api/v1/invoices"),
  per_page: described(Schema.Int, "Rows per page.", per_page_default),
  to: described(Schema.NullOr(Schema.Int), "Position of the last row in the list; null if the page is empty.", 25),
  total: described(Schema.Int, "Rows in the whole list.", 160)
}).annotate({ identifier: "PageMeta", description: "Position of a page in its list." })

export const page = <S extends Schema.Top>(schema: S) =>
  Schema.Struct({
    success,
    data: described(Schema.Array(compiled(schema)), "The rows of the page."),
    links: described(PageLinks, "Addresses of other pages with the same filters."),
    meta: described(PageMeta, "Position of the page in the list.")
  }).annotate(envelope(schema, "Page", "One page of a list."))

interface Page<A> {
  readonly success: true
  readonly data: ReadonlyArray<A>
  readonly links: typeof PageLinks.Type
  readonly meta: typeof PageMeta.Type
}

/** A whole number in a query: any other text becomes the default, and a number out of range the nearest bound. */
export const clamped = (initial: number, max: number) =>
  Schema.String.annotate(shownAs({ type: "integer", minimum: 1, maximum: max, default: initial })).pipe(
    Schema.decodeTo(Schema.Int, {
      decode: SchemaGetter.transform((text) =>
        /^-?\d+$/.test(text) ? Math.min(Math.max(Number(text), 1), max) : initial
      ),
      encode: SchemaGetter.transform(String)
    }),
    Schema.optionalKey
  )

export const pageQuery = {
  per_page: described(
    clamped(per_page_default, per_page_max),
    `Rows per page, at most ${per_page_max}; a number out of range is replaced by the nearest allowed one.`
  ),
  page: described(clamped(1, page_max), "Number of the page, from 1.")
}

export interface PageRequest {
  readonly per_page?: number
  readonly page?: number
}

export interface PageRows<A> {
  readonly rows: ReadonlyArray<A>
  readonly total: number
}

export const limitOf = (request: PageRequest): number => request.per_page ?? per_page_default
export const offsetOf = (request: PageRequest): number => ((request.page ?? 1) - 1) * limitOf(request)

/** `path` is the absolute address of the list, `query` its filters without `page`. */
export const toPage = <A>(slice: PageRows<A>, request: PageRequest, path: string, query: URLSearchParams): Page<A> => {
  const per_page = limitOf(request)
  const current = request.page ?? 1
  const last = Math.max(1, Math.ceil(slice.total / per_page))
  const from = slice.rows.length === 0 ? null : offsetOf(request) + 1
  const link = (page: number) => {
    const parameters = new URLSearchParams(query)
    parameters.set("page", String(page))
    return `${path}?${parameters.toString()}`
  }
  return {
    success: true,
    data: slice.rows,
    links: {
      first: link(1),
      last: link(last),
      prev: current > 1 ? link(Math.min(current - 1, last)) : null,
      next: current < last ? link(current + 1) : null
    },
    meta: {
      current_page: current,
      from,
      last_page: last,
      path,
      per_page,
      to: from === null ? null : from + slice.rows.length - 1,
      total: slice.total
    }
  }
}
