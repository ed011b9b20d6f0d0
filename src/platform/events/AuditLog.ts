import { PgClient } from "@effect/sql-pg"
import { type Cause, Clock, Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlError } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { randomUUIDv7 } from "node:crypto"
import { Day } from "../../kernel/Calendar.ts"
import type { EventName } from "../../kernel/EventName.ts"
import { type ActiveOrganization, type Caller, CurrentOrganization, CurrentPrincipal } from "../http/Security.ts"
import { traceparent } from "../observability/TraceContext.ts"
import { canonicalJson, type Json } from "./CanonicalJson.ts"

/** A change of business data adds one audit entry, and the events that it causes, in the transaction of the change. */
export interface Entry {
  readonly organization_id: number
  /** The actor: `user:3`, `token:5`, `admin` or `system`. */
  readonly actor: string
  /** Name of the action, e.g. `invoice.issued`. */
  readonly action: string
  readonly data: { readonly [key: string]: Json }
  /** The lock date of the books when the organization was read. If it is absent, the write ignores the lock date. */
  readonly books_locked_until?: Day | null
  /** `data.object` is the kind of record; `data.attributes` is the record as a GET request returns it. */
  readonly events?: ReadonlyArray<{ readonly type: EventName; readonly data: Json }>
}

export const callerEntry = Effect.fnUntraced(function* (
  action: string,
  data: Entry["data"],
  events: NonNullable<Entry["events"]> = []
): Effect.fn.Return<Entry, never, Caller> {
  const { id: organization_id, settings } = yield* CurrentOrganization
  const { actor } = yield* CurrentPrincipal
  return { organization_id, actor, action, data, books_locked_until: settings.books_locked_until ?? null, events }
})

/**
 * Appends entries to an organization's audit chain, and events to its outbox. A row lock on `journals` decides the
 * order. It is taken last, so that it is held only briefly. hash = SHA-256(previous hash in hex || canonical JSON of
 * the entry) (rules/archive.md, Chain).
 */
export class AuditLog extends Context.Service<
  AuditLog,
  {
    /**
     * Runs a change of business data and appends the audit entry, in one statement. The common table expression
     * `written` in `expressions` returns the changed row; if it is empty, nothing is appended and the result is false.
     */
    readonly write: (expressions: Fragment, entry: Entry) => Effect.Effect<boolean>
    /** Like `write`, for a caller that handles failures of the statement. */
    readonly attempt: (expressions: Fragment, entry: Entry) => Effect.Effect<boolean, SqlError.SqlError>
    /** Starts the chain of a new organization, inside the transaction that creates it. */
    readonly open: (organization_id: number) => Effect.Effect<void>
    /** Appends the entry with a statement of its own, which should be the last one of the transaction. */
    readonly append: (entry: Entry) => Effect.Effect<void>
    /** Returns the text and the parameters of the statement of `append`, for a transaction on another connection. */
    readonly statement: (entry: Entry) => Effect.Effect<readonly [text: string, parameters: ReadonlyArray<unknown>]>
    /**
     * Runs `write`, and runs it again if the lock date of the books changed meanwhile. Every request is run by this
     * function. A request that commits several times also runs each of its steps by it, because committed steps must
     * not run again.
     */
    readonly underLatestLock: <A, E, R>(write: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R | CurrentOrganization>
  }
>()("invoicing/platform/events/AuditLog") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      /**
       * An event's sequence number is that of the last event plus its position in the entry. The events are written as
       * a `values` list, because a set-returning function would make the insert 20 percent slower.
       */
      const published = (
        organization_id: number,
        events: NonNullable<Entry["events"]>,
        at: string,
        parent: string | null
      ) => {
        const rows = events.map(({ data, type }, index) => {
          const event_id = `evt_${randomUUIDv7().replaceAll("-", "")}`
          return sql`(${event_id}, ${type}, ${JSON.stringify(data)}, ${sql.literal(String(index + 1))})`
        })
        return sql`
        published as (
          insert into outbox (organization_id, sequence, event_id, type, occurred_at, data, traceparent)
          select ${organization_id}, journal.events - ${events.length} + place, event_id, type, ${at}::timestamptz,
            data::json, ${parent}::text
          from journal, (values ${sql.csv(rows)}) as event (event_id, type, data, place))`
      }

      const nothing_written = sql`written as (select 1)`

      /** Returns the common table expressions that append the entry. They follow `written`, which changes the data. */
      const appended = Effect.fnUntraced(function* (entry: Entry) {
        const at = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
        const { action, actor, books_locked_until: known, data, events = [], organization_id } = entry
        const checked =
          known === undefined
            ? sql.literal("")
            : sql`, case when journals.books_locked_until > coalesce(${known}::date, '-infinity')
                then refuse_locked_books(organization_id) end as is_open`
        // `seq` is the last key in canonical order, so the JSON before it is complete here and SQL adds the number.
        const head = `${canonicalJson({ action, actor, at, data }).slice(0, -1)},"seq":`
        const parent = yield* traceparent
        const outbox = events.length === 0 ? sql.literal("") : sql`, ${published(organization_id, events, at, parent)}`
        return sql`
          journal as (
            update journals set
              entries = entries + 1,
              head = encode(sha256(convert_to(head || ${head}::text || (entries + 1) || '}', 'UTF8')), 'hex'),
              events = events + ${events.length}
            from written
            where journals.organization_id = ${organization_id}
            returning entries, head, events${checked}),
          audited as (
            insert into audit_entries (organization_id, seq, canonical, hash)
            select ${organization_id}, entries, ${head}::text || entries || '}', head from journal)${outbox}`
      })

      const statementOf = Effect.fnUntraced(function* (expressions: Fragment, entry: Entry) {
        return sql`with ${expressions}, ${yield* appended(entry)} select 1 from written`
      })

      const attempt = Effect.fnUntraced(function* (expressions: Fragment, entry: Entry) {
        const written = yield* yield* statementOf(expressions, entry)
        return written.length === 1
      })

      const write = (expressions: Fragment, entry: Entry) => Effect.orDie(attempt(expressions, entry))

      const append = Effect.fn("AuditLog.append")(function* (entry: Entry) {
        yield* write(nothing_written, entry)
      })

      const statement = (entry: Entry) =>
        Effect.map(statementOf(nothing_written, entry), (appending) => appending.compile())

      const open = Effect.fn("AuditLog.open")(function* (organization_id: number) {
        yield* sql`insert into journals (organization_id) values (${organization_id})`.pipe(Effect.orDie)
      })

      const latestLock = Effect.fnUntraced(function* ({ id }: ActiveOrganization) {
        const rows = yield* sql`select books_locked_until from journals where organization_id = ${id}`
        return (yield* decodeLocks(rows))[0]?.books_locked_until ?? undefined
      }, Effect.orDie)

      const repeated = <A, E, R>(
        write: Effect.Effect<A, E, R>,
        repetitions: number
      ): Effect.Effect<A, E, R | CurrentOrganization> =>
        Effect.catchCauseIf(
          write,
          (cause) => repetitions > 0 && isLockMoved(cause),
          () =>
            Effect.flatMap(CurrentOrganization, (organization) =>
              Effect.flatMap(latestLock(organization), (books_locked_until) =>
                Effect.provideService(repeated(write, repetitions - 1), CurrentOrganization, {
                  ...organization,
                  settings: { ...organization.settings, ...(books_locked_until && { books_locked_until }) }
                })
              )
            )
        )

      const underLatestLock = <A, E, R>(write: Effect.Effect<A, E, R>) => repeated(write, repetitions_max)

      return AuditLog.of({ write, attempt, append, statement, open, underLatestLock })
    })
  )
}

/** Maximum number of times that a write is repeated because the lock date of the books has changed. */
const repetitions_max = 5

const decodeLocks = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ books_locked_until: Schema.NullOr(Day) })))

/**
 * True for the SQLSTATE with which `refuse_locked_books` fails. PostgreSQL itself raises it only at isolation levels
 * that no write uses.
 */
const isLockMoved = ({ reasons }: Cause.Cause<unknown>) =>
  reasons.some(
    (reason) =>
      reason._tag === "Die" && SqlError.isSqlError(reason.defect) && reason.defect.reason._tag === "SerializationError"
  )
