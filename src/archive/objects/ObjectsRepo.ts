import { PgClient } from "@effect/sql-pg"
import { BigDecimal, Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { Timestamp } from "../../kernel/Calendar.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import { limitOf, offsetOf } from "../../kernel/Envelope.ts"
import { ArchiveObjectId, OrganizationId } from "../../kernel/Ids.ts"
import { jsonRecord } from "../../kernel/JsonRecord.ts"
import { Amount, formatAmount } from "../../kernel/Money.ts"
import { searchPattern, searchText } from "../../kernel/SearchText.ts"
import type { Json } from "../../platform/events/CanonicalJson.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { type Listed, pagesOf } from "../../platform/sql/statements/Page.ts"
import { BlobKey } from "../../platform/storage/BlobStore.ts"
import type { ListPart } from "../../kernel/Listing.ts"
import { conditionsOf } from "../../platform/sql/statements/Filters.ts"
import { VaultFacts } from "./ArchiveState.ts"
import { ArchiveObject, type IndexQuery, type ObjectFilters } from "./ArchiveObject.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Row = Schema.Struct({ ...ArchiveObject.fields, amount: Schema.NullOr(Amount) })

const Measured = Schema.Struct({ object_count: Schema.Int, through: Schema.Int })

/** The storage key of an object, and the hash and size that its bytes must have. */
export const StoredObject = Schema.Struct({
  organization_id: OrganizationId,
  position: Schema.Int,
  ...Struct.pick(ArchiveObject.fields, ["id", "sha256", "size_bytes", "content_type"]),
  object_key: BlobKey
})
export type StoredObject = typeof StoredObject.Type

const Addressed = Schema.Struct({
  ...Row.fields,
  ...StoredObject.fields,
  bucket: Schema.String,
  storage_account: Schema.String,
  region: Schema.String
})

export type AddressedObject = Omit<typeof Addressed.Type, "amount"> & Pick<ArchiveObject, "amount">

/** An object to insert. Its position is assigned when it is inserted. */
export const NewObject = Schema.Struct({
  ...Struct.omit(Addressed.fields, ["position"]),
  retained_until: Schema.NullOr(Timestamp)
})
export type NewObject = typeof NewObject.Type

const shown = <R extends Pick<typeof Row.Type, "amount" | "currency">>(row: R) => ({
  ...row,
  amount: row.amount === null || row.currency === null ? null : formatAmount(row.amount, exponentOf(row.currency))
})

/** Returns the columns of an object, with amounts and times as text. */
const columnsOf = jsonRecord(Schema.toType(NewObject))

/** All columns except the organization, because each organization has its own audit chain. */
const factsOf = ({ id: object_id = null, ...columns }: Readonly<Record<string, Json>>) => ({
  object_id,
  ...Struct.omit(columns, ["organization_id"])
})

const Set = Schema.Struct({ organization_id: OrganizationId, through: Schema.Int })
type Set = typeof Set.Type

export class ObjectsRepo extends Context.Service<ObjectsRepo>()("invoicing/archive/objects/ObjectsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const auditLog = yield* AuditLog
    const columns = sql.literal(`id::text, object_kind, direction, number, counterparty_name, issue_date, amount,
      currency, environment, sha256, content_type, size_bytes, document_type, document_id, archived_at`)
    const address = sql.literal("organization_id, position, object_key, bucket, storage_account, region")

    const matching = (organization_id: OrganizationId, asked: ObjectFilters, through?: number) => {
      const patterns = { number: searchPattern(asked.number), counterparty: searchPattern(asked.counterparty) }
      const filters = { ...asked, ...patterns, through }
      return sql.and([
        sql`organization_id = ${organization_id}`,
        ...conditionsOf(filters, {
          through: (position) => sql`position <= ${position}`,
          number: (pattern) => sql`number_search like ${pattern}`,
          counterparty: (pattern) => sql`counterparty_search like ${pattern}`,
          issued_from: (day) => sql`issue_date >= ${day}::date`,
          issued_until: (day) => sql`issue_date <= ${day}::date`,
          amount_min: (amount) => sql`amount >= ${BigDecimal.format(amount)}::numeric`,
          amount_max: (amount) => sql`amount <= ${BigDecimal.format(amount)}::numeric`,
          direction: (direction) => sql`direction = ${direction}`,
          kind: (kind) => sql`object_kind = ${kind}`
        })
      ])
    }

    const pages = pagesOf(Row.fields)

    const list = Effect.fn("ObjectsRepo.list")(function* (organization_id: OrganizationId, query: IndexQuery) {
      const where = matching(organization_id, query)
      const { rows, total } = yield* pages(
        query,
        (query) => sql<Listed>`
          select ${columns}, (select count(*)::integer from archive_objects where ${where}) as list_total
          from archive_objects where ${where}
          order by archived_at desc, id desc limit ${limitOf(query)} offset ${offsetOf(query)}`
      )
      return { rows: rows.map(shown), total }
    }, Effect.orDie)

    const find = SqlSchema.findOneOption({
      Request: Schema.Struct({ organization_id: OrganizationId, id: ArchiveObjectId }),
      Result: StoredObject,
      execute: ({ id, organization_id }) => sql`
        select id::text, sha256, size_bytes, content_type, organization_id, position, object_key from archive_objects
        where organization_id = ${organization_id} and id = ${id}::uuid`
    })

    const decodeAddressed = Schema.decodeUnknownEffect(Schema.Array(Addressed))

    /** Reads the next objects that match the filters, in the order of their positions. */
    const part = Effect.fn("ObjectsRepo.part")(function* (
      { organization_id, through }: Set,
      filters: ObjectFilters,
      { after, limit }: ListPart
    ) {
      const rows = yield* sql`
        select ${columns}, ${address} from archive_objects
        where ${matching(organization_id, filters, through)} and position > ${after}
        order by position limit ${limit}`
      return (yield* decodeAddressed(rows)).map((row): AddressedObject => shown(row))
    }, Effect.orDie)

    const decodeMeasured = Schema.decodeUnknownEffect(Schema.Tuple([Measured]))

    /** Reads the count and the last position in one SQL statement, so that both describe the same moment. */
    const measure = Effect.fn("ObjectsRepo.measure")(function* (
      organization_id: OrganizationId,
      filters: ObjectFilters
    ) {
      const rows = yield* sql`
        select count(*) filter (where ${matching(organization_id, filters)})::integer as object_count,
          coalesce(max(position), 0) as through
        from archive_objects where organization_id = ${organization_id}`
      const [measured] = yield* decodeMeasured(rows)
      return measured
    }, Effect.orDie)

    /** Locks the archive of the organization, so that only one transaction at a time adds objects to it. */
    const lockVault = Effect.fn("ObjectsRepo.lockVault")(function* (organization_id: OrganizationId) {
      yield* sql`
        insert into vaults as v (organization_id) values (${organization_id})
        on conflict (organization_id) do update set objects = v.objects`
    }, Effect.orDie)

    const findSame = SqlSchema.findOneOption({
      Request: Schema.Struct(
        Struct.pick(NewObject.fields, [
          "organization_id",
          "object_kind",
          "direction",
          "document_type",
          "document_id",
          "sha256"
        ])
      ),
      Result: Schema.Struct({ id: ArchiveObjectId }),
      execute: ({ direction, document_id, document_type, object_kind, organization_id, sha256 }) => sql`
        select id::text from archive_objects
        where organization_id = ${organization_id} and sha256 = ${sha256} and object_kind = ${object_kind}
          and direction = ${direction} and document_type is not distinct from ${document_type}::text
          and document_id is not distinct from ${document_id}::bigint
        order by position limit 1`
    })

    const vault = SqlSchema.findOneOption({
      Request: OrganizationId,
      Result: VaultFacts,
      execute: (organization_id) => sql`
        select objects, bytes, by_plan, failing_since from vaults
        where organization_id = ${organization_id}`
    })

    /** Must be the last statement of a transaction, because it locks the audit log. */
    const record = Effect.fn("ObjectsRepo.record")(function* (object: NewObject, by_plan: boolean) {
      const { organization_id } = object
      const columns = yield* columnsOf(object)
      const entry = { organization_id, actor: "system", action: "archive.stored", data: factsOf(columns) }
      const row = {
        ...columns,
        number_search: searchText([object.number]),
        counterparty_search: searchText([object.counterparty_name])
      }
      yield* auditLog.write(
        sql`
          vault as (
            insert into vaults as v (organization_id, objects, bytes, by_plan)
            values (${organization_id}, 1, ${object.size_bytes}::bigint, ${by_plan})
            on conflict (organization_id) do update set objects = v.objects + 1, bytes = v.bytes + excluded.bytes,
              by_plan = v.by_plan or excluded.by_plan, failing_since = null
            returning organization_id, objects as position),
          written as (
            insert into archive_objects (organization_id, position, id, object_kind, direction, document_type,
              document_id, number, counterparty_name, number_search, counterparty_search, issue_date, amount, currency,
              environment, sha256, content_type, size_bytes, object_key, bucket, storage_account, region, retained_until, archived_at)
            select vault.organization_id, vault.position, o.id, o.object_kind, o.direction, o.document_type,
              o.document_id, o.number, o.counterparty_name, o.number_search, o.counterparty_search, o.issue_date,
              o.amount, o.currency, o.environment, o.sha256, o.content_type, o.size_bytes, o.object_key, o.bucket,
              o.storage_account, o.region, o.retained_until, o.archived_at
            from vault, jsonb_populate_record(null::archive_objects, ${sql.json(row)}::jsonb) o
            returning organization_id)`,
        entry
      )
    }, Effect.orDie)

    const decodeRecorded = Schema.decodeUnknownEffect(Schema.Array(NewObject))

    /** Returns the data that the audit entries about these objects must have. */
    const facts = Effect.fn("ObjectsRepo.facts")(function* (
      organization_id: OrganizationId,
      ids: ReadonlyArray<ArchiveObjectId>
    ) {
      if (ids.length === 0) return []
      const rows = yield* sql`
        select ${columns}, ${address}, retained_until from archive_objects
        where organization_id = ${organization_id} and ${sql.in("id", ids)}`
      return yield* Effect.forEach(yield* decodeRecorded(rows), (row) => Effect.map(columnsOf(row), factsOf))
    }, Effect.orDie)

    /** Stores the time since which objects cannot be stored. The next stored object removes it. */
    const noteFailure = Effect.fn("ObjectsRepo.noteFailure")(function* (
      organization_id: OrganizationId,
      at: Timestamp
    ) {
      yield* sql`
        insert into vaults as v (organization_id, failing_since) values (${organization_id}, ${at}::timestamptz)
        on conflict (organization_id) do update set failing_since = coalesce(v.failing_since, excluded.failing_since)`
    }, Effect.orDie)

    return {
      ...traced("ObjectsRepo", { find, findSame, vault }),
      list,
      part,
      measure,
      lockVault,
      record,
      facts,
      noteFailure
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
