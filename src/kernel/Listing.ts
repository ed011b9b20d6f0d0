import { Schema } from "effect"
import { Moment, Timestamp } from "./Calendar.ts"
import { compiled } from "./Compiled.ts"
import { PageLinks, PageMeta, pageQuery, type PageRequest, type Slice } from "./Envelope.ts"
import { Flag } from "./Flag.ts"

/** How a list is sorted: by one of a few columns that an index serves, and among equals by id in the same direction. */
export interface Sorting {
  readonly columns: ReadonlyArray<string>
  readonly usual: string
}

const cursor_characters_max = 2_000

export const cursor_refused = "must be one that the same list gave, with the same sort and filters."

/** Query fields of a list that clients sync. */
export const listingQuery = ({ columns, usual }: Sorting) => {
  const sorts = [...columns, ...columns.map((column) => `-${column}`)]
  return {
    ...pageQuery,
    sort: Schema.optionalKey(
      Schema.Literals(sorts).annotate({
        description:
          "A column, with `-` for descending; rows with the same value by id in the same direction. " +
          `\`${usual}\` when not given, or \`updated_at\` with \`updated_since\`.`,
        message: `must be one of: ${sorts.join(", ")}.`
      })
    ),
    cursor: Schema.optionalKey(
      Schema.String.annotate({
        description:
          "Asks for pages by cursor in place of numbered ones: empty for the first page, then each time the " +
          "`meta.next_cursor` of the page before, with the same sort and filters, until that is null. A row that is " +
          "added or changed meanwhile neither repeats nor hides another one, and a page costs the same wherever it " +
          "lies. `page` is ignored, and no total is counted."
      }).check(Schema.isMaxLength(cursor_characters_max, { message: cursor_refused }))
    ),
    updated_since: Schema.optionalKey(
      Schema.String.annotate({
        format: "date-time",
        description:
          "Only rows whose `updated_at` is not before this moment (RFC 3339). What follows from the calendar alone " +
          "(overdue, expired) moves no `updated_at`, nor do the names of other records that a row quotes. To sync: " +
          "walk by cursor, and begin the next time with the `meta.next_updated_since` of this one, which lies some " +
          "minutes before its start: changes that were still being written are in the next walk, and some rows come " +
          "twice. Then walk with `deleted=true` from the same moment."
      }).pipe(Schema.decodeTo(Moment))
    )
  }
}

/** Query fields of a list whose records can be deleted. */
export const deletableQuery = (sorting: Sorting) => ({
  ...listingQuery(sorting),
  deleted: Schema.optionalKey(
    Flag.annotate({
      description:
        "`true`: the deleted records in place of those there are, each with `id` and `deleted_at` only. " +
        "`updated_since` and `updated_at` then mean the moment of the deletion, by which they are sorted unless " +
        "`sort` says otherwise. Other filters apply to what the record was when it was deleted."
    })
  )
})

/** What a list still answers of a deleted record. */
export const Deletion = compiled(Schema.Struct({ id: Schema.Int, deleted_at: Timestamp })).annotate({
  identifier: "Deletion"
})
export type Deletion = typeof Deletion.Type

/** A row of a list whose records can be deleted. */
export const orDeletion = <S extends Schema.Top>(schema: S) => Schema.Union([schema, Deletion])

/** The row after which a walk goes on: its value of the column that is sorted by, as the database writes it. */
export const Position = Schema.Struct({ key: Schema.String, id: Schema.Int })
export type Position = typeof Position.Type

/** Where a walk by cursor is; null: at its beginning. Absent: a numbered page is asked for. */
export interface Walking {
  readonly after?: Position | null
}

export interface ListingRequest extends PageRequest, Walking {
  readonly sort?: string
  readonly updated_since?: Timestamp
  readonly deleted?: boolean
}

/** Rows of a walk, and where it goes on; null: there are no more. */
interface Stretch<A> {
  readonly rows: ReadonlyArray<A>
  readonly next: Position | null
}

/** What was asked for: a numbered page, or the next rows of a walk. */
export type Listing<A> = Slice<A> | Stretch<A>

export const mapRows = <A, B>(listing: Listing<A>, each: (row: A) => B): Listing<B> => ({
  ...listing,
  rows: listing.rows.map(each)
})

/** The same for rows of which some may be deletions, which stay as they are. */
export const mapRecords = <A extends object, B>(
  listing: Listing<A | Deletion>,
  each: (row: A) => B
): Listing<B | Deletion> => mapRows(listing, (row) => (isDeletion(row) ? row : each(row)))

const isDeletion = (row: object): row is Deletion => "deleted_at" in row

const CursorMeta = Schema.Struct({
  path: Schema.String,
  per_page: Schema.Int,
  /** Null: this was the last page. */
  next_cursor: Schema.NullOr(Schema.String),
  /** The `updated_since` of the next walk. */
  next_updated_since: Timestamp
}).annotate({ identifier: "CursorMeta" })

/** A page of such a list, by number or by cursor. Nobody knows the last of a walk, and none goes back. */
export const listing = <S extends Schema.Top>(schema: S) =>
  Schema.Struct({
    success: Schema.Literal(true),
    data: Schema.Array(compiled(schema)),
    links: Schema.Struct({ ...PageLinks.fields, last: Schema.NullOr(Schema.String) }),
    meta: Schema.Union([PageMeta, CursorMeta])
  })

interface Walked {
  readonly path: string
  readonly query: URLSearchParams
  readonly per_page: number
  readonly next_cursor: string | null
  readonly next_updated_since: Timestamp
}

export const toCursorPage = <A>(rows: ReadonlyArray<A>, { query, ...meta }: Walked) => {
  const link = (cursor: string) => {
    const parameters = new URLSearchParams(query)
    parameters.delete("page")
    parameters.set("cursor", cursor)
    return `${meta.path}?${parameters.toString()}`
  }
  const next = meta.next_cursor === null ? null : link(meta.next_cursor)
  return { success: true as const, data: rows, links: { first: link(""), last: null, prev: null, next }, meta }
}
