import { Context, Effect, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"

/** One entry of an organization's audit chain. */
export interface TrailEntry {
  readonly seq: number
  /** RFC 8785 canonical JSON: the exact bytes that were hashed. */
  readonly canonical: string
  readonly hash: string
}

interface Head {
  readonly entries: number
  readonly head: string
}

/** What the first entry is chained to; contract section 12. */
export const trail_start = "0".repeat(64)

/** SHA-256 of the hash before, in hex, followed by the entry's bytes. */
export const nextHash = (previous: string, canonical: string): string =>
  createHash("sha256").update(previous).update(canonical, "utf8").digest("hex")

const part_max = 1_000

/** The audit chains as those see them who read and prove them. */
export class AuditTrail extends Context.Service<
  AuditTrail,
  {
    /** How long the chain is and what its last hash is, as the journal keeps them beside the entries. */
    readonly head: (organization_id: number) => Effect.Effect<Head>
    /** The entries after the first `after` up to the `until`th, in parts. */
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

      return AuditTrail.of({ head, parts })
    })
  )
}
