import { Effect, Layer, Schema, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { Client } from "pg"
import { afterAll, expect, it } from "vitest"
import { statementName } from "../../../src/platform/observability/SpanNames.ts"
import { belongings, withdrawSubmissions } from "../../contract/Belongings.ts"
import { business, pathOf } from "../../contract/Endpoints.ts"
import { useBilling } from "../../support/Billing.ts"
import { here, urlOf } from "../../support/Service.ts"

const seeding_ms_max = 300_000
const statements = new Set<string>()

/** Records the text of each statement from its span. */
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

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Plan>
}
const Plan: Schema.Codec<Plan> = Schema.Struct({
  "Node Type": Schema.String,
  "Relation Name": Schema.optionalKey(Schema.String),
  Plans: Schema.optionalKey(Schema.Array(Schema.suspend(() => Plan)))
})
const conditions = ["Index Cond", "Recheck Cond", "Hash Cond", "Merge Cond", "Join Filter", "Filter"]

const { app, open } = useBilling({}, { clock: recorder })
afterAll(() => app.run(withdrawSubmissions))

/** Tables whose rows a plan finds without a condition on their organization. */
const unrouted = (node: any, distributed: ReadonlySet<string>, above = ""): ReadonlyArray<string> => {
  const own = conditions.map((name) => String(node[name] ?? "")).join(" ")
  const name = node["Relation Name"]
  const isScan = name !== undefined && node["Node Type"] !== "ModifyTable" && distributed.has(name)
  const isFree = isScan && !/organization_id/.test(own + above)
  const joined = / Join|Nested Loop/.test(node["Node Type"]) ? above + own : above
  return [...(isFree ? [name] : []), ...(node.Plans ?? []).flatMap((child: any) => unrouted(child, distributed, joined))]
}

it("lists the statements that a database distributed by organization_id would not route to one node", async () => {
  const books = await open({ plan: "business" })
  const records = await belongings(app, books, "ordinary")
  for (const endpoint of business.filter(({ method }) => method === "GET")) {
    await books.call("GET", pathOf(endpoint, (collection) => records[collection]?.[0] ?? 0).replace("/api/v1", ""))
  }
  const tables = await app.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return yield* sql<{ name: string }>`
        select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
        where c.relkind = 'r' and a.attnotnull and c.relnamespace = 'public'::regnamespace`
    })
  )
  const distributed = new Set(tables.map(({ name }) => name))
  const client = new Client({ connectionString: urlOf(await app.run(here)) })
  await client.connect()
  const found: Array<string> = []
  let routed = 0
  for (const text of [...statements].filter((one) => /^\s*(select|insert|update|delete|with)\b/i.test(one))) {
    // Only the simple protocol, which the driver of the service does not speak, leaves the parameters open.
    const { rows } = await client.query(`explain (generic_plan, format json) ${text}`).catch((e) => ({ rows: [{ "QUERY PLAN": [{ Plan: { "Node Type": "x", "Relation Name": String(e.message) } }] }] }))
    const free = unrouted(rows[0]["QUERY PLAN"][0].Plan, distributed)
    if (rows[0]["QUERY PLAN"][0].Plan["Node Type"] === "x") found.push("ERR " + rows[0]["QUERY PLAN"][0].Plan["Relation Name"] + text.replaceAll(/\s+/g, " ").slice(0, 100))
    else if (free.length === 0) routed += 1
    else found.push(`${statementName(text)}: ${[...new Set(free)].join(", ")} @@ ${text.replaceAll(/\s+/g, " ").slice(0, 300)}`)
  }
  await client.end()
  ;(await import("node:fs")).writeFileSync("/tmp/team/r8/ops/dist.json", JSON.stringify({ routed, found }, null, 1))
  expect(found).toEqual([])
}, seeding_ms_max)
