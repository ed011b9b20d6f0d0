import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, inject, it } from "vitest"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { backup, exportOne, idRange, importOne, restore } from "../../../src/Maintenance.ts"
import { keyOf } from "../../../src/platform/crypto/Signer.ts"
import { useBilling } from "../../support/Billing.ts"
import { sequencesFrom } from "../../support/LargeIds.ts"
import { here, urlOf } from "../../support/service/Service.ts"
import { ask, messageOf, urlIn, within } from "./Transfers.ts"

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64")
const of_source = { SECRET_KEY: key(7), SIGNING_KEY: key(9) }
const trusted = keyOf(Redacted.make(of_source.SIGNING_KEY)).public_key
const of_target = { SECRET_KEY: `${key(1)},${key(7)}`, SIGNING_KEY: key(2), TRUSTED_SIGNING_KEYS: trusted }
const firstOf = (range: number) => range * 1_000_000_000_000 + 1
const time_max = 300_000

const { app, open } = useBilling()
const folder = mkdtempSync(join(tmpdir(), "invoicing-ranges-"))
const made: Array<string> = []
let source = ""

const databaseAs = async (template: string) => {
  const name = `test_${randomUUID().replaceAll("-", "")}`
  made.push(name)
  await app.inDatabase(`create database ${name} template ${template}`)
  return urlIn(name)
}

/** Creates the database of an installation whose sequences are in the first range. */
const migrated = async () => {
  const url = await databaseAs(`${inject("postgres").template} strategy file_copy`)
  await ask(url, sequencesFrom(1))
  return url
}

const choose = (url: string, range: number) =>
  Effect.runPromise(idRange(range).pipe(within(url, join(folder, "data"), of_target)))

beforeAll(async () => {
  source = urlOf(await app.run(here))
  await app.inDatabase(sequencesFrom(firstOf(5)))
})
afterAll(async () => {
  for (const name of made) await app.inDatabase(`drop database ${name} with (force)`)
  rmSync(folder, { recursive: true, force: true })
})

it(
  "an import is refused while ids of the organization are in a higher range, because later ids must be higher",
  async () => {
    const { id, issued } = await open()
    await issued()
    const file = join(folder, "higher.organization")
    const exporting = exportOne(OrganizationId.make(id), file, { recipients: [] }, false)
    await Effect.runPromise(exporting.pipe(within(source, app.dataDir, of_source)))
    const target = await migrated()
    await choose(target, 3)
    const imported = () =>
      Effect.runPromise(importOne(file, { identities: [] }).pipe(within(target, join(folder, "data"), of_target)))
    expect(await messageOf(imported())).toBe(
      "The organization has ids of range 5, above the ranges of this installation, whose records must get higher ids: " +
        "run organization id-range 6 first."
    )
    expect(await ask(target, "select 1 from organizations union all select 1 from customers")).toEqual([])
    await choose(target, 6)
    expect((await imported()).unproven).toEqual([])
    // The items of documents take their ids from a sequence that belongs to no column.
    const [next] = await ask(
      target,
      "select nextval('organizations_id_seq')::float8 as id, nextval('invoice_item_ids')::float8 as item"
    )
    expect(next).toEqual({ id: firstOf(6), item: firstOf(6) })
  },
  time_max
)

it("a range is refused in which, or above which, the installation has already chosen its ids", async () => {
  const url = await migrated()
  expect(await choose(url, 3)).toMatchObject({ first_id: firstOf(3) })
  const refusal = "The ids of this installation are already in range 3: choose range 4 or a higher one."
  expect(await messageOf(choose(url, 1))).toBe(refusal)
  expect(await messageOf(choose(url, 3))).toBe(refusal)
  const [unchanged] = await ask(url, "select nextval('quotes_id_seq')::float8 as id")
  expect(unchanged).toEqual({ id: firstOf(3) })
  expect(await choose(url, 4)).toMatchObject({ first_id: firstOf(4) })
})

it("the range of an installation is also chosen for a sequence that an upgrade added in the first range", async () => {
  const url = await migrated()
  await choose(url, 3)
  await ask(url, "create table later (id bigint generated always as identity)")
  expect(await choose(url, 3)).toMatchObject({ first_id: firstOf(3), sequences: 1 })
})

it(
  "a backup has the range of a sequence that has not assigned an id yet",
  async () => {
    const original = await migrated()
    await choose(original, 3)
    const file = join(folder, "unused.backup")
    const writing = backup(file, { recipients: [] })
    await Effect.runPromise(writing.pipe(within(original, join(folder, "data"), of_target)))
    const copy = await databaseAs("template0")
    const restoring = restore(file, { identities: [] }, true)
    await Effect.runPromise(restoring.pipe(within(copy, join(folder, "copy"), of_target)))
    const [next] = await ask(copy, "select nextval('quotes_id_seq')::float8 as id")
    expect(next).toEqual({ id: firstOf(3) })
  },
  time_max
)
