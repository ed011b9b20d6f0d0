import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { expect } from "vitest"
import { canonicalJson } from "../../src/platform/events/CanonicalJson.ts"

export const chain_start = "0".repeat(64)

/** Returns the SHA-256 of two texts: the previous hash in hex, then the entry (rules/archive.md, Chain). */
export const nextHash = (previous: string, canonical: string): string =>
  createHash("sha256").update(previous).update(canonical, "utf8").digest("hex")

/** Returns the audit entries and events of an organization, after verifying the chain from the stored bytes alone. */
export const verifiedAuditLog = Effect.fn("verifiedAuditLog")(function* (organization_id: number) {
  const sql = yield* SqlClient.SqlClient
  const stored = yield* sql<{ seq: number; canonical: string; hash: string }>`
    select seq, canonical, hash from audit_entries where organization_id = ${organization_id} order by seq`
  const [journal] = yield* sql<{ entries: number; head: string; events: number }>`
    select entries, head, events from journals where organization_id = ${organization_id}`
  const events = yield* sql<{ sequence: number; event_id: string; type: string; data: EventData }>`
    select sequence, event_id, type, data from outbox where organization_id = ${organization_id} order by sequence`

  let head = chain_start
  const entries = stored.map(({ canonical, hash, seq }, index): AuditEntry => {
    const entry = JSON.parse(canonical)
    expect([seq, entry.seq]).toEqual([index + 1, index + 1])
    expect(canonicalJson(entry)).toBe(canonical)
    head = nextHash(head, canonical)
    expect(hash).toBe(head)
    return entry
  })
  expect(journal).toEqual({ entries: entries.length, head, events: events.length })
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length)
  return { entries, events }
})

interface AuditEntry {
  readonly seq: number
  readonly actor: string
  readonly at: string
  readonly action: string
  readonly data: Readonly<Record<string, unknown>>
}

interface EventData {
  readonly object: string
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly previous?: { readonly status: string }
}
