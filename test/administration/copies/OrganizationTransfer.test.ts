import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, inject } from "vitest"
import { not_moved } from "../../../src/administration/transfer/MovedTables.ts"
import { backup, exportOne, importOne, restore } from "../../../src/Maintenance.ts"
import { OrganizationId } from "../../../src/kernel/Ids.ts"
import { keyOf as secretKeyOf } from "../../../src/platform/crypto/SecretBox.ts"
import { keyOf as signingKeyOf } from "../../../src/platform/crypto/Signer.ts"
import { type Belongings, belongings, withdrawSubmissions } from "../../contract/tenancy/Belongings.ts"
import { business, pathOf } from "../../contract/Endpoints.ts"
import { type Books, useBilling } from "../../support/Billing.ts"
import { sequencesFrom } from "../../support/LargeIds.ts"
import { here, type Service, startService, urlOf } from "../../support/service/Service.ts"
import { digests } from "./TableDigests.ts"
import { ask, differenceOf, differing, messageOf, said, within } from "./Transfers.ts"

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64")
const [source_secret, source_signing] = [key(7), key(9)]
const trusted = signingKeyOf(Redacted.make(source_signing)).public_key
const own = { SECRET_KEY: key(1), SIGNING_KEY: key(2) }
const seeding_ms_max = 300_000
const writers = 3
const first_of_range = 3_000_000_000_000

const isNamed = (name: string) => name in not_moved || name === "organizations" || name === "tokens"

describe("npm run admin -- organization export and import", () => {
  const { app, open } = useBilling()
  const folder = mkdtempSync(join(tmpdir(), "invoicing-transfer-"))
  const made: Array<string> = []
  let service: Service | undefined
  let source = ""
  let target = ""
  let books: Books
  let records: Belongings

  const of_source = { SECRET_KEY: source_secret, SIGNING_KEY: source_signing }
  const of_target = { ...own, SECRET_KEY: `${own.SECRET_KEY},${source_secret}`, TRUSTED_SIGNING_KEYS: trusted }
  const data = join(folder, "data")
  const exported = (id: number, file: string) =>
    Effect.runPromise(
      exportOne(OrganizationId.make(id), file, { recipients: [] }, false).pipe(within(source, app.dataDir, of_source))
    )
  const imported = (file: string, changes: Record<string, string> = of_target, url = target) =>
    Effect.runPromise(importOne(file, { identities: [] }).pipe(within(url, data, changes)))
  const migrated = async () => {
    const name = `test_${randomUUID().replaceAll("-", "")}`
    made.push(name)
    const server = inject("postgres")
    await app.inDatabase(`create database ${name} template ${server.template} strategy file_copy`)
    return urlOf({ ...server, database: name, password: Redacted.make(server.password) })
  }

  beforeAll(async () => {
    await app.inDatabase(sequencesFrom(1))
    books = await open({ plan: "business" })
    records = await belongings(app, books, "moved")
    source = urlOf(await app.run(here))
    target = await migrated()
    await ask(target, sequencesFrom(first_of_range + 1))
    // The target installation already has an account of one of the organization's members.
    await ask(target, `insert into users (name, email) values ('Known here', 'INVITED.moved@example.com')`)
  }, seeding_ms_max)
  afterAll(() => app.run(withdrawSubmissions))
  afterAll(async () => {
    service?.kill("SIGTERM")
    await service?.ended
    for (const name of made) await app.inDatabase(`drop database ${name} with (force)`)
    rmSync(folder, { recursive: true, force: true })
  })

  it("moves or names every table", async () => {
    const tables = await ask(
      source,
      `select c.relname as name, exists (select from pg_attribute a
         where a.attrelid = c.oid and a.attname = 'organization_id' and a.attnotnull) as owned
       from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
         and c.relname not in ('effect_sql_migrations', 'migration_files')`
    )
    const forgotten = tables.filter(({ name, owned }) => !owned && !isNamed(name)).map(({ name }) => name)
    assert.deepStrictEqual(forgotten, [])
    const gone = Object.keys(not_moved).filter((name) => !tables.some((table) => table.name === name))
    assert.deepStrictEqual(gone, [])
    // Account ids differ between installations, so the import must know every column that holds one.
    const authors = await ask(
      source,
      `select table_name || '.' || column_name as name from information_schema.columns
       join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and column_name ~ '(_by|user_id)$' and data_type = 'bigint' order by 1`
    )
    const unknown = authors.flatMap(({ name }: { readonly name: string }) => {
      const [table = "", column] = name.split(".")
      return table in not_moved || column === "created_by" || ["members.user_id", "tokens.user_id"].includes(name)
        ? []
        : [name]
    })
    assert.deepStrictEqual(unknown, [])
  })

  it(
    "moves an organization whose every GET then answers the same bytes, and goes on with the next number",
    async () => {
      const file = join(folder, "quiet.organization")
      const written = await exported(books.id, file)
      assert.deepStrictEqual([written.missing_objects, written.signing_keys], [0, [trusted]])
      const summary = await imported(file)
      assert.deepStrictEqual([summary.rows, summary.left_out, summary.unproven], [written.rows, [], []])
      const [entry] = await ask(
        target,
        `select a.xmin = o.xmin as is_atomic from audit_entries a join organizations o on o.id = a.organization_id
         where a.canonical::json ->> 'action' = 'organization.imported'`
      )
      assert.deepStrictEqual(entry, { is_atomic: true })
      const [known] = await ask(target, "select id::float8 from users where name = 'Known here'")
      assert.isAbove(known.id, first_of_range)
      assert.strictEqual(summary.accounts.find(({ is_new }) => !is_new)?.to, known.id)

      // The import sealed the secrets with the target's first key, so the target no longer needs the source's key.
      const [hook] = await ask(target, "select secret from webhooks")
      assert.include(hook.secret, secretKeyOf(Redacted.make(own.SECRET_KEY)).id)
      const owner = summary.accounts.find(({ from }) => from === books.owner.id)
      const [token] = await ask(
        source,
        `select encode(hash, 'hex') as hash, scopes from tokens where user_id = ${owner?.from}`
      )
      await ask(
        target,
        `insert into tokens (kind, hash, user_id, scopes, name)
       values ('personal', '\\x${token.hash}', ${owner?.to}, '{${token.scopes.map((scope: string) => `"${scope}"`)}}', 'test')`
      )
      const server = { ...inject("postgres"), database: new URL(target).pathname.slice(1) }
      const variables = {
        ...own,
        TRUSTED_SIGNING_KEYS: trusted,
        DATA_DIR: data,
        ROLE: "api",
        NODE_ENV: "development",
        PUBLIC_URL: app.url
      }
      service = await startService({ ...server, password: Redacted.make(server.password) }, variables)
      await service.listening
      const url = service.url
      const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
      const deviating: Array<string> = []
      for (const endpoint of business.filter(({ method }) => method === "GET")) {
        const path = pathOf(endpoint, (collection) => records[collection]?.[0] ?? 0)
        const before = await app.call("GET", path, { token: books.owner.token, organization: books.id })
        const after = await fetch(url + path, { headers, redirect: "manual" })
        const [there, here] = [said(before.text), said(await after.text())]
        if (before.status !== after.status || there !== here) {
          deviating.push(endpoint.name in differing ? endpoint.name : `${endpoint.name}: ${differenceOf(there, here)}`)
        }
      }
      assert.deepStrictEqual(deviating.toSorted(), Object.keys(differing).toSorted())

      const post = async (path: string, body: unknown) => {
        const options = { method: "POST", headers: { ...headers, "content-type": "application/json" } }
        const answer = await fetch(`${url}/api/v1${path}`, { ...options, body: JSON.stringify(body) })
        assert.include([200, 201], answer.status)
        return JSON.parse(await answer.text()).data
      }
      const there = await post(`/invoices/${(await post("/invoices", books.body())).id}/mark-sent`, {})
      const here = await books.issued()
      assert.strictEqual(there.number, here.number)
      assert.isAbove(there.id, first_of_range)
    },
    seeding_ms_max
  )

  it(
    "opens an organization again that the source archived before the export",
    async () => {
      const { id } = await open()
      await app.inDatabase(`update organizations set archived_at = now() where id = ${id}`)
      const file = join(folder, "archived.organization")
      await exported(id, file)
      await imported(file)
      const opened = await ask(target, `select archived_at from organizations where id = ${id}`)
      assert.deepStrictEqual(opened, [{ archived_at: null }])
    },
    seeding_ms_max
  )

  it(
    "deactivates the webhooks of applications that the installation does not have",
    async () => {
      const { id, owner } = await open()
      for (const name of ["own", "foreign"]) {
        const body = { url: `https://hooks.example.com/${name}`, events: ["invoice.paid"] }
        await app.call("POST", "/api/v1/webhooks", { token: owner.token, organization: id, body })
      }
      await app.inDatabase(
        `update webhooks set client_id = gen_random_uuid() where organization_id = ${id} and url like '%/foreign'`
      )
      const file = join(folder, "application.organization")
      await exported(id, file)
      const summary = await imported(file)
      const found = `select id::integer, disabled_reason as reason from webhooks where organization_id = ${id} order by url`
      const [foreign, own] = await ask(target, found)
      const left_out = [`application of webhook ${foreign.id}`]
      assert.deepStrictEqual([foreign.reason, own.reason, summary.left_out], ["disconnected", null, left_out])
    },
    seeding_ms_max
  )

  it(
    "copies one moment of an organization that is being written to",
    async () => {
      const busy = await open({ plan: "business" })
      await busy.paid()
      const load = { stopping: false, paid: 0 }
      const write = async () => {
        for (; !load.stopping; load.paid++) await busy.paid()
      }
      const writing = Array.from({ length: writers }, write)
      const file = join(folder, "load.organization")
      await exported(busy.id, file)
      load.stopping = true
      await Promise.all(writing)
      assert.isAbove(load.paid, writers)
      // The importing installation also serves another organization, and does not have the source's key.
      const summary = await imported(file, { ...own, TRUSTED_SIGNING_KEYS: trusted })
      assert.deepStrictEqual(summary.unproven, [])
      const [sums] = await ask(
        target,
        `select sum(amount_paid)::text as paid, (select sum(amount)::text from payments where organization_id = ${busy.id}) as booked
       from invoices where organization_id = ${busy.id}`
      )
      assert.strictEqual(sums.paid, sums.booked)
    },
    seeding_ms_max
  )

  it(
    "refuses in one sentence, and then leaves nothing behind",
    async () => {
      const file = join(folder, "quiet.organization")
      const crowded = await migrated()
      await ask(
        crowded,
        `insert into organizations (id, name, country, currency, timezone, language, search)
      overriding system value values (${books.id + 1000}, 'Other', 'BE', 'EUR', 'Europe/Brussels', 'nl', 'other')`
      )
      await ask(
        crowded,
        `insert into customers (id, organization_id, name, search)
      overriding system value values (${books.customer_id}, ${books.id + 1000}, 'Other', 'other')`
      )
      const before = await digests(crowded)
      assert.match(
        await messageOf(imported(file)),
        /^The installation has an organization \d+ already\. An organization /
      )
      const conflict = await messageOf(imported(file, of_target, crowded))
      assert.match(conflict, /^The installation has a row with the key of an imported one already \(customers_pkey\)\./)
      assert.match(
        await messageOf(imported(file, own)),
        new RegExp(`set TRUSTED_SIGNING_KEYS=${trusted.replaceAll("+", "\\+")} in all`)
      )
      assert.deepStrictEqual(await digests(crowded), before)
      await ask(crowded, "update migration_files set sha256 = 'other' where id = 1")
      assert.match(await messageOf(imported(file, of_target, crowded)), /has other migrations than this installation/)
      assert.match(await messageOf(exported(999_999, join(folder, "none"))), /^There is no organization 999999\.$/)

      const whole = join(folder, "whole.backup")
      await Effect.runPromise(backup(whole, { recipients: [] }).pipe(within(source, app.dataDir, of_source)))
      assert.match(await messageOf(imported(whole)), /is a backup of a whole installation: use restore\.$/)
      const restoring = restore(file, { identities: [] }, false).pipe(within(crowded, data, of_source))
      assert.match(await messageOf(Effect.runPromise(restoring)), /holds one organization, not an installation/)
    },
    seeding_ms_max
  )

  it(
    "leaves out secrets that this installation cannot open, and names them",
    async () => {
      const other = await migrated()
      const file = join(folder, "quiet.organization")
      const summary = await imported(file, { ...own, TRUSTED_SIGNING_KEYS: trusted }, other)
      const [hook] = await ask(other, "select id::integer, is_active, secret from webhooks")
      assert.deepStrictEqual(summary.left_out, [`secret of webhook ${hook.id}`])
      assert.isFalse(hook.is_active)
      assert.isFalse(readFileSync(file, "latin1").includes(source_secret))
      // New records get ids that follow the imported ones.
      for (const table of ["customers", "users"]) {
        const [next] = await ask(
          other,
          `select nextval('${table}_id_seq')::float8 as id, (select max(id)::float8 from ${table}) as last`
        )
        assert.isAbove(next.id, next.last, table)
      }
    },
    seeding_ms_max
  )
})
