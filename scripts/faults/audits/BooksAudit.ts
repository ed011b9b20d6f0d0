import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { verifyCredits } from "../../../test/billing/credit-notes/Credits.ts"
import { verifyBooks } from "../../../test/support/Conservation.ts"
import { type Answered, type Ledger, sha256Of } from "./Ledger.ts"
import type { World } from "../World.ts"

/** Checks what must always be true of the stored data, for all organizations and all rounds of the run. */
export const booksAudit = async (world: World): Promise<ReadonlyArray<string>> => [
  ...(await held(world, "books", verifyBooks)),
  ...(await held(world, "credits", verifyCredits)),
  ...(await eventsDelivered(world)),
  ...(await sentMeansMailed(world)),
  ...(await filesKnown(world)),
  ...(await checkpointsKept(world))
]

const held = (world: World, name: string, verification: typeof verifyBooks) =>
  world.sql(verification).then(
    () => [],
    (error: unknown) => [`${name}: ${String(error).slice(0, 2_000)}`]
  )

type Sql = SqlClient.SqlClient

const rows = <A extends object>(
  world: World,
  statement: (sql: Sql) => Effect.Effect<ReadonlyArray<A>, unknown>
): Promise<ReadonlyArray<A>> => world.sql(Effect.flatMap(SqlClient.SqlClient, statement))

/** Each event that was recorded after the creation of a webhook must have arrived there at least once. */
const eventsDelivered = async (world: World) => {
  const events = await rows<{ path: string; event_id: string }>(
    world,
    (sql) => sql`
      select '/' || w.organization_id as path, o.event_id from webhooks w
      join outbox o on o.organization_id = w.organization_id and o.sequence > w.after_sequence`
  )
  return events.flatMap(({ event_id, path }) =>
    world.sink.received(path).has(event_id) ? [] : [`event ${event_id} never came to ${path}`]
  )
}

/** The mail server must have accepted each delivery that the service reports, and each sent document at least once. */
const sentMeansMailed = async (world: World) => {
  const accepted = new Set(world.mail.accepted)
  const reached = await rows<{ recipient: string }>(
    world,
    (sql) => sql`select recipient from document_links where delivered_at is not null`
  )
  const unreached = await rows<{ what: string }>(
    world,
    (sql) => sql`
      select document || ' ' || id as what from (
        select 'invoice' as document, organization_id, id from invoices where sent_method = 'email'
        union all select 'quote', organization_id, id from quotes where sent_at is not null
        union all select 'credit_note', organization_id, id from credit_notes where sent_at is not null) sent
      where not exists (
        select from document_links l where l.organization_id = sent.organization_id and l.document = sent.document
          and l.document_id = sent.id and l.delivered_at is not null)`
  )
  return [
    ...reached.flatMap(({ recipient }) => (accepted.has(recipient) ? [] : [`${recipient} has no mail`])),
    ...unreached.map(({ what }) => `${what} is sent, to nobody`)
  ]
}

/**
 * Each stored file must be intact and have its row, and each row its file. Only unfinished files (`incoming`) and
 * checkpoints have no rows.
 */
const filesKnown = async (world: World) => {
  const known = await rows<{ key: string; sha256: string; is_needed: boolean }>(
    world,
    (sql) => sql`
      select object_key as key, sha256, stored_at is not null and deleted_at is null as is_needed
      from invoice_attachments where removed_at is null
      union all select object_key, sha256, status not in ('reserved', 'removed') from receipts
      union all select object_key, sha256, true from archive_objects
      union all select object_key, coalesce(sha256, ''), status = 'completed' from archive_exports
      union all select unnest(abandoned_keys), '', false from archive_exports`
  )
  const objects = join(world.storage.folder, "objects")
  const contents = new Map(known.map((row) => [row.key, row]))
  const unknown = readdirSync(objects, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(objects, join(entry.parentPath, entry.name)))
    .filter((name) => !contents.has(name) && !/^(?:incoming|checkpoints)\//.test(name))
  const broken = known.filter(({ is_needed, key, sha256 }) => {
    const path = join(objects, key)
    return existsSync(path) ? sha256Of(readFileSync(path)) !== sha256 : is_needed
  })
  return [...unknown.map((name) => `${name} is nobody's file`), ...broken.map(({ key }) => `${key} is not whole`)]
}

/**
 * Each organization whose archive was proven must have a checkpoint outside the database, whose head belongs to the
 * organization's audit chain.
 */
const checkpointsKept = async (world: World) => {
  const proven = await rows<{ organization_id: number }>(
    world,
    (sql) => sql`select organization_id from archive_proofs where record::jsonb ->> 'state' = 'passed'`
  )
  const findings: Array<string> = []
  for (const { organization_id } of proven) {
    const chain = await rows<{ seq: number; hash: string }>(
      world,
      (sql) => sql`select seq, hash from audit_entries where organization_id = ${organization_id}`
    )
    const hashes = new Map(chain.map(({ hash, seq }) => [seq, hash]))
    const kept = checkpointsOf(join(world.storage.folder, "objects", "checkpoints", String(organization_id)))
    const foreign = kept.filter(({ head, seq }) => hashes.get(seq) !== head)
    findings.push(
      ...foreign.map(({ number }) => `checkpoint ${number} of organization ${organization_id} is another's`)
    )
    if (kept.length === 0) findings.push(`organization ${organization_id} is proven without a checkpoint`)
  }
  return findings
}

const checkpointsOf = (folder: string): ReadonlyArray<Answered> => {
  const kept: Array<Answered> = []
  for (let file = join(folder, "1"); existsSync(file); file = join(folder, String(kept.length + 1))) {
    kept.push(JSON.parse(readFileSync(file, "utf8")))
  }
  return kept
}

/** Compares mail with the mail server and receipts with the database, because no list of the API contains them. */
export const promisesAudit = async (world: World, ledger: Ledger): Promise<ReadonlyArray<string>> => {
  const accepted = new Set(world.mail.accepted)
  const stored = await rows<{ receipt_ref: string; sha256: string }>(
    world,
    (sql) => sql`select receipt_ref::text, sha256 from receipts`
  )
  const hashes = new Map(stored.map(({ receipt_ref, sha256 }) => [receipt_ref, sha256]))
  const counts = new Map<string, number>()
  for (const address of world.mail.accepted) counts.set(address, (counts.get(address) ?? 0) + 1)
  return [
    ...ledger.delivered.flatMap((address) => (accepted.has(address) ? [] : [`${address} was called delivered`])),
    ...ledger.delivered.flatMap((address) =>
      ledger.resent.has(address) || (counts.get(address) ?? 0) < 2 ? [] : [`${address} has two mails`]
    ),
    ...[...ledger.receipts].flatMap(([ref, sha256]) =>
      hashes.get(ref) === sha256 ? [] : [`receipt ${ref} is another file`]
    )
  ]
}
