import { PgClient, PgTypes } from "@effect/sql-pg"
import { Effect, Record, Schema } from "effect"
import { compiled } from "../../kernel/Compiled.ts"
import type { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { jsonRecord } from "../../kernel/JsonRecord.ts"
import { spanned } from "../observability/Spanned.ts"
import { uniqueExternalId } from "../sql/statements/ExternalIds.ts"
import { type Entry, AuditLog } from "./AuditLog.ts"

interface Versioned {
  readonly id: number
  readonly version: number
  /** The client's own id, unique within an organization; absent if the table has no such column. */
  readonly external_id?: string | null
}

/** The commas of a parameter list, in one SQL fragment: a fragment per parameter would take three times as long. */
const commas = (parameters: number): TemplateStringsArray => {
  const strings = Array.from({ length: parameters + 1 }, (_, index) => (index % parameters === 0 ? "" : ", "))
  return Object.assign(strings, { raw: strings })
}

/**
 * Changes rows of a table with records of organizations. Each change is one statement, which also appends the audit
 * entry. A column holds the JSON of its field (decimals as text, instants in RFC 3339); arrays and objects are jsonb.
 */
export const auditedTable = Effect.fnUntraced(function* <Facts extends Versioned>(
  name: string,
  schema: Schema.Codec<Facts, unknown>
) {
  const sql = yield* PgClient.PgClient
  const auditLog = yield* AuditLog
  const table = sql.literal(name)
  const uniquely = uniqueExternalId(sql, name)
  const encode = jsonRecord(compiled(Schema.toType(schema)))

  const columnsOf = Effect.fnUntraced(function* (facts: Facts) {
    return Record.map(yield* encode(facts), (value) =>
      typeof value === "object" && value !== null ? PgTypes.jsonb(value) : value
    )
  })

  /**
   * Inserts a record, and returns true if it was inserted. The caller has already chosen the id, because the audit
   * entry contains it. `created_by` is undefined for a table without this column. If the statement `taking` returns no
   * row, nothing is inserted.
   */
  const insert = Effect.fnUntraced(function* (
    organization_id: OrganizationId,
    facts: Facts,
    created_by: UserId | null | undefined,
    entry: Entry,
    taking = sql`select 1`
  ) {
    const row = { ...(yield* columnsOf(facts)), organization_id, ...(created_by === undefined ? {} : { created_by }) }
    const columns = sql.literal(Object.keys(row).join(", "))
    const values = Object.values(row)
    const listed = sql(commas(values.length), ...values)
    const written = sql`taken as (${taking}), written as (
      insert into ${table} (${columns}) overriding system value select ${listed} from taken returning id)`
    return yield* uniquely(facts.external_id ?? null, auditLog.attempt(written, entry))
  }, spanned("AuditedTable.insert"))

  const update = Effect.fnUntraced(function* (organization_id: OrganizationId, facts: Facts) {
    return sql`written as (
      update ${table} set ${sql.update(yield* columnsOf(facts), ["id"])}
      where organization_id = ${organization_id} and id = ${facts.id} and version = ${facts.version - 1}
        and deleted_at is null
      returning id)`
  }, Effect.orDie)

  /** Saves the record only if its stored version is the previous one; returns false if another write was faster. */
  const save = Effect.fn("AuditedTable.save")(function* (organization_id: OrganizationId, facts: Facts, entry: Entry) {
    return yield* auditLog.write(yield* update(organization_id, facts), entry)
  })

  /** Like `save`, for a record whose external id may have changed. Refuses an external id that another record has. */
  const change = Effect.fn("AuditedTable.change")(function* (
    organization_id: OrganizationId,
    facts: Facts,
    entry: Entry
  ) {
    const written = yield* update(organization_id, facts)
    return yield* uniquely(facts.external_id ?? null, auditLog.attempt(written, entry))
  })

  /** Marks the row as deleted instead of removing it. */
  const remove = Effect.fn("AuditedTable.remove")(function* (
    organization_id: OrganizationId,
    id: number,
    entry: Entry
  ) {
    yield* auditLog.write(
      sql`written as (
        update ${table} set deleted_at = now(), version = version + 1
        where organization_id = ${organization_id} and id = ${id} and deleted_at is null returning id)`,
      entry
    )
  }, Effect.orDie)

  /** Locks rows in the order of their ids, so that two transactions that lock the same rows cannot deadlock. */
  const hold = Effect.fn("AuditedTable.hold")(function* (organization_id: OrganizationId, ids: ReadonlyArray<number>) {
    if (ids.length === 0) return
    yield* sql`
      select id from ${table} where organization_id = ${organization_id} and ${sql.in("id", ids)} order by id for update`
  }, Effect.orDie)

  return { insert, save, change, remove, hold }
})
