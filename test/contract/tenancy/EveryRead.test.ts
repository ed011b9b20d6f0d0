import { Effect, Layer, Tracer } from "effect"
import { Client } from "pg"
import { beforeAll, expect, it } from "vitest"
import { purgeDocumentLinks } from "../../../src/billing/sending/DocumentLinksPurge.ts"
import { purgeSandbox } from "../../../src/einvoicing/sandbox/SandboxPurge.ts"
import { purgeIdentity } from "../../../src/identity/IdentityPurge.ts"
import { OperationRunner } from "../../../src/operations/OperationRunner.ts"
import { purgeEdge } from "../../../src/platform/http/edge/EdgePurge.ts"
import { Deliveries } from "../../../src/webhooks/deliveries/Deliveries.ts"
import { workOf } from "../../archive/DocumentArchiver.ts"
import { useApp } from "../../support/App.ts"
import { type Books, openBooks } from "../../support/Billing.ts"
import { here, urlOf } from "../../support/service/Service.ts"
import { statementName } from "../../../src/platform/observability/SpanNames.ts"
import { type Belongings, belongings } from "./Belongings.ts"
import { business, pathOf } from "../Endpoints.ts"

const seeding_ms_max = 300_000

/** Endpoints whose answers change when old rows are deleted, each with the rule that deletes them. */
const pruned: Readonly<Record<string, string>> = {
  "events.list": "Events are kept for 30 days after they were relayed.",
  "webhooks.logs": "Attempts are kept for 30 days."
}

/**
 * SQL statements that read a table without a condition on the organization (ARCHITECTURE.md explains the reason). The
 * invitations of a person are limited over all organizations.
 */
const unrouted = ["SELECT max: invitation_mails"]

const statements = new Set<string>()

/** Records the text of each SQL statement from its tracing span. */
const recorder = Layer.succeed(
  Tracer.Tracer,
  Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      const attribute = span.attribute.bind(span)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (key === "db.query.text" && typeof value === "string") statements.add(value)
          attribute(key, value)
        }
      })
    }
  })
)

/** The invariants of the stored data are not checked here, because these tests delete events from the outbox. */
const app = useApp({}, { clock: recorder })
let books: Books
let records: Belongings

beforeAll(async () => {
  books = await openBooks(app, { plan: "business" })
  records = await belongings(app, books, "ordinary")
}, seeding_ms_max)

const answers = async () => {
  const found = new Map<string, string>()
  for (const endpoint of business.filter(({ method }) => method === "GET")) {
    const path = pathOf(endpoint, (collection) => records[collection]?.[0] ?? 0).replace("/api/v1", "")
    const { status, text } = await books.call("GET", path)
    const said = text.replaceAll(/v1\.[0-9a-f]{12}\.[\w-]+/g, "<cursor>").replaceAll(/"verified_at":"[^"]*"/g, "")
    found.set(endpoint.name, `${status} ${said}`)
  }
  return found
}

interface Plan {
  readonly [property: string]: unknown
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Plan>
}

const conditions = ["Index Cond", "Recheck Cond", "Hash Cond", "Merge Cond", "Join Filter", "Filter"]

/** Returns the tables whose rows a query plan finds without a condition on their organization. */
const freeIn = (plan: Plan, owned: ReadonlySet<string>, above = ""): ReadonlyArray<string> => {
  const own = JSON.stringify(conditions.map((name) => plan[name]))
  const { "Node Type": type, Plans: children = [], "Relation Name": table = "" } = plan
  const isFree = type !== "ModifyTable" && owned.has(table) && !(own + above).includes("organization_id")
  const joined = / Join|Nested Loop/.test(type) ? above + own : above
  return [...(isFree ? [table] : []), ...children.flatMap((child) => freeIn(child, owned, joined))]
}

it(
  "names the organization for every table that a statement reads, but for those listed here",
  async () => {
    await answers()
    const client = new Client({ connectionString: urlOf(await app.run(here)) })
    await client.connect()
    const tables = await client.query<{ name: string }>(`
    select attrelid::regclass::text as name from pg_attribute where attname = 'organization_id' and attnotnull`)
    const owned = new Set(tables.rows.map(({ name }) => name))
    const found = new Set<string>()
    const read = [...statements].filter((text) => /^\s*(select|insert|update|delete|with)\b/i.test(text))
    for (const text of read) {
      // `explain (generic_plan)` needs the simple query protocol, which the service's driver does not use.
      const { rows } = await client.query<{ "QUERY PLAN": ReadonlyArray<{ Plan: Plan }> }>(
        `explain (generic_plan, format json) ${text}`
      )
      const free = rows.flatMap((row) => row["QUERY PLAN"].flatMap(({ Plan }) => freeIn(Plan, owned)))
      if (free.length > 0) found.add(`${statementName(text)}: ${[...new Set(free)].toSorted().join(", ")}`)
    }
    await client.end()
    expect(read.length).toBeGreaterThan(200)
    expect([...found].toSorted()).toEqual(unrouted)
  },
  seeding_ms_max
)

it(
  "keeps what every GET answers and what the proof needs when everything is a year old",
  async () => {
    const { prove } = workOf(app)
    await prove(books)
    const before = await answers()
    const year = "interval '1 year'"
    for (const statement of [
      `update outbox set relayed_at = now() - ${year}`,
      `update webhook_deliveries set created_at = now() - ${year}`,
      `update webhook_attempts set created_at = now() - ${year}`,
      `update idempotency_keys set created_at = now() - ${year}`,
      `update rate_windows set started_at = now() - ${year}`,
      `update document_sends set created_at = now() - ${year}`,
      `update document_links set expires_at = now() - ${year}`,
      `update network_transmissions set created_at = now() - ${year}`,
      `update operations set completed_at = completed_at - ${year}`
    ]) {
      await app.inDatabase(statement)
    }
    const work = Effect.gen(function* () {
      yield* purgeEdge()
      yield* purgeDocumentLinks()
      yield* purgeIdentity()
      yield* purgeSandbox()
      yield* Effect.provide(
        OperationRunner.use(({ purge }) => purge),
        OperationRunner.layer
      )
      yield* Effect.provide(
        Deliveries.use(({ purge }) => purge),
        Deliveries.layer
      )
    })
    await app.run(work)
    const left = await app.inDatabase(`
    select (select count(*) from outbox) + (select count(*) from webhook_attempts) + (select count(*) from document_mails)
      + (select count(*) from idempotency_keys) + (select count(*) from webhook_deliveries) as rows`)
    expect(left).toEqual([{ rows: 0 }])

    const after = await answers()
    const changed = [...before].flatMap(([name, said]) => (after.get(name) === said ? [] : [name]))
    expect(changed.toSorted()).toEqual(Object.keys(pruned).toSorted())
    await prove(books)
    expect(await books.made("GET", "/archive")).toMatchObject({ integrity_state: "passed" })
  },
  seeding_ms_max
)
