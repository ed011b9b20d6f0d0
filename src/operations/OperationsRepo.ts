import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { limitOf, offsetOf } from "../kernel/Envelope.ts"
import { OperationId, OrganizationId } from "../kernel/Ids.ts"
import { StoredCaller } from "../organizations/access/AsCaller.ts"
import { conditionsOf } from "../platform/sql/statements/Filters.ts"
import { pagesOf } from "../platform/sql/statements/Page.ts"
import { purge } from "../platform/sql/statements/Purge.ts"
import { ListedOperation, Operation, OperationError, OperationKind, type OperationsQuery } from "./Operation.ts"
import { OperationKey } from "./OperationQueues.ts"
import { traced } from "../platform/sql/Traced.ts"

const Json = Schema.fromJsonString(Schema.Json)
const ErrorText = Schema.fromJsonString(OperationError)

const listed = { ...ListedOperation.fields, error: Schema.NullOr(ErrorText) }

/** Each start of an operation is a numbered run. It replaces the run before, e.g. that of a suspended process. */
const Run = Schema.Struct({ ...OperationKey.fields, run: Schema.Int })
export type Run = typeof Run.Type

const Started = Schema.Struct({
  run: Schema.Int,
  caller: StoredCaller,
  input: Json,
  file: Schema.NullOr(Schema.Uint8Array)
})

interface NewOperation {
  readonly kind: OperationKind
  readonly total: number
  readonly input: Schema.Json
  readonly file: Uint8Array | null
  readonly caller: StoredCaller
  readonly origin: string | null
  readonly traceparent: string | null
}

const encodeCaller = Schema.encodeEffect(StoredCaller)
const encodeError = Schema.encodeEffect(Schema.NullOr(ErrorText))
const Kinds = Schema.Struct({ ...OperationKey.fields, kinds: Schema.Array(OperationKind) })

export class OperationsRepo extends Context.Service<OperationsRepo>()("invoicing/operations/OperationsRepo", {
  make: Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const pages = pagesOf(listed)
    const own = ({ id, organization_id }: typeof OperationKey.Encoded) =>
      sql`organization_id = ${organization_id} and id = ${id}`
    const isUnended = sql.literal("completed_at is null")
    /** Progress of a running operation, counted from the results so far. */
    const progress = sql.literal(`
      left join lateral (
        select count(*)::integer as done, count(*) filter (where i.failed)::integer as failed
        from operation_items i where i.organization_id = o.organization_id and i.operation_id = o.id) p
        on o.completed_at is null`)
    const columns = sql.literal(`o.id, o.kind, o.status, o.total, coalesce(p.done, o.done) as done,
      coalesce(p.failed, o.failed) as failed, o.error, o.created_at, o.completed_at`)

    /**
     * Locks an organization's operations until the commit, so that requests, starts and ends of operations take turns.
     */
    const lock = Effect.fn("OperationsRepo.lock")(function* (organization_id: OrganizationId) {
      yield* sql`select pg_advisory_xact_lock(hashtextextended(${`operations:${organization_id}`}, 0))`
    }, Effect.orDie)

    const Count = Schema.Struct({ unended: Schema.Int, offered: Schema.Int })
    const count = SqlSchema.findOne({
      Request: OrganizationId,
      Result: Count,
      execute: (organization_id) => sql`
        select count(*)::integer as unended, (count(*) filter (where offered))::integer as offered
        from operations where organization_id = ${organization_id} and ${isUnended}`
    })

    const Id = Schema.Struct({ id: OperationId })
    const findOrigin = SqlSchema.findOneOption({
      Request: Schema.Struct({ organization_id: OrganizationId, origin: Schema.String }),
      Result: Id,
      execute: ({ organization_id, origin }) => sql`
        select id from operations where organization_id = ${organization_id} and origin = ${origin}`
    })

    const decodeId = Schema.decodeUnknownEffect(Schema.Tuple([Id]))
    const insert = Effect.fn("OperationsRepo.insert")(function* (operation: NewOperation, offered: boolean) {
      const { caller, input, ...row } = operation
      const { organization_id } = caller
      const stored = { ...row, organization_id, offered, input: JSON.stringify(input) }
      const inserted = yield* sql`
        insert into operations ${sql.insert({ ...stored, caller: sql.json(yield* encodeCaller(caller)) })} returning id`
      const [{ id }] = yield* decodeId(inserted)
      return id
    }, Effect.orDie)

    const find = SqlSchema.findOneOption({
      Request: Kinds,
      Result: Schema.Struct({ ...Operation.fields, ...listed, results: Schema.NullOr(Json) }),
      execute: ({ id, kinds, organization_id }) => sql`
        select ${columns}, o.results from operations o ${progress}
        where o.organization_id = ${organization_id} and o.id = ${id} and ${sql.in("o.kind", kinds)}`
    })

    const list = Effect.fn("OperationsRepo.list")(function* (
      organization_id: OrganizationId,
      kinds: ReadonlyArray<OperationKind>,
      query: OperationsQuery
    ) {
      const filters = sql.and([
        sql`o.organization_id = ${organization_id}`,
        sql.in("o.kind", kinds),
        ...conditionsOf(query, { status: (status) => sql`o.status = ${status}` })
      ])
      return yield* pages(
        query,
        (page) => sql`
          select ${columns}, (select count(*) from operations o where ${filters})::integer as list_total
          from operations o ${progress} where ${filters}
          order by o.id desc limit ${limitOf(page)} offset ${offsetOf(page)}`
      )
    }, Effect.orDie)

    /**
     * Waits while the previous run records the result of an item. The SQL statement does not see that result, so
     * results must be read by a later statement.
     */
    const start = SqlSchema.findOneOption({
      Request: OperationKey,
      Result: Started,
      execute: (key) => sql`
        update operations set status = 'running', runs = runs + 1 where ${own(key)} and ${isUnended}
        returning runs as run, caller, input, file`
    })

    const recorded = SqlSchema.findAll({
      Request: OperationKey,
      Result: Schema.Struct({ position: Schema.Int, result: Json }),
      execute: ({ id, organization_id }) => sql`
        select position, result from operation_items
        where organization_id = ${organization_id} and operation_id = ${id}`
    })

    const isCurrent = (run: typeof Run.Encoded) => sql`${own(run)} and ${isUnended} and runs = ${run.run}`

    /** Fails if another run has replaced this one. The failure rolls back the item's work together with its result. */
    const record = Effect.fn("OperationsRepo.record")(function* (
      run: Run,
      position: number,
      failed: boolean,
      result: Schema.Json
    ) {
      const made = yield* sql`
        insert into operation_items (organization_id, operation_id, position, failed, result)
        select organization_id, id, ${position}::integer, ${failed}::boolean, ${JSON.stringify(result)}::text
        from operations where ${isCurrent(run)} for share
        on conflict (organization_id, operation_id, position) do update set failed = excluded.failed, result = excluded.result
        returning position`
      if (made.length === 0) return yield* Effect.die(new Error(`Another run of operation ${run.id} has begun.`))
    }, Effect.orDie)

    /**
     * Combines the items' results, and removes unneeded data. Returns false if the operation had already ended, or if
     * another run has replaced the given one.
     */
    const end = Effect.fn("OperationsRepo.end")(function* (
      key: OperationKey | Run,
      shape: "one" | "list",
      error: OperationError | null
    ) {
      const items = sql`organization_id = ${key.organization_id} and operation_id = ${key.id}`
      const results =
        shape === "one"
          ? sql.literal("max(result)")
          : sql.literal("'[' || string_agg(result, ',' order by position) || ']'")
      // An operation of one item that is refused has no result, but its item has failed.
      const is_refused = shape === "one" && error !== null
      const counted = (count: "done" | "failed") =>
        sql.literal(is_refused ? `case when i.done = 0 then total else i.${count} end` : `i.${count}`)
      const ended = yield* sql`
        update operations set status = ${error === null ? "completed" : "failed"}, error = ${yield* encodeError(error)},
          completed_at = now(), input = null, file = null, done = ${counted("done")}, failed = ${counted("failed")}, results = i.results
        from (
          select count(*)::integer as done, (count(*) filter (where failed))::integer as failed, ${results} as results
          from operation_items where ${items}) i
        where ${"run" in key ? isCurrent(key) : sql`${own(key)} and ${isUnended}`}
        returning 1`
      if (ended.length === 0) return false
      yield* sql`delete from operation_items where ${items}`
      return true
    }, Effect.orDie)

    const Waiting = Schema.Struct({ id: OperationId, kind: OperationKind, traceparent: Schema.NullOr(Schema.String) })
    /** Marks the oldest operation without a job as having a job, which the caller then enqueues. */
    const offerNext = SqlSchema.findOneOption({
      Request: OrganizationId,
      Result: Waiting,
      execute: (organization_id) => sql`
        update operations set offered = true
        where organization_id = ${organization_id} and id = (
          select min(id) from operations
          where organization_id = ${organization_id} and ${isUnended} and not offered)
        returning id, kind, traceparent`
    })

    /**
     * Lists, across organizations, the operations that have a job but have not ended a minute after they were
     * requested.
     */
    const unended = SqlSchema.findAll({
      Request: Schema.Struct({ kind: OperationKind, after: Schema.Int, limit: Schema.Int }),
      Result: OperationKey,
      execute: ({ after, kind, limit }) => sql`
        select organization_id, id from operations
        where ${isUnended} and offered and kind = ${kind} and id > ${after} and created_at < now() - interval '1 minute'
        order by id limit ${limit}`
    })

    const removeEnded = (kept_days: number) =>
      purge(sql, "operations", "id", sql`completed_at < now() - make_interval(days => ${kept_days})`)

    return {
      ...traced("OperationsRepo", {
        count,
        find,
        /** Returns none when the operation has ended. */
        start,
        recorded,
        offerNext,
        unended,
        removeEnded
      }),
      lock,
      findOrigin: Effect.fn("OperationsRepo.findOrigin")(
        findOrigin,
        Effect.map(Option.map(({ id }) => id)),
        Effect.orDie
      ),
      insert,
      list,
      record,
      end
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
