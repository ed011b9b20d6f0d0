import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { Day, TimeZone } from "../../kernel/Calendar.ts"
import { unusualExponents } from "../../kernel/Currency.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { Column, ExportResource } from "./ExportRequest.ts"
import type { SourceColumn } from "./SourceColumns.ts"
import { type Source, sources } from "./SourcesRepo.ts"

export interface Selection {
  readonly organization_id: OrganizationId
  readonly resource: ExportResource
  readonly start_date: Day | null
  readonly end_date: Day | null
  readonly timezone: TimeZone
  readonly today: Day
}

/** The number of records and the id of the last one. Records that are added during the export are left out. */
const Extent = Schema.Struct({ count: Schema.Int, last: Schema.NullOr(Schema.Int) })

/** A record with its cells in the order of the resource's columns. */
const Found = Schema.Struct({ id: Schema.Int, cells: Schema.Array(Schema.NullOr(Schema.String)) })

/** Reads the records in portions by ascending id, so that a slow client does not hold a database connection. */
export class RecordExportsRepo extends Context.Service<RecordExportsRepo>()(
  "invoicing/reports/export/RecordExportsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const decodedExtent = Schema.decodeUnknownEffect(Schema.Tuple([Extent]))
      const decodedRows = Schema.decodeUnknownEffect(Schema.Array(Found))

      const selected = ({ end_date, organization_id, resource, start_date, timezone }: Selection) => {
        const { dated, where } = sources[resource]
        const day =
          "day" in dated
            ? sql`(${sql.literal(dated.day)})`
            : sql`(${sql.literal(dated.moment)} at time zone ${timezone}::text)::date`
        return sql.and([
          sql`x.organization_id = ${organization_id}`,
          sql.literal(where),
          ...(start_date === null ? [] : [sql`${day} >= ${start_date}::date`]),
          ...(end_date === null ? [] : [sql`${day} <= ${end_date}::date`])
        ])
      }

      const extent = Effect.fn("RecordExportsRepo.extent")(function* (selection: Selection) {
        const table = sql.literal(selection.resource)
        const rows = yield* sql`
        select count(*)::integer as count, max(x.id) as last from ${table} x where ${selected(selection)}`
        const [found] = yield* decodedExtent(rows)
        return found
      }, Effect.orDie)

      const portion = Effect.fn("RecordExportsRepo.portion")(function* (
        selection: Selection,
        after: number,
        last: number,
        limit: number
      ) {
        const source = sources[selection.resource]
        const rows = yield* sql`
        with given as (
          select ${selection.today}::date as today, ${JSON.stringify(unusualExponents)}::jsonb as unusual)
        select x.id, array[${cells(source)}]::text[] as cells
        from given cross join ${sql.literal(source.from)} ${money(source)}
        where ${selected(selection)} and x.id > ${after} and x.id <= ${last} order by x.id limit ${limit}`
        return yield* decodedRows(rows)
      }, Effect.orDie)

      const cells = ({ columns }: Source): Fragment => sql.literal(columns.map(textOf).join(", "))

      const money = ({ columns }: Source): Fragment =>
        columns.some(({ kind }) => kind === "amount")
          ? sql`cross join lateral (select coalesce((given.unusual ->> x.currency)::integer, 2) as exponent) money`
          : sql``

      return { columns: columnsOf, extent, portion }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

const columnsOf = (resource: ExportResource): ReadonlyArray<Column> => sources[resource].columns

/** Formats a column's value as text. Amounts have the decimals of their currency, or more if they are not rounded. */
const textOf = ({ expression, kind }: SourceColumn): string => {
  switch (kind) {
    case "amount":
      return `round(${expression}, greatest(exponent, min_scale(${expression})))::text`
    case "decimal":
      return `trim_scale(${expression})::text`
    case "moment":
      return `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    default:
      return `(${expression})::text`
  }
}
