import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { createHash } from "node:crypto"
import type { ListPart } from "../../kernel/Listing.ts"

const TrailEntry = Schema.Struct({
  seq: Schema.Int,
  /** The entry as canonical JSON (RFC 8785): the exact bytes that were hashed. */
  canonical: Schema.String,
  hash: Schema.String
})
export type TrailEntry = typeof TrailEntry.Type

const Head = Schema.Struct({ entries: Schema.Int, head: Schema.String })
type Head = typeof Head.Type

/** Previous hash of the first entry (rules/archive.md, Chain). */
export const trail_start = "0".repeat(64)

export const nextHash = (previous: string, canonical: string): string =>
  createHash("sha256").update(previous).update(canonical, "utf8").digest("hex")

const part_max = 1_000

export class AuditTrail extends Context.Service<
  AuditTrail,
  {
    /** Length and last hash of the chain, as the audit log stores them separately from the entries. */
    readonly head: (organization_id: number) => Effect.Effect<Head>
    /** Omits organizations with an empty chain, which has no last hash for a checkpoint. */
    readonly organizations: Effect.Effect<ReadonlyArray<number>>
    readonly at: (organization_id: number, seqs: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<TrailEntry>>
    /** Reads the entries of one action with numbers above `after`, in order. */
    readonly ofAction: (
      organization_id: number,
      action: string,
      part: ListPart
    ) => Effect.Effect<ReadonlyArray<TrailEntry>>
    /** Reads the entries with numbers above `after` and up to `until`, in order, a thousand at a time. */
    readonly parts: (organization_id: number, until: number, after?: number) => Stream.Stream<ReadonlyArray<TrailEntry>>
  }
>()("invoicing/platform/events/AuditTrail") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const findHead = SqlSchema.findOneOption({
        Request: Schema.Int,
        Result: Head,
        execute: (organization_id) => sql`
          select entries, head from journals where organization_id = ${organization_id}`
      })
      const head = Effect.fn("AuditTrail.head")(
        findHead,
        Effect.map((found) => Option.getOrElse(found, (): Head => ({ entries: 0, head: trail_start }))),
        Effect.orDie
      )

      // Each step looks up the next organization in the index, because `select distinct` would read every entry.
      const findOrganizations = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ organization_id: Schema.Int }),
        execute: () => sql`
        with recursive chained as (
          (select organization_id from audit_entries order by organization_id limit 1)
          union all
          select (select organization_id from audit_entries where organization_id > chained.organization_id
            order by organization_id limit 1)
          from chained where organization_id is not null)
        select organization_id from journals where entries > 0
        union select organization_id from chained where organization_id is not null
        order by organization_id`
      })
      const organizations = findOrganizations().pipe(
        Effect.map((rows) => rows.map(({ organization_id }) => organization_id)),
        Effect.orDie
      )

      const findAt = SqlSchema.findAll({
        Request: Schema.Struct({ organization_id: Schema.Int, seqs: Schema.Array(Schema.Int) }),
        Result: TrailEntry,
        execute: ({ organization_id, seqs }) => sql`
          select seq, canonical, hash from audit_entries
          where organization_id = ${organization_id} and ${sql.in("seq", seqs)}`
      })
      const at = Effect.fn("AuditTrail.at")(function* (organization_id: number, seqs: ReadonlyArray<number>) {
        return seqs.length === 0 ? [] : yield* findAt({ organization_id, seqs })
      }, Effect.orDie)

      const findOfAction = SqlSchema.findAll({
        Request: Schema.Struct({
          organization_id: Schema.Int,
          action: Schema.String,
          after: Schema.Int,
          limit: Schema.Int
        }),
        Result: TrailEntry,
        execute: ({ action, after, limit, organization_id }) => sql`
          select seq, canonical, hash from audit_entries
          where organization_id = ${organization_id} and seq > ${after}
            and starts_with(canonical, ${`{"action":"${action}",`})
          order by seq limit ${limit}`
      })
      const ofAction = Effect.fn("AuditTrail.ofAction")(function* (
        organization_id: number,
        action: string,
        part: ListPart
      ) {
        return yield* findOfAction({ organization_id, action, ...part })
      }, Effect.orDie)

      const findPart = SqlSchema.findAll({
        Request: Schema.Struct({ organization_id: Schema.Int, until: Schema.Int, after: Schema.Int }),
        Result: TrailEntry,
        execute: ({ after, organization_id, until }) => sql`
          select seq, canonical, hash from audit_entries
          where organization_id = ${organization_id} and seq > ${after} and seq <= ${until}
          order by seq limit ${part_max}`
      })
      const parts = (organization_id: number, until: number, after = 0) =>
        Stream.paginate(after, (after) =>
          Effect.map(Effect.orDie(findPart({ organization_id, until, after })), (entries) => {
            const last = entries.at(-1)
            const next = last === undefined || entries.length < part_max ? Option.none() : Option.some(last.seq)
            return [[entries], next] as const
          })
        )

      return AuditTrail.of({ head, organizations, at, ofAction, parts })
    })
  )
}
