import { Schema } from "effect"
import { Moment, Timestamp } from "./Calendar.ts"
import { compiled } from "./Compiled.ts"
import { described } from "./Described.ts"
import { envelope, PageLinks, PageMeta, pageQuery, type PageRequest, type PageRows, success } from "./Envelope.ts"
import { Flag } from "./Flag.ts"

/** The sorting of a list by an indexed column; rows with equal values are sorted by id in the same direction. */
export interface Sorting {
  readonly columns: ReadonlyArray<string>
  readonly usual: string
}

/** A part of a long list: at most `limit` records whose number is above `after`. */
export interface ListPart {
  readonly after: number
  readonly limit: number
}

const cursor_characters_max = 2_000

export const cursor_refused = "must be a cursor of this list, with the same sort and filters."

/** Query fields of a list that clients can synchronize. */
export const listingQuery = ({ columns, usual }: Sorting) => {
  const sorts = [...columns, ...columns.map((column) => `-${column}`)]
  return {
    ...pageQuery,
    sort: Schema.optionalKey(
      Schema.Literals(sorts).annotate({
        description:
          "A column, with `-` for descending order; rows with the same value are sorted by id in the same direction. " +
          `The default is \`${usual}\`, or \`updated_at\` with \`updated_since\`.`,
        message: `must be one of: ${sorts.join(", ")}.`
      })
    ),
    cursor: Schema.optionalKey(
      Schema.String.annotate({
        description:
          "Reads the list by cursor instead of by page number. Send an empty cursor for the first page, then the " +
          "`meta.next_cursor` of the previous page with the same sort and filters, until that is null. A row that is " +
          "added or changed meanwhile neither repeats nor hides another one, and each page costs the same. `page` is " +
          "ignored, and no total is counted."
      }).check(Schema.isMaxLength(cursor_characters_max, { message: cursor_refused }))
    ),
    updated_since: Schema.optionalKey(
      Schema.String.annotate({
        format: "date-time",
        description:
          "Only rows whose `updated_at` is not before this moment (RFC 3339, or a day in UTC; a `+` in a query is written " +
          "`%2B`). A state that follows from the calendar (overdue, expired) does not change `updated_at`, nor does a " +
          "new name or due date of another record that a row shows. " +
          "To sync, read the list by cursor, and begin the next sync with the `meta.next_updated_since` of this one. " +
          "It is some minutes before the start of this sync, so that the next one includes changes that were still being " +
          "written; some rows are therefore returned twice. Then read the list with `deleted=true` from the same moment."
      }).pipe(Schema.decodeTo(Moment))
    ),
    deleted: described(
      Schema.optionalKey(Flag),
      "`true` returns an empty list, because these records are never deleted."
    )
  }
}

export const deletableQuery = (sorting: Sorting) => ({
  ...listingQuery(sorting),
  deleted: described(
    Schema.optionalKey(Flag),
    "`true` returns deleted records instead of existing ones, with `id` and `deleted_at` only. " +
      "`updated_since` and `updated_at` then refer to the moment of the deletion, by which the rows are sorted " +
      "unless `sort` says otherwise. Other filters apply to the record at the time of its deletion."
  )
})

export const Deletion = compiled(
  Schema.Struct({
    id: described(Schema.Int, "Id that the record had."),
    deleted_at: described(Timestamp, "Time of the deletion.")
  })
).annotate({
  identifier: "Deletion",
  description: "A deleted record, with only its id and the time of the deletion."
})
export type Deletion = typeof Deletion.Type

export const orDeletion = <S extends Schema.Top>(schema: S) =>
  Schema.Union([schema, Deletion]).annotate(
    envelope(schema, "OrDeletion", "A record, or with `deleted=true` its deletion.")
  )

/** The id and the sort column of the last row before a cursor, as the database writes them. */
export const Position = Schema.Struct({ key: Schema.String, id: Schema.Int })
export type Position = typeof Position.Type

/** If `after` is null, the list is read from its beginning. If `after` is absent, the list is read by page number. */
export interface CursorRequest {
  readonly after?: Position | null
}

export interface ListingRequest extends PageRequest, CursorRequest {
  readonly sort?: string
  readonly updated_since?: Timestamp
  readonly deleted?: boolean
}

/** `next` is the position at which to continue after these rows; null if there are no more rows. */
interface CursorRows<A> {
  readonly rows: ReadonlyArray<A>
  readonly next: Position | null
}

export type Listing<A> = PageRows<A> | CursorRows<A>

export const mapRows = <A, B>(listing: Listing<A>, each: (row: A) => B): Listing<B> => ({
  ...listing,
  rows: listing.rows.map(each)
})

/** Like `mapRows`, but leaves a row unchanged that stands for a deleted record. */
export const mapRecords = <A extends object, B>(
  listing: Listing<A | Deletion>,
  each: (row: A) => B
): Listing<B | Deletion> => mapRows(listing, (row) => (isDeletion(row) ? row : each(row)))

const isDeletion = (row: object): row is Deletion => "deleted_at" in row

const CursorMeta = Schema.Struct({
  path: PageMeta.fields.path,
  per_page: PageMeta.fields.per_page,
  next_cursor: described(Schema.NullOr(Schema.String), "Cursor of the next page; null on the last one."),
  next_updated_since: described(Timestamp, "Value of `updated_since` for the next sync.")
}).annotate({ identifier: "CursorMeta", description: "Where to continue a list that is read by cursor." })

const CursorLinks = Schema.Struct({
  ...PageLinks.fields,
  last: described(Schema.NullOr(Schema.String), "Address of the last page; null for a list that is read by cursor.")
}).annotate({ identifier: "CursorLinks", description: "Links to the pages around a page." })

/** In a page that is read by cursor, `last` and `prev` are null, because these pages are unknown. */
export const listing = <S extends Schema.Top>(schema: S) =>
  Schema.Struct({
    success,
    data: described(Schema.Array(compiled(schema)), "The rows of the page."),
    links: described(CursorLinks, "Addresses of other pages with the same filters."),
    meta: described(Schema.Union([PageMeta, CursorMeta]), "Position of the page in the list.")
  }).annotate(envelope(schema, "List", "One page of a list, by number or by cursor."))

interface CursorPage {
  readonly path: string
  readonly query: URLSearchParams
  readonly per_page: number
  readonly next_cursor: string | null
  readonly next_updated_since: Timestamp
}

export const toCursorPage = <A>(rows: ReadonlyArray<A>, { query, ...meta }: CursorPage) => {
  const link = (cursor: string) => {
    const parameters = new URLSearchParams(query)
    parameters.delete("page")
    parameters.set("cursor", cursor)
    return `${meta.path}?${parameters.toString()}`
  }
  const next = meta.next_cursor === null ? null : link(meta.next_cursor)
  return { success: true as const, data: rows, links: { first: link(""), last: null, prev: null, next }, meta }
}
