import type { Invoicing } from "./Methods.ts"
import type { paths } from "./openapi.ts"
import { unwrap } from "./Refused.ts"

type Get<Path extends keyof paths> = paths[Path]["get"]
type Query<Path extends keyof paths> =
  Get<Path> extends { parameters: { query?: infer Values } } ? NonNullable<Values> : never

/** The paths of the lists that can be read with a cursor. */
export type ListPath = {
  [Path in keyof paths]: [Query<Path>] extends [never] ? never : "cursor" extends keyof Query<Path> ? Path : never
}[keyof paths]

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

/** A page of a list that is read with a cursor. */
export type Page<Path extends ListPath> = Omit<Answer<Path>, "data" | "meta"> & {
  readonly data: ReadonlyArray<Row<Path>>
  readonly meta: Extract<Meta<Path>, { next_updated_since: string }>
}

type ListParameters<Path extends ListPath> = {
  readonly query?: Omit<Query<Path>, "cursor" | "page" | "deleted">
} & (Get<Path> extends { parameters: { path: infer Ids } } ? { readonly path: Ids } : unknown)

type Given<Path extends ListPath> =
  Get<Path> extends { parameters: { path: unknown } }
    ? [parameters: ListParameters<Path>]
    : [parameters?: ListParameters<Path>]

interface CursorPage {
  readonly data: ReadonlyArray<unknown>
  readonly meta: { readonly next_cursor: string | null }
}

async function* read(
  client: Invoicing,
  path: ListPath,
  parameters: { readonly query?: object; readonly path?: object } | undefined,
  more: object = {}
): AsyncGenerator<CursorPage, void, undefined> {
  for (let cursor: string | null = ""; cursor !== null;) {
    const params = { ...parameters, query: { ...parameters?.query, ...more, cursor } }
    // Boundary: the types of `pages` and `each` have checked path and filters, which are generic here.
    const page = (await unwrap(client.GET(path, { params } as never))) as unknown as CursorPage
    yield page
    cursor = page.meta.next_cursor
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

export async function* eachDeleted<Path extends ListPath>(
  client: Invoicing,
  path: Path,
  ...[parameters]: Given<Path>
): AsyncGenerator<Deleted, void, undefined> {
  // Boundary: with `deleted=true`, every list returns rows of this type.
  const deleted = read(client, path, parameters, { deleted: "true" })
  for await (const page of deleted) yield* page.data as ReadonlyArray<Deleted>
}
