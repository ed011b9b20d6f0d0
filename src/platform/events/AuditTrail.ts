import { Context, Effect, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import type { ListPart } from "../../kernel/Listing.ts"

export interface TrailEntry {
  readonly seq: number
  /** The entry as canonical JSON (RFC 8785): the exact bytes that were hashed. */
  readonly canonical: string
  readonly hash: string
}

interface Head {
  readonly entries: number
  readonly head: string
}

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

      const head = Effect.fn("AuditTrail.head")(function* (organization_id: number) {
        const [found] = yield* sql<Head>`
          select entries, head from journals where organization_id = ${organization_id}`
        return found ?? { entries: 0, head: trail_start }
      }, Effect.orDie)

      // Each step looks up the next organization in the index, because `select distinct` would read every entry.
      const organizations = sql<{ organization_id: number }>`
        with recursive chained as (
          (select organization_id from audit_entries order by organization_id limit 1)
          union all
          select (select organization_id from audit_entries where organization_id > chained.organization_id
            order by organization_id limit 1)
          from chained where organization_id is not null)
        select organization_id from journals where entries > 0
        union select organization_id from chained where organization_id is not null
        order by organization_id`.pipe(
        Effect.map((rows) => rows.map(({ organization_id }) => organization_id)),
        Effect.orDie
      )

      const at = Effect.fn("AuditTrail.at")(function* (organization_id: number, seqs: ReadonlyArray<number>) {
        if (seqs.length === 0) return []
        return yield* sql<TrailEntry>`
          select seq, canonical, hash from audit_entries
          where organization_id = ${organization_id} and ${sql.in("seq", seqs)}`
      }, Effect.orDie)

      const ofAction = Effect.fn("AuditTrail.ofAction")(function* (
        organization_id: number,
        action: string,
        { after, limit }: ListPart
      ) {
        return yield* sql<TrailEntry>`
          select seq, canonical, hash from audit_entries
          where organization_id = ${organization_id} and seq > ${after}
            and starts_with(canonical, ${`{"action":"${action}",`})
          order by seq limit ${limit}`
      }, Effect.orDie)

      const parts = (organization_id: number, until: number, after = 0) =>
        Stream.paginate(after, (after) =>
          Effect.map(
            Effect.orDie(sql<TrailEntry>`
              select seq, canonical, hash from audit_entries
              where organization_id = ${organization_id} and seq > ${after} and seq <= ${until}
              order by seq limit ${part_max}`),
            (entries) => {
              const last = entries.at(-1)
              const next = last === undefined || entries.length < part_max ? Option.none() : Option.some(last.seq)
              return [[entries], next] as const
            }
          )
        )

      return AuditTrail.of({ head, organizations, at, ofAction, parts })
    })
  )
}
