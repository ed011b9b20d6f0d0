import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, inject, it } from "vitest"
import { Integrity } from "../../../src/archive/integrity/Integrity.ts"
import { ArchiveProof } from "../../../src/archive/ArchiveLayer.ts"
import { SalesBooks } from "../../../src/billing/BillingLayer.ts"
import { MailRetriesRepo } from "../../../src/billing/sending/retries/MailRetriesRepo.ts"
import { ConnectionsRepo } from "../../../src/einvoicing/providers/connections/ConnectionsRepo.ts"
import { ExpenseBooks } from "../../../src/expenses/ExpensesLayer.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { exportOne, idRange, importOne } from "../../../src/Maintenance.ts"
import { Organizations } from "../../../src/organizations/Organizations.ts"
import { keyOf } from "../../../src/platform/crypto/Signer.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { magic } from "../../support/counterparts/Network.ts"
import { here, urlOf } from "../../support/service/Service.ts"
import { useEinvoicing } from "../../einvoicing/documents/Submitting.ts"
import { ask, messageOf, within } from "./Transfers.ts"

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64")
const of_source = { SECRET_KEY: key(7), SIGNING_KEY: key(9) }
const trusted = keyOf(Redacted.make(of_source.SIGNING_KEY)).public_key
const of_target = { SECRET_KEY: key(1), SIGNING_KEY: key(2), TRUSTED_SIGNING_KEYS: trusted }
const time_max = 300_000

const { app, open } = useEinvoicing()
const folder = mkdtempSync(join(tmpdir(), "invoicing-final-"))
const database = `test_${randomUUID().replaceAll("-", "")}`
let source = ""
let target = ""

beforeAll(async () => {
  source = urlOf(await app.run(here))
  const server = inject("postgres")
  await app.inDatabase(`create database ${database} template ${server.template} strategy file_copy`)
  target = urlOf({ ...server, database, password: Redacted.make(server.password) })
  await Effect.runPromise(idRange(3).pipe(within(target, join(folder, "data"), of_target)))
}, time_max)
afterAll(async () => {
  await app.inDatabase(`drop database ${database} with (force)`)
  rmSync(folder, { recursive: true, force: true })
})

const exported = (id: number, name: string, isFinal: boolean) =>
  Effect.runPromise(
    exportOne(OrganizationId.make(id), join(folder, name), { recipients: [] }, isFinal).pipe(
      within(source, app.dataDir, of_source)
    )
  )

const ofOrganization = (rows: ReadonlyArray<{ readonly organization_id: number }>, id: number) =>
  rows.filter(({ organization_id }) => organization_id === id).length

/** Counts the connections that are polled, the connections with reports, and the sends with a due message. */
const workOf = (id: number) =>
  app.run(
    Effect.gen(function* () {
      const { inTurn, list } = yield* ConnectionsRepo
      const { due } = yield* MailRetriesRepo
      const found = [yield* inTurn, yield* list, yield* due(undefined)]
      return found.map((rows) => ofOrganization(rows, id))
    }).pipe(Effect.provide([ConnectionsRepo.layer, MailRetriesRepo.layer]))
  )

const proven = (id: number) =>
  app.run(
    Integrity.use(({ prove }) => prove(OrganizationId.make(id))).pipe(
      Effect.provide(ArchiveProof),
      Effect.provide([SalesBooks, ExpenseBooks])
    )
  )

/** Opens an archived organization with a provider, a message that is due, and an e-invoice whose polls are planned. */
const departing = async () => {
  const books = await open()
  await books.register()
  const { id } = await books.submitted(await books.draft(), { recipient_identifier_value: magic.silent })
  await books.transmit(id)
  await app.inDatabase(
    `insert into provider_connections
       (organization_id, provider, adapter, account, environment, sealed_settings, connected_at, updated_at)
     values (${books.id}, 'fr_ctc', 'other', '${books.id}', 'production', 'sealed', now(), now())`
  )
  await app.inDatabase(
    `insert into document_sends (organization_id, document, document_id, operation)
     values (${books.id}, 'invoice', ${(await books.issued()).id}, 'interrupted')`
  )
  return books
}

const archive = (id: number) =>
  app.run(Organizations.use(({ archive }) => archive(OrganizationId.make(id), "admin")).pipe(provided))
const reopen = (id: number) =>
  app.run(Organizations.use(({ reopen }) => reopen(OrganizationId.make(id), "admin")).pipe(provided))
const provided = Effect.provide(Organizations.layer)

/** Deletes the jobs that a worker would have done, as the test has no workers. */
const done = (id: number) =>
  app.inDatabase(
    `delete from jobs where queue_name <> 'einvoices.follow-up' and element ~ '"organization_id":${id}[,}]'`
  )

const planned = (id: number) =>
  ask(source, `select 1 from jobs where queue_name = 'einvoices.follow-up' and element ~ '"organization_id":${id}[,}]'`)

it(
  "a final export is refused for an open organization, and while jobs wait other than planned polls of e-invoices",
  async () => {
    const { id } = await departing()
    expect(await messageOf(exported(id, "open", true))).toBe(`Archive organization ${id} first: organization archive.`)
    await archive(id)
    expect(await messageOf(exported(id, "early", true))).toMatch(
      /^Jobs of organization \d+ are waiting \(\d+\): repeat/
    )
    expect(await workOf(id)).toEqual([1, 1, 1])
    await done(id)
    expect(await planned(id)).toHaveLength(1)
    expect(await exported(id, "copy", false)).toMatchObject({ waiting_jobs: 0 })
    expect(await workOf(id)).toEqual([1, 1, 1])
  },
  time_max
)

it(
  "after a final export, only the other installation works for the organization, until it is reopened",
  async () => {
    const { id, resume } = await departing()
    await proven(id)
    await archive(id)
    await done(id)
    expect(await exported(id, "final", true)).toMatchObject({ waiting_jobs: 0 })
    expect(await workOf(id)).toEqual([0, 0, 0])
    expect(await planned(id)).toEqual([])
    await app.inDatabase(`update einvoices set next_poll_at = now() - interval '1 day' where organization_id = ${id}`)
    expect(await resume()).toBe(0)

    // A checkpoint would be an event with a sequence number that the other installation assigns, too.
    const before = await app.run(verifiedAuditLog(id))
    await proven(id)
    expect(await app.run(verifiedAuditLog(id))).toEqual(before)

    const importing = importOne(join(folder, "final"), { identities: [] })
    const summary = await Effect.runPromise(importing.pipe(within(target, join(folder, "data"), of_target)))
    expect(summary.unproven).toEqual([])
    const columns = "archived_at, moved_at"
    expect(await ask(target, `select ${columns} from organizations where id = ${id}`)).toEqual([
      { archived_at: null, moved_at: null }
    ])

    await reopen(id)
    expect(await workOf(id)).toEqual([1, 1, 1])
    expect(await resume()).toBe(1)
  },
  time_max
)

it(
  "a final export waits until periodic work that is running has ended",
  async () => {
    const { id } = await open()
    await archive(id)
    await done(id)
    await app.inDatabase(
      `insert into jobs (id, queue_name, element, state, attempts, acquired_at, visible_at, created_at, updated_at)
       values ('1', 'timed.einvoices.collect', '{}', 'pending', 1, localtimestamp, localtimestamp, localtimestamp,
         localtimestamp)`
    )
    let hasEnded = false
    const isInOrder = exported(id, "waiting", true).then(() => hasEnded)
    await expect
      .poll(() => ask(source, `select 1 from moved_organizations where organization_id = ${id}`), { timeout: 60_000 })
      .toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    hasEnded = true
    await app.inDatabase("update jobs set state = 'completed' where queue_name = 'timed.einvoices.collect'")
    expect(await isInOrder).toBe(true)
  },
  time_max
)
