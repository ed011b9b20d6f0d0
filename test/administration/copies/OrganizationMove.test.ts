import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, inject, it } from "vitest"
import { Integrity } from "../../../src/archive/integrity/Integrity.ts"
import { ArchiveProof } from "../../../src/archive/ArchiveLayer.ts"
import { SalesBooks } from "../../../src/billing/BillingLayer.ts"
import { MailRetriesRepo } from "../../../src/billing/sending/retries/MailRetriesRepo.ts"
import { ConnectionsRepo } from "../../../src/einvoicing/providers/connections/ConnectionsRepo.ts"
import { ExpenseBooks } from "../../../src/expenses/ExpensesLayer.ts"
import { OrganizationId, type WebhookId } from "../../../src/kernel/Ids.ts"
import { exportOne, importOne } from "../../../src/Maintenance.ts"
import { Organizations } from "../../../src/organizations/Organizations.ts"
import { keyOf } from "../../../src/platform/crypto/Signer.ts"
import { pgLayer } from "../../../src/platform/sql/Database.ts"
import { DeliveriesRepo } from "../../../src/webhooks/deliveries/DeliveriesRepo.ts"
import { LanesRepo } from "../../../src/webhooks/deliveries/LanesRepo.ts"
import { verifiedAuditLog } from "../../support/AuditLog.ts"
import { magic } from "../../support/counterparts/Network.ts"
import { sequencesFrom } from "../../support/LargeIds.ts"
import { here, urlOf } from "../../support/service/Service.ts"
import { useEinvoicing } from "../../einvoicing/documents/Submitting.ts"
import { ask, messageOf, within } from "./Transfers.ts"

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64")
const of_source = { SECRET_KEY: key(7), SIGNING_KEY: key(9) }
const trusted = keyOf(Redacted.make(of_source.SIGNING_KEY)).public_key
const of_target = { SECRET_KEY: `${key(1)},${key(7)}`, SIGNING_KEY: key(2), TRUSTED_SIGNING_KEYS: trusted }
const time_max = 300_000

const { app, open } = useEinvoicing({ secretKeys: [Redacted.make(of_source.SECRET_KEY)] })
const folder = mkdtempSync(join(tmpdir(), "invoicing-final-"))
const database = `test_${randomUUID().replaceAll("-", "")}`
const server = inject("postgres")
const of_database = { ...server, database, password: Redacted.make(server.password) }
const target = urlOf(of_database)
let source = ""

beforeAll(async () => {
  source = urlOf(await app.run(here))
  await app.inDatabase(`create database ${database} template ${server.template} strategy file_copy`)
  await app.inDatabase(sequencesFrom(1))
  await ask(target, sequencesFrom(3_000_000_000_001))
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

/** Creates the deliveries of new events, claims the webhook's lane, and returns the ids of its due deliveries. */
const dueDeliveries = Effect.fnUntraced(
  function* (webhook_id: WebhookId) {
    const lease = randomUUID()
    const { due, relay } = yield* DeliveriesRepo
    const lanes = yield* LanesRepo
    yield* relay({ limit: 1_000 })
    yield* lanes.claim({ lease, lease_seconds: 60, limit: 1_000 })
    const found = yield* due({ lease, webhook_id, except: [], limit: 10, bytes_max: 1_000_000 })
    yield* lanes.leaveAll({ lease })
    return found.map(({ event_id, type }) => `${type} ${event_id}`)
  },
  Effect.provide([DeliveriesRepo.layer, LanesRepo.layer])
)

const backlog = DeliveriesRepo.use(({ backlog }) => backlog({ count_max: 100 })).pipe(
  Effect.provide(DeliveriesRepo.layer)
)

/** Deletes the jobs that a worker would have done, as the test has no workers. */
const done = (id: number) =>
  app.inDatabase(
    `delete from jobs where queue_name <> 'einvoices.follow-up' and element ~ '"organization_id":${id}[,}]'`
  )

const planned = (id: number) =>
  ask(source, `select 1 from jobs where queue_name = 'einvoices.follow-up' and element ~ '"organization_id":${id}[,}]'`)

/** Asserts that a final export does not end before the statement has run, and returns its refusal. */
const refusalAfter = async (id: number, statement: string) => {
  let hasEnded = false
  const ended = messageOf(exported(id, `waiting-${id}`, true)).then((message) => ({ message, isInOrder: hasEnded }))
  await expect
    .poll(() => ask(source, `select 1 from moved_organizations where organization_id = ${id}`), { timeout: 60_000 })
    .toHaveLength(1)
  await sleep(2_000)
  hasEnded = true
  await app.inDatabase(statement)
  const { isInOrder, message } = await ended
  expect(isInOrder).toBe(true)
  return message
}

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
  "after a final export, only the import delivers the events that waited, also those without deliveries",
  async () => {
    const { customer_id, id, made } = await open()
    const hook = await made("POST", "/webhooks", { url: "https://hooks.example.com/", events: ["customer.updated"] })
    const rename = (name: string) => made("PUT", `/customers/${customer_id}`, { name })
    await rename("Relayed")
    const relayed = await app.run(dueDeliveries(hook.id))
    expect(relayed).toHaveLength(1)
    await rename("Not relayed")
    await archive(id)
    await done(id)
    await exported(id, "waiting-events", true)
    expect(await app.run(dueDeliveries(hook.id))).toEqual([])
    expect(await app.run(backlog)).toEqual({ deliveries: 0, age_seconds: 0, outbox_seconds: 0 })

    const importing = importOne(join(folder, "waiting-events"), { identities: [] })
    await Effect.runPromise(importing.pipe(within(target, join(folder, "data"), of_target)))
    const connected = pgLayer(of_database, 2)
    const imported = await Effect.runPromise(dueDeliveries(hook.id).pipe(Effect.provide(connected)))
    expect(imported).toEqual([...relayed, expect.stringContaining("customer.updated evt_")])

    await reopen(id)
    expect(await app.run(dueDeliveries(hook.id))).toEqual(imported)
  },
  time_max
)

it(
  "a final export waits until the deliveries that have begun are recorded",
  async () => {
    const { id, made } = await open()
    const hook = await made("POST", "/webhooks", { url: "https://hooks.example.com/", events: ["customer.updated"] })
    await archive(id)
    await done(id)
    await app.inDatabase(
      `update webhook_lanes set lease = '${randomUUID()}', leased_until = now() + interval '1 minute'
       where webhook_id = ${hook.id}`
    )
    const released = `update webhook_lanes set lease = null, leased_until = null where webhook_id = ${hook.id}`
    expect(await refusalAfter(id, released)).toBe("not refused")
  },
  time_max
)

it(
  "an import is complete without its proof if the storage fails in it, and says so",
  async () => {
    const { id, issued } = await open()
    await issued()
    await exported(id, "unproven", false)
    // The proof cannot read the checkpoints, because a file is in the place of their folder.
    const place = join(folder, "data", "objects", "checkpoints", String(id))
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, "")
    const importing = importOne(join(folder, "unproven"), { identities: [] })
    const summary = await Effect.runPromise(importing.pipe(within(target, join(folder, "data"), of_target)))
    expect(summary.unproven).toEqual([id])
    expect(await ask(target, `select 1 from invoices where organization_id = ${id}`)).toHaveLength(1)
  },
  time_max
)

const job = (name: string, element: string, acquired_at: string) =>
  `insert into jobs (id, queue_name, element, state, attempts, acquired_at, visible_at, created_at, updated_at)
   values ('${name}', '${name}', '${element}', 'pending', 1, ${acquired_at}, localtimestamp, localtimestamp,
     localtimestamp)`

it(
  "a final export waits until periodic work that is running has ended, and is refused if that work enqueued a job",
  async () => {
    const { id } = await open()
    await archive(id)
    await done(id)
    // The command opens sessions with the time zone of the database, unlike the service.
    await app.inDatabase(`alter database ${new URL(source).pathname.slice(1)} set timezone = 'Europe/Brussels'`)
    const run = job("timed.einvoices.collect", "{}", "localtimestamp")
    const end = "update jobs set state = 'completed' where queue_name = 'timed.einvoices.collect'"
    const enqueued = job("einvoices.transmit", JSON.stringify({ payload: { organization_id: id } }), "null")
    await app.inDatabase(run)
    const refusal = await refusalAfter(id, `with ended as (${end}) ${enqueued}`)
    expect(refusal).toBe(`Jobs of organization ${id} are waiting (1): repeat the command in half an hour.`)
    await done(id)
    await app.inDatabase("update jobs set state = 'pending', acquired_at = localtimestamp where state = 'completed'")
    expect(await refusalAfter(id, end)).toBe("not refused")
  },
  time_max
)
