import { Schema, SchemaGetter } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { compiled } from "./Compiled.ts"

/** Wraps a value in `{"success":true,"data":...}` on the wire; server and client code see the plain value. */
export const data = <S extends Schema.Top>(schema: S) =>
  Schema.Struct({ success: Schema.Literal(true), data: compiled(schema) }).pipe(
    // `schema` itself has decoded the field, and is going to encode it, so this step only unwraps it.
    Schema.decodeTo(
      Schema.declare((value: unknown): value is S["Type"] => value !== undefined),
      {
        // The compiler cannot see through the optionality of a generic field; `data` is never optional here.
        decode: SchemaGetter.transform((envelope) => (envelope as { readonly data: S["Type"] }).data),
        encode: SchemaGetter.transform((value) => ({ success: true, data: value }) as never)
      }
    )
  )

/** Answers 201 with the record that a request created. */
export const created = <S extends Schema.Top>(schema: S) => data(schema).pipe(HttpApiSchema.status(201))

/** Answers the id of a record that was removed. */
export const removed = <Id extends Schema.Top>(id: Id) => data(Schema.Struct({ id }))

export const PageLinks = Schema.Struct({
  first: Schema.String,
  last: Schema.String,
  prev: Schema.NullOr(Schema.String),
  next: Schema.NullOr(Schema.String)
})

export const PageMeta = Schema.Struct({
  current_page: Schema.Int,
  from: Schema.NullOr(Schema.Int),
  last_page: Schema.Int,
  path: Schema.String,
  per_page: Schema.Int,
  to: Schema.NullOr(Schema.Int),
  total: Schema.Int
}).annotate({ identifier: "PageMeta" })

/** One page of a list with its links and counts. */
export const page = <S extends Schema.Top>(schema: S) =>
  Schema.Struct({
    success: Schema.Literal(true),
    data: Schema.Array(compiled(schema)),
    links: PageLinks,
    meta: PageMeta
  })

interface Page<A> {
  readonly success: true
  readonly data: ReadonlyArray<A>
  readonly links: typeof PageLinks.Type
  readonly meta: typeof PageMeta.Type
}

const per_page_default = 25
export const per_page_max = 100
export const page_max = 1_000_000

/** A whole number in a query: any other text becomes the default, and a number out of range the nearest bound. */
export const clamped = (initial: number, max: number) =>
  Schema.String.pipe(
    Schema.decodeTo(Schema.Int, {
      decode: SchemaGetter.transform((text) =>
        /^-?\d{1,15}$/.test(text) ? Math.min(Math.max(Number(text), 1), max) : initial
      ),
      encode: SchemaGetter.transform(String)
    }),
    Schema.optionalKey
  )

/** Query fields of every list. */
export const pageQuery = { per_page: clamped(per_page_default, per_page_max), page: clamped(1, page_max) }

export interface PageRequest {
  readonly per_page?: number
  readonly page?: number
}

/** Rows of one page with the total number of rows. */
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
