import { Data, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { chmodSync, cpSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { record_kinds } from "../../src/archive/books/StoredRecord.ts"
import { SealedRecords } from "../../src/archive/books/SealedRecords.ts"
import { Integrity } from "../../src/archive/integrity/Integrity.ts"
import { Proofs } from "../../src/archive/integrity/Proofs.ts"
import { SalesBooks } from "../../src/billing/books/SalesBooks.ts"
import { ExpenseBooks } from "../../src/expenses/books/ExpenseBooks.ts"
import { OrganizationId } from "../../src/kernel/Ids.ts"
import { canonicalJson } from "../../src/platform/events/CanonicalJson.ts"
import { sha256 } from "../../test/support/files/Digest.ts"
import type { DiskEdit, Edit, Forger } from "./Edit.ts"

export interface Target {
  readonly organization_id: number
  readonly invoice: number
  readonly note: number
  readonly payment: number
  readonly refund: number
  readonly expense: number
  readonly objects: string
  readonly signing_key: Buffer
}

export interface Outcome {
  readonly name: string
  /** True when a trigger or a constraint refuses the edit to the account of the service. */
  readonly isRefused: boolean
  /** True when the proof fails after the owner of the database has made the edit without triggers and constraints. */
  readonly isFound: boolean
  readonly unseen: string | undefined
}

const services = Layer.mergeAll(Integrity.layer, Proofs.layer).pipe(
  Layer.provideMerge(SealedRecords.layer),
  Layer.provide([SalesBooks, ExpenseBooks])
)

/** Makes an edit and runs the proof in a transaction that is rolled back; the files are restored from a copy. */
export const tamper = Effect.fn("tamper")(function* (target: Target, edit: Edit) {
  const sql = yield* SqlClient.SqlClient
  const backup = `${target.objects}-backup`
  cpSync(target.objects, backup, { recursive: true })
  const outcome = yield* Effect.gen(function* () {
    const isRefused = yield* isRefusedTo(target, edit)
    // Switches off triggers, foreign keys and checks, because the owner of the database can do so, too.
    yield* sql.unsafe(drop_checks)
    yield* sql.unsafe("set local session_replication_role = replica")
    yield* apply(target, edit)
    yield* sql.unsafe("set local session_replication_role = origin")
    const organization_id = OrganizationId.make(target.organization_id)
    yield* Integrity.use(({ prove }) => prove(organization_id))
    const { record } = yield* Proofs.use(({ read }) => read(organization_id))
    return yield* new TamperOutcome({ isRefused, isFound: record?.state !== "passed" })
  }).pipe(
    Effect.provide(services),
    sql.withTransaction,
    Effect.catchTag("TamperOutcome", ({ isFound, isRefused }) => Effect.succeed({ isFound, isRefused })),
    Effect.ensuring(Effect.sync(() => restore(target.objects, backup)))
  )
  return { name: edit.name, ...outcome, unseen: edit.unseen } satisfies Outcome
})

class TamperOutcome extends Data.TaggedError("TamperOutcome")<Pick<Outcome, "isRefused" | "isFound">> {}

const drop_checks = `do $$
declare
  found record;
begin
  for found in select conrelid::regclass as place, conname from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace loop
    execute format('alter table %s drop constraint %I', found.place, found.conname);
  end loop;
end
$$`

const restore = (objects: string, backup: string) => {
  rmSync(objects, { recursive: true, force: true })
  renameSync(backup, objects)
}

const statementsOf = (
  { expense, invoice, note, organization_id, payment, refund }: Target,
  { statements = [] }: Edit
) =>
  statements.map((statement) =>
    statement
      .replaceAll("$org", String(organization_id))
      .replaceAll("$invoice", String(invoice))
      .replaceAll("$note", String(note))
      .replaceAll("$payment", String(payment))
      .replaceAll("$refund", String(refund))
      .replaceAll("$expense", String(expense))
  )

/** True if the database refuses the edit to the account of the service, for which all triggers are active. */
const isRefusedTo = Effect.fnUntraced(function* (target: Target, edit: Edit) {
  const statements = statementsOf(target, edit)
  if (statements.length === 0) return false
  const sql = yield* SqlClient.SqlClient
  const tried = yield* Effect.gen(function* () {
    for (const statement of statements) yield* sql.unsafe(statement)
    yield* sql.unsafe("set constraints all immediate")
    return yield* Effect.fail("allowed")
  }).pipe(sql.withTransaction, Effect.flip, Effect.exit)
  return Exit.isSuccess(tried) && tried.value !== "allowed"
})

const apply = Effect.fnUntraced(function* (target: Target, edit: Edit) {
  const sql = yield* SqlClient.SqlClient
  let changed = 0
  for (const statement of statementsOf(target, edit)) {
    changed += (yield* sql.unsafe(`${statement} returning 1`)).length
  }
  if (edit.statements !== undefined && changed === 0) return yield* Effect.die(`nothing is changed by: ${edit.name}`)
  const forges = edit.files?.does === "forge" ? keyOf(target, edit.files.signs) : undefined
  if (edit.reseals === true || edit.entries !== undefined || forges !== undefined) {
    yield* rewrite(target, edit, forges)
  }
  if (edit.files !== undefined && forges === undefined) changeFiles(target, edit.files)
})

/** Computes the seals (hashes) of the current records, and returns them by keys such as `invoice_id 42`. */
const currentSeals = Effect.fnUntraced(function* ({ organization_id }: Target) {
  const books = yield* SealedRecords
  const seals = new Map<string, string>()
  for (const kind of record_kinds) {
    const part = { after: 0, limit: 10_000 }
    const rows = yield* books.part(OrganizationId.make(organization_id), kind, part)
    for (const { facts, id } of rows) if (facts !== null) seals.set(`${kind}_id ${id}`, sha256(facts))
  }
  return seals
})

const sealing = {
  invoice: "invoice_id",
  credit_note: "credit_note_id",
  payment: "payment_id",
  expense: "expense_id"
} as const

/** Rewrites the audit chain with new hashes and current seals. Unless the key is undefined, also forges the checkpoints. */
const rewrite = Effect.fnUntraced(function* (target: Target, edit: Edit, key: KeyObject | null | undefined) {
  const sql = yield* SqlClient.SqlClient
  const { organization_id } = target
  const stored = yield* sql<{ canonical: string }>`
    select canonical from audit_entries where organization_id = ${organization_id} order by seq`
  const entries = (edit.entries ?? ((all) => all))(stored.map(({ canonical }) => canonical))
  const seals = edit.reseals === true ? yield* currentSeals(target) : new Map<string, string>()
  const checkpoints =
    key === undefined ? [] : checkpointFiles(target).map((file) => JSON.parse(readFileSync(file, "utf8")))
  const hashes = new Map<number, string>()
  const forged: Array<string> = []
  yield* sql`delete from audit_entries where organization_id = ${organization_id}`
  let head = "0".repeat(64)
  for (const [index, text] of entries.entries()) {
    const entry = { ...JSON.parse(text), seq: index + 1 }
    const [kind = ""] = entry.action.split(".")
    const id = entry.data[sealing[kind as keyof typeof sealing] ?? ""]
    const seal = seals.get(`${sealing[kind as keyof typeof sealing]} ${id}`)
    if (entry.data.sha256 !== undefined && seal !== undefined) entry.data.sha256 = seal
    if (entry.action === "archive.checkpoint" && key !== undefined) entry.data.sha256 = hashes.get(entry.data.number)
    const canonical = canonicalJson(entry)
    head = sha256(head + canonical)
    yield* sql`insert into audit_entries ${sql.insert({ organization_id, seq: index + 1, canonical, hash: head })}`
    const next = checkpoints[forged.length]
    if (key !== undefined && next?.seq === index + 1) {
      const text = signed({ ...next, head, previous: forged.length === 0 ? null : sha256(forged.at(-1) ?? "") }, key)
      forged.push(text)
      hashes.set(next.number, sha256(text))
    }
  }
  for (const [index, text] of forged.entries()) overwrite(checkpointFiles(target)[index] ?? "", Buffer.from(text))
  yield* sql`update journals set entries = ${entries.length}, head = ${head} where organization_id = ${organization_id}`
})

const signed = (checkpoint: Readonly<Record<string, string | number | null>>, key: KeyObject | null): string => {
  const { ["signature"]: _, ["timestamp_token"]: __, ...former } = checkpoint
  // The service wrote unsigned checkpoints of this form before version 1.0.0.
  if (key === null) {
    const { ["at"]: at, ["head"]: head, ["number"]: number, ["seq"]: entries } = former
    return JSON.stringify({ number, entries, head, at })
  }
  const statement = { ...former, public_key: rawKey(key) }
  const signature = sign(null, Buffer.from(canonicalJson(statement)), key).toString("base64")
  return canonicalJson({ ...statement, signature, timestamp_token: null })
}

const rawKey = (key: KeyObject) =>
  createPublicKey(key).export({ format: "der", type: "spki" }).subarray(12).toString("base64")

const keyOf = ({ signing_key }: Target, which: Forger): KeyObject | null => {
  if (which === "no key") return null
  if (which === "another key") return generateKeyPairSync("ed25519").privateKey
  const header = Buffer.from("302e020100300506032b657004220420", "hex")
  return createPrivateKey({ key: Buffer.concat([header, signing_key]), format: "der", type: "pkcs8" })
}

const checkpointFiles = ({ objects, organization_id }: Target) =>
  globSync(join(objects, "checkpoints", String(organization_id), "*")).toSorted()

const filesOf = (target: Target, area: DiskEdit["area"]) =>
  area === "checkpoints"
    ? checkpointFiles(target)
    : globSync(join(target.objects, "archive", String(target.organization_id), "*", "*")).toSorted()

const overwrite = (file: string, bytes: Uint8Array) => {
  chmodSync(file, 0o600)
  writeFileSync(file, bytes)
}

const changeFiles = (target: Target, edit: DiskEdit) => {
  const files = filesOf(target, edit.area)
  if (edit.does === "removeAll") return files.forEach((file) => rmSync(file))
  const file = files["at" in edit ? edit.at : 0] ?? ""
  const bytes = readFileSync(file)
  if (edit.does === "remove") return rmSync(file)
  if (edit.does === "cut") return overwrite(file, bytes.subarray(0, bytes.length - 20))
  if (edit.does === "empty") return overwrite(file, Buffer.alloc(0))
  if (edit.does === "swap") {
    const other = files[1] ?? ""
    const second = readFileSync(other)
    overwrite(other, bytes)
    return overwrite(file, second)
  }
  bytes[40] = (bytes[40] ?? 0) ^ 1
  return overwrite(file, bytes)
}
