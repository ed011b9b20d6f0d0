import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { Integrity } from "../../../src/archive/integrity/Integrity.ts"
import { ArchiveProof } from "../../../src/archive/ArchiveLayer.ts"
import { SalesBooks } from "../../../src/billing/BillingLayer.ts"
import { ExpenseBooks } from "../../../src/expenses/ExpensesLayer.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { backup, restore } from "../../../src/Maintenance.ts"
import { useBilling } from "../../support/Billing.ts"
import { here, urlOf } from "../../support/service/Service.ts"
import { ask, messageOf, urlIn, within } from "./Transfers.ts"

const keys = {
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  SIGNING_KEY: Buffer.alloc(32, 9).toString("base64")
}
const time_max = 300_000

const { app, open } = useBilling({ signingKeys: [Redacted.make(keys.SIGNING_KEY)] })
const folder = mkdtempSync(join(tmpdir(), "invoicing-storage-"))
const [database = "", other = "", third = ""] = [0, 1, 2].map(() => `test_${randomUUID().replaceAll("-", "")}`)
const file = join(folder, "before.backup")

beforeAll(async () => {
  for (const name of [database, other, third]) await app.inDatabase(`create database ${name} template template0`)
})
afterAll(async () => {
  for (const name of [database, other, third]) await app.inDatabase(`drop database ${name} with (force)`)
  rmSync(folder, { recursive: true, force: true })
})

const prove = (id: number) =>
  app.run(
    Integrity.use(({ prove }) => prove(OrganizationId.make(id))).pipe(
      Effect.provide(ArchiveProof),
      Effect.provide([SalesBooks, ExpenseBooks])
    )
  )

const restored = (data: string, path = file, name = database) =>
  Effect.runPromise(restore(path, { identities: [] }, true).pipe(within(urlIn(name), join(folder, data), keys)))

it(
  "a restore into a storage with a later checkpoint is refused before any file is stored, and can be repeated",
  async () => {
    const { id, issued } = await open()
    await issued()
    await prove(id)
    const source = urlOf(await app.run(here))
    await Effect.runPromise(backup(file, { recipients: [] }).pipe(within(source, app.dataDir, keys)))
    const objects = join(app.dataDir, "objects")
    // A storage that has only files from before the backup is accepted, as after a restore that was interrupted.
    cpSync(objects, join(folder, "earlier", "objects"), { recursive: true })
    await issued()
    await prove(id)
    const checkpoints = join("objects", "checkpoints", String(id))
    cpSync(join(app.dataDir, checkpoints), join(folder, "later", checkpoints), { recursive: true })

    expect(await messageOf(restored("later"))).toBe(
      `The storage has a checkpoint of organization ${id} that is later than the backup: restore into an empty ` +
        "folder (DATA_DIR/objects), bucket or prefix (STORAGE_URL)."
    )
    expect(await ask(urlIn(database), "select 1 from organizations")).toEqual([])
    expect(existsSync(join(folder, "later", "objects", "archive"))).toBe(false)
    expect((await restored("earlier")).unproven).toEqual([])
  },
  time_max
)

it(
  "a backup omits the checkpoints of an organization that was opened while it ran",
  async () => {
    const { id, issued } = await open()
    await issued()
    await prove(id)
    const source = urlOf(await app.run(here))
    const client = new Client({ connectionString: source })
    await client.connect()
    // The backup waits for this table after it has begun its snapshot.
    await client.query("begin; lock table restored_copies in access exclusive mode")
    const during = join(folder, "during.backup")
    const running = Effect.runPromise(backup(during, { recipients: [] }).pipe(within(source, app.dataDir, keys)))
    const waiting = "select from pg_locks where relation = 'restored_copies'::regclass and not granted"
    while ((await ask(source, waiting)).length === 0) await sleep(50)
    const opened = await open()
    await opened.issued()
    await prove(opened.id)
    await client.query("commit")
    await client.end()
    await running
    expect((await restored("during", during, other)).unproven).toEqual([])
    expect(existsSync(join(folder, "during", "objects", "checkpoints", String(id)))).toBe(true)
    expect(existsSync(join(folder, "during", "objects", "checkpoints", String(opened.id)))).toBe(false)
  },
  time_max
)

it(
  "a backup has the checkpoints of an organization whose journal was deleted directly in the database",
  async () => {
    const { id, issued } = await open()
    await issued()
    await prove(id)
    await app.inDatabase(`delete from journals where organization_id = ${id}`)
    const tampered = join(folder, "tampered.backup")
    const source = urlOf(await app.run(here))
    await Effect.runPromise(backup(tampered, { recipients: [] }).pipe(within(source, app.dataDir, keys)))
    expect((await restored("tampered", tampered, third)).unproven).toEqual([id])
    expect(existsSync(join(folder, "tampered", "objects", "checkpoints", String(id)))).toBe(true)
  },
  time_max
)
