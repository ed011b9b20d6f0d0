import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { compiled } from "../../../kernel/Compiled.ts"
import { limitOf, offsetOf } from "../../../kernel/Envelope.ts"
import { Deletion, type Listing, type ListingRequest, Position, type Sorting } from "../../../kernel/Listing.ts"
import { type Listed, pagesOf } from "./Page.ts"
import { ReplicaReading } from "../Replica.ts"
import { conditionsOf } from "./Filters.ts"

interface Terms {
  /** Condition for all rows of the list. */
  readonly matching: Fragment
  /** Condition for the rows after the cursor. */
  readonly where: Fragment
  readonly sorted: Fragment
  readonly limited: Fragment
  /** Further columns: the total (`count`) of a numbered page, the sort key for a cursor, the time of a deletion. */
  readonly facts: (count: Fragment) => Fragment
}

/** `expression` is the SQL of a sortable column, which needs an index on the organization, the column and the id. */
export const sortedBy =
  (sql: SqlClient.SqlClient, { usual }: Sorting, expression: (column: string) => string) =>
  (request: ListingRequest, conditions: ReadonlyArray<Fragment>): Terms => {
    const { after, deleted, updated_since } = request
    const sort = request.sort ?? (updated_since === undefined && deleted !== true ? usual : "updated_at")
    const descending = sort.startsWith("-")
    const column = descending ? sort.slice(1) : sort
    // For a deleted row, the time of the last change is the time of deletion.
    const changed = sql.literal(expression(deleted === true ? "deleted_at" : "updated_at"))
    const key = column === "updated_at" ? changed : sql.literal(expression(column))
    const id = sql.literal(expression("id"))
    const [direction, beyond] = descending
      ? [sql.literal("desc"), sql.literal("<")]
      : [sql.literal("asc"), sql.literal(">")]
    const gone = deleted === true ? sql`, ${sql.literal(expression("deleted_at"))} as deleted_at` : sql``
    const matching = sql.and([
      ...conditions,
      ...conditionsOf(request, { updated_since: (time) => sql`${changed} >= ${time}::timestamptz` })
    ])
    return {
      matching,
      where: after ? sql`${matching} and (${key}, ${id}) ${beyond} (${after.key}, ${after.id})` : matching,
      sorted: sql`order by ${key} ${direction}, ${id} ${direction}`,
      limited:
        after === undefined
          ? sql`limit ${limitOf(request)} offset ${offsetOf(request)}`
          : // The limit is no parameter: the planner must know that few rows are wanted to choose an index.
            sql.literal(`limit ${limitOf(request) + 1}`),
      facts: (count) =>
        after === undefined ? sql`(${count}) as list_total ${gone}` : sql`${key}::text as list_key ${gone}`
    }
  }

/** Condition that selects either deleted or existing rows of a table that keeps both. */
export const deletedFilter = (sql: SqlClient.SqlClient, { deleted }: ListingRequest, column = "deleted_at") =>
  sql.literal(`${column} is ${deleted === true ? "not null" : "null"}`)

const decodePassed = Schema.decodeUnknownEffect(
  Schema.Struct({ list_key: Position.fields.key, id: Position.fields.id })
)

/** Reads a numbered page, or the rows after a cursor and an extra row, which shows whether there are further rows. */
const readingOf = <Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const pages = pagesOf(fields)
  const decode = Schema.decodeUnknownEffect(Schema.Array(compiled(Schema.Struct(fields))))
  const read = Effect.fnUntraced(function* <Query extends ListingRequest, E, R>(
    query: Query,
    select: (query: Query) => Effect.Effect<ReadonlyArray<Listed>, E, R>
  ) {
    if (query.after === undefined) return yield* pages(query, select)
    const found = yield* select(query)
    const rows = found.slice(0, limitOf(query))
    if (rows.length === found.length) return { rows: yield* decode(rows), next: null }
    const { id, list_key } = yield* decodePassed(rows.at(-1))
    return { rows: yield* decode(rows), next: { key: list_key, id } }
  })
  return <Query extends ListingRequest, E, R>(
    query: Query,
    select: (query: Query) => Effect.Effect<ReadonlyArray<Listed>, E, R>
  ) =>
    isSynchronizing(query)
      ? Effect.flatMap(ReplicaReading, (reading) => reading(read(query, select)))
      : read(query, select)
}

/** True for a query of a client that synchronizes, and therefore reads whole lists again and again. */
const isSynchronizing = ({ after, deleted, updated_since }: ListingRequest) =>
  after !== undefined || updated_since !== undefined || deleted === true

/** Reads a list of records that are never deleted. */
export const listingOf = <Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const records = readingOf(fields)
  return <Query extends ListingRequest, E, R>(
    query: Query,
    select: (query: Query) => Effect.Effect<ReadonlyArray<Listed>, E, R>
  ) => (query.deleted === true ? Effect.succeed(noneOf(query)) : records(query, select))
}

const noneOf = ({ after }: ListingRequest) => (after === undefined ? { rows: [], total: 0 } : { rows: [], next: null })

/** A deleted row is returned with only its id and the time of its deletion. */
export const deletableListingOf = <Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const records = readingOf(fields)
  const deletions = readingOf(Deletion.fields)
  return <Query extends ListingRequest, E, R>(
    query: Query,
    select: (query: Query) => Effect.Effect<ReadonlyArray<Listed>, E, R>
  ): Effect.Effect<
    Listing<Schema.Struct<Fields>["Type"] | Deletion>,
    E | Schema.SchemaError,
    R | Schema.Struct<Fields>["DecodingServices"]
  > => (query.deleted === true ? deletions(query, select) : records(query, select))
}
