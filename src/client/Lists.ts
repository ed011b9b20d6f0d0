import type { Invoicing } from "./Methods.ts"
import type { paths } from "./openapi.ts"
import { unwrap } from "./Refused.ts"

type Get<Path extends keyof paths> = paths[Path]["get"]
type Query<Path extends keyof paths> =
  Get<Path> extends { parameters: { query?: infer Values } } ? NonNullable<Values> : never

type PathWith<Parameter extends string> = {
  [Path in keyof paths]: [Query<Path>] extends [never] ? never : Parameter extends keyof Query<Path> ? Path : never
}[keyof paths]

/** The paths of all lists. */
export type ListPath = PathWith<"page">

/** The paths of the lists that can be read with a cursor. */
type CursorPath = PathWith<"cursor">

/** The lists that are read by page number, because they have no cursor. The compiler checks that none is missing. */
const numbered: { readonly [Path in Exclude<ListPath, CursorPath>]: true } = {
  "/api/v1/organizations": true,
  "/api/v1/organizations/{id}/users": true,
  "/api/v1/invoices/{id}/deliveries": true,
  "/api/v1/invoices/{id}/attachments": true,
  "/api/v1/tax-rates": true,
  "/api/v1/quotes/{id}/deliveries": true,
  "/api/v1/credit-notes/{id}/deliveries": true,
  "/api/v1/operations": true,
  "/api/v1/webhooks": true,
  "/api/v1/webhooks/{id}/logs": true,
  "/api/v1/bank-accounts": true,
  "/api/v1/bank-accounts/{id}/imports": true,
  "/api/v1/archive/documents": true
}

type Answer<Path extends ListPath> =
  Get<Path> extends { responses: { 200: { content: { "application/json": infer Body } } } } ? Body : never

type Rows<Path extends ListPath> = Answer<Path> extends { data: ReadonlyArray<infer Row> } ? Row : never
type Meta<Path extends ListPath> = Answer<Path> extends { meta: infer Values } ? Values : never

export interface Deleted {
  readonly id: number
  readonly deleted_at: string
}

/** A record of a list, without the type of deleted records. */
export type Row<Path extends ListPath> = Rows<Path> extends infer Each ? (Each extends Deleted ? never : Each) : never

/** A page of a list, which is read with a cursor if the list has cursors. */
export type Page<Path extends ListPath> = Omit<Answer<Path>, "data" | "meta"> & {
  readonly data: ReadonlyArray<Row<Path>>
  readonly meta: Path extends CursorPath ? Extract<Meta<Path>, { next_updated_since: string }> : Meta<Path>
}

type ListParameters<Path extends ListPath> = {
  readonly query?: Omit<Query<Path>, "cursor" | "page" | "deleted">
} & (Get<Path> extends { parameters: { path: infer Ids } } ? { readonly path: Ids } : unknown)

type Given<Path extends ListPath> =
  Get<Path> extends { parameters: { path: unknown } }
    ? [parameters: ListParameters<Path>]
    : [parameters?: ListParameters<Path>]

interface AnyPage {
  readonly data: ReadonlyArray<unknown>
  readonly meta: { readonly next_cursor: string | null } | { readonly current_page: number; readonly last_page: number }
}

/** Returns the parameters of the next page; undefined after the last one. */
const nextOf = ({ meta }: AnyPage) => {
  if ("next_cursor" in meta) return meta.next_cursor === null ? undefined : { cursor: meta.next_cursor }
  return meta.current_page < meta.last_page ? { page: meta.current_page + 1 } : undefined
}

async function* read(
  client: Invoicing,
  path: ListPath,
  parameters: { readonly query?: object; readonly path?: object } | undefined,
  more: object = {}
): AsyncGenerator<AnyPage, void, undefined> {
  let place: object | undefined = path in numbered ? {} : { cursor: "" }
  while (place !== undefined) {
    const params = { ...parameters, query: { ...parameters?.query, ...more, ...place } }
    // Boundary: the types of `pages` and `each` have checked path and filters, which are generic here.
    const page = (await unwrap(client.GET(path, { params } as never))) as unknown as AnyPage
    yield page
    place = nextOf(page)
  }
}

/**
 * Reads a list page by page. To read only later changes next time, pass `meta.next_updated_since` of the last page as
 * `updated_since`.
 */
export const pages = <Path extends ListPath>(
  client: Invoicing,
  path: Path,
  ...[parameters]: Given<Path>
  // Boundary: the pages of this path have this type, which `read` does not know.
): AsyncGenerator<Page<Path>, void, undefined> => read(client, path, parameters) as never

/** Reads a whole list with only one page in memory at a time. */
export async function* each<Path extends ListPath>(
  client: Invoicing,
  path: Path,
  ...[parameters]: Given<Path>
): AsyncGenerator<Row<Path>, void, undefined> {
  // Boundary: rows of this path have this type. Other rows come only with `deleted=true`, which is not sent here.
  for await (const page of read(client, path, parameters)) yield* page.data as ReadonlyArray<Row<Path>>
}

export async function* eachDeleted<Path extends CursorPath>(
  client: Invoicing,
  path: Path,
  ...[parameters]: Given<Path>
): AsyncGenerator<Deleted, void, undefined> {
  // Boundary: with `deleted=true`, every list returns rows of this type.
  const deleted = read(client, path, parameters, { deleted: "true" })
  for await (const page of deleted) yield* page.data as ReadonlyArray<Deleted>
}
