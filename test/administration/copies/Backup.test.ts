import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { execFile } from "node:child_process"
import { randomBytes, randomUUID } from "node:crypto"
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { generateX25519Identity, identityToRecipient } from "age-encryption"
import { afterAll, beforeAll, inject } from "vitest"
import { backup, hold, restore, resume } from "../../../src/Maintenance.ts"
import type { Lock, Unlock } from "../../../src/platform/backup/BackupFile.ts"
import { upload } from "../../contract/walks/Upload.ts"
import { useApp } from "../../support/App.ts"
import { otherPostgres, startOtherPostgres } from "../../support/database/OtherPostgres.ts"
import { here, startService, urlOf } from "../../support/service/Service.ts"
import { assertHeld, refuseAnalyze } from "./HeldCopy.ts"
import { ask, messageOf, silent, urlIn } from "./Transfers.ts"
import { digests } from "./TableDigests.ts"

const keys = {
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  SIGNING_KEY: Buffer.alloc(32, 9).toString("base64")
}
const writers = 4

const draft = (customer_id: number) => ({
  customer_id,
  issue_date: "2026-03-01",
  due_date: "2026-03-31",
  currency: "EUR",
  items: [{ description: 'Tab\tquote" back\\slash é \u{1f600}\nline', quantity: 3, unit_price: 95 }]
})

describe("npm run admin -- backup and restore", () => {
  const app = useApp({
    role: "all",
    secretKeys: [Redacted.make(keys.SECRET_KEY)],
    signingKeys: [Redacted.make(keys.SIGNING_KEY)]
  })
  const folder = mkdtempSync(join(tmpdir(), "invoicing-backup-"))
  let other: Awaited<ReturnType<typeof startOtherPostgres>> | undefined
  let source = ""
  let token = ""
  let organization = 0
  let identity = ""

  const within = (DATABASE_URL: string, DATA_DIR: string, changes: Record<string, string> = {}) =>
    ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DATABASE_URL, DATA_DIR, ...keys, ...changes } }))
  const backUp = (url: string, data: string, file: string, lock: Lock = { recipients: [] }) =>
    Effect.runPromise(
      backup(file, lock).pipe(Effect.provide(within(url, data)), Effect.provide([NodeServices.layer, silent]))
    )
  const restored = (
    url: string,
    data: string,
    file: string,
    unlock: Unlock = { identities: [] },
    changes = {},
    resumes = true
  ) =>
    Effect.runPromise(
      restore(file, unlock, resumes).pipe(
        Effect.provide(within(url, data, changes)),
        Effect.provide([NodeServices.layer, silent])
      )
    )
  const resumed = (url: string, data: string) =>
    Effect.runPromise(resume().pipe(Effect.provide(within(url, data)), Effect.provide([NodeServices.layer, silent])))
  const held = (url: string, data: string) =>
    Effect.runPromise(hold().pipe(Effect.provide(within(url, data)), Effect.provide([NodeServices.layer, silent])))
  const refusal = (url: string, data: string, file: string, unlock?: Unlock, changes?: Record<string, string>) =>
    messageOf(restored(url, data, file, unlock, changes))
  const made: Array<string> = []
  const emptyDatabase = async (template = "template0") => {
    const name = `test_${randomUUID().replaceAll("-", "")}`
    made.push(name)
    await app.inDatabase(`create database ${name} template ${template}`)
    return urlIn(name)
  }

  const api = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const options = { token, organization, ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) }
    const answer = await app.call(method, `/api/v1${path}`, options)
    assert.include([200, 201], answer.status, answer.text)
    return answer.body.data
  }
  const issue = async (customer_id: number) => {
    const { id } = await api("POST", "/invoices", draft(customer_id))
    await api("POST", `/invoices/${id}/mark-sent`, {})
    await api("POST", "/payments", { invoice_id: id, amount: 10, payment_date: "2026-03-05", payment_method: "cash" })
    return id
  }

  beforeAll(async () => {
    const seeded = await app.organization({ plan: "business", rates: [21] })
    token = seeded.owner.token
    organization = seeded.id
    source = urlOf(await app.run(here))
    if (otherPostgres !== undefined) other = await startOtherPostgres(otherPostgres)
  })
  afterAll(async () => {
    await other?.stop()
    for (const name of made) await ask(urlIn("postgres"), `drop database ${name} with (force)`)
    rmSync(folder, { recursive: true, force: true })
  })

  it("copies one moment of a service that is being written to, which another PostgreSQL proves and serves", async () => {
    const customer = (await api("POST", "/customers", { name: "Backed up", email: "a@beta.example" })).id
    const invoice = await issue(customer)
    const file = await upload()
    const { id: attachment } = await api("POST", `/invoices/${invoice}/attachments`, file.body, file.headers)

    const load = { stopping: false, issued: 0 }
    const write = async () => {
      for (; !load.stopping; load.issued++) await issue(customer)
    }
    const writing = Array.from({ length: writers }, write)
    const path = join(folder, "load.backup")
    const written = await backUp(source, app.dataDir, path)
    load.stopping = true
    await Promise.all(writing)
    assert.isAbove(load.issued, writers)
    assert.strictEqual(statSync(path).mode & 0o077, 0)
    assert.deepStrictEqual(readdirSync(folder), ["load.backup"])

    const target = other?.url ?? (await emptyDatabase())
    const data = join(folder, "restored")
    const summary = await restored(target, data, path, undefined, {}, false)
    // The restore compared every table with the backup, and then proved every audit chain and the seals of the records.
    assert.deepStrictEqual([summary.unproven, summary.rows, summary.missing_objects], [[], written.rows, 0])
    const [books] = await ask(
      target,
      `select count(*)::integer as invoices, (select count(*)::integer from payments) as payments,
         sum(amount_paid)::text as paid from invoices`
    )
    assert.isAtLeast(books.invoices, 1)
    assert.isAtMost(books.invoices, load.issued + 1)
    // A backup that mixes two moments would contain a payment that is missing in the invoice's sum, or the reverse.
    assert.strictEqual(Number(books.paid), books.payments * 10)

    const { hostname, password, pathname, port, username } = new URL(target)
    const connection = { host: hostname, port: Number(port), database: pathname.slice(1), username }
    const variables = { ...keys, DATA_DIR: data }
    const service = await startService({ ...connection, password: Redacted.make(password) }, variables)
    await service.listening
    const headers = { authorization: `Bearer ${token}`, "x-organization-id": String(organization) }
    const get = (address: string) => fetch(`${service.url}/api/v1${address}`, { headers })
    const listed = JSON.parse(await (await get("/invoices")).text())
    assert.strictEqual(listed.meta.total, books.invoices)
    const download = await get(`/invoices/${invoice}/attachments/${attachment}/download`)
    assert.strictEqual(
      await download.text(),
      "%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
    )
    const next = await fetch(`${service.url}/api/v1/customers`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ name: "After the restore" })
    })
    assert.strictEqual(next.status, 201)
    assert.isAbove(JSON.parse(await next.text()).data.id, customer)
    const [hold, resume] = [() => held(target, data), () => resumed(target, data)]
    await assertHeld({ service, ask: (statement) => ask(target, statement), hold, resume })
    service.kill("SIGTERM")
    await service.ended
  })

  it("restores an encrypted backup table by table, with the passphrase or the age key only", async () => {
    // While no service runs, nobody writes to the restored database, so it can be compared with the source as a whole.
    const plain = join(folder, "plain.backup")
    await backUp(source, app.dataDir, plain)
    const quiet = await emptyDatabase()
    const data = join(folder, "quiet")
    await restored(quiet, data, plain)

    identity = await generateX25519Identity()
    const locks: ReadonlyArray<[Lock, Unlock]> = [
      [
        { passphrase: "correct horse", recipients: [] },
        { passphrase: "correct horse", identities: [] }
      ],
      [{ recipients: [await identityToRecipient(identity)] }, { identities: [identity] }]
    ]
    const wrong = { passphrase: "wrong horse", identities: [await generateX25519Identity()] }
    for (const [index, [lock, unlock]] of locks.entries()) {
      const path = join(folder, `locked-${index}.backup`)
      await backUp(quiet, data, path, lock)
      const before = await digests(quiet)
      assert.notInclude(readFileSync(path, "latin1"), "Backed up")
      const target = await emptyDatabase()
      const into = join(folder, `unlocked-${index}`)
      assert.match(await refusal(target, into, path), /is encrypted: set --passphrase-file or --identity-file\.$/)
      assert.match(await refusal(target, into, path, wrong), /^The passphrase or identity does not open /)
      const { unproven } = await restored(target, into, path, unlock)
      assert.deepStrictEqual(unproven, [])
      const after = await digests(target)
      // Each restore adds one row, also without held work, because the log of Spanish records names every restore.
      assert.lengthOf(await ask(target, "select from restored_copies where resumed_at is not null"), 2)
      // The restore proves the archive, which writes to `archive_proofs`, and migrations are not in the backup.
      for (const name of ["archive_proofs", "restored_copies", "migration_files", "effect_sql_migrations"]) {
        before.delete(name)
        after.delete(name)
      }
      assert.deepStrictEqual(after, before)
    }
  })

  it("holds the background work of a copy whose restore stops after its commit", async () => {
    const target = await emptyDatabase(`${inject("postgres").template} strategy file_copy`)
    await refuseAnalyze(target)
    const restoring = restored(target, join(folder, "stopped"), join(folder, "plain.backup"), undefined, {}, false)
    assert.strictEqual(await messageOf(restoring), "The database failed: stopped")
    assert.lengthOf(await ask(target, "select from organizations, restored_copies where resumed_at is null"), 1)
  })

  it("proves the books of a restored copy, although the search for removed organizations fails", async () => {
    const data = join(folder, "failing")
    const removed = join(data, "objects", "checkpoints", String(organization + 1))
    mkdirSync(dirname(removed), { recursive: true })
    // A file in the place of a folder is an error of the storage.
    writeFileSync(removed, "")
    const { unproven } = await restored(await emptyDatabase(), data, join(folder, "plain.backup"))
    assert.deepStrictEqual(unproven, [])
  })

  it("refuses a file that is damaged, cut off, newer or of another kind, and writes nothing", async () => {
    const path = join(folder, "plain.backup")
    const { size } = statSync(path)
    const target = await emptyDatabase()
    const into = join(folder, "refused")
    const bytes = readFileSync(path)
    for (const share of [0.1, 0.5, 0.9]) {
      const at = Math.floor(size * share)
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ 1
      writeFileSync(join(folder, "damaged"), flipped)
      assert.match(await refusal(target, into, join(folder, "damaged")), /is damaged or cut off: /)
      copyFileSync(path, join(folder, "cut"))
      truncateSync(join(folder, "cut"), at)
      assert.match(await refusal(target, into, join(folder, "cut")), /is damaged or cut off: /)
    }
    const locked = join(folder, "locked-1.backup")
    truncateSync(locked, statSync(locked).size - 1)
    assert.match(await refusal(target, into, locked, { identities: [identity] }), /is damaged or cut off: /)
    writeFileSync(join(folder, "noise"), randomBytes(1000))
    assert.match(await refusal(target, into, join(folder, "noise")), /is damaged or cut off: /)
    assert.match(await refusal(target, into, join(folder, "nothing")), /cannot be read: ENOENT/)

    const otherKey = { SIGNING_KEY: randomBytes(32).toString("base64") }
    assert.match(
      await refusal(target, into, path, undefined, otherKey),
      /^The backup needs the keys of its installation: SIGNING_KEY \(or DATA_DIR\/signing\.key\) with the public key /
    )
    assert.match(await refusal(source, into, path), /^The database is not empty \(table \w+ has rows\): /)
    assert.deepStrictEqual(await ask(target, "select 1 from pg_class where relnamespace = 'public'::regnamespace"), [])
    assert.match(
      await messageOf(backUp(target, into, join(folder, "empty"))),
      /^The database has no tables: it is new, or /
    )
    assert.strictEqual(await messageOf(backUp(source, app.dataDir, path)), `${path} exists: choose another name.`)
    for (const command of [held, resumed]) {
      const message = await messageOf(command("postgres://a:b@127.0.0.1:1/x", app.dataDir))
      assert.strictEqual(message, "The database failed: connect ECONNREFUSED 127.0.0.1:1")
    }
    assert.deepStrictEqual(readFileSync(path), bytes)
    const leftover = join(folder, "stopped.backup.unfinished")
    writeFileSync(leftover, "cut")
    const stopped = await messageOf(backUp(source, app.dataDir, join(folder, "stopped.backup")))
    assert.strictEqual(stopped.split(":")[0], `${leftover} exists`)
    assert.strictEqual(readFileSync(leftover, "utf8"), "cut")
    const absent = join(folder, "absent", "new.backup")
    assert.match(await messageOf(backUp(source, app.dataDir, absent)), /cannot be written: ENOENT/)
  })

  it("runs from the command line and prints what is needed for a restore", async () => {
    const path = join(folder, "printed.backup")
    const { NODE_COMPILE_CACHE, PATH } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: source, DATA_DIR: app.dataDir, ...keys }
    const run = promisify(execFile)
    const { stderr, stdout } = await run(process.execPath, ["scripts/admin.ts", "backup", path, "--json"], { env })
    const { objects, secret_keys } = JSON.parse(stdout)
    assert.isAbove(objects, 0)
    assert.strictEqual(secret_keys.length, 1)
    assert.match(stderr, /^invoices: \d+ rows$/m)
    assert.notInclude(stdout + stderr, keys.SECRET_KEY)
    assert.isAbove(statSync(path).size, 0)
  })
})
