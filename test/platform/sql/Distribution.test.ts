import { Context, Effect, Exit, Layer, Option, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { statementName } from "../../../src/platform/observability/SpanNames.ts"
import { belongings, withdrawSubmissions } from "../../contract/Belongings.ts"
import { business, pathOf } from "../../contract/Endpoints.ts"
import { writeFileSync } from "node:fs"
import { Client } from "pg"
import { here, urlOf } from "../../support/Service.ts"
import { useBilling } from "../../support/Billing.ts"
import { afterAll } from "vitest"

const seeding_ms_max = 300_000
const statements = new Set<string>()

/** Records the text of each statement from its span. */
const recorder = Layer.succeed(
  Tracer.Tracer,
  Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (key === "db.query.text" && typeof value === "string") statements.add(value)
          span.attributes.set(key, value)
        }
      })
    }
  })
)

const { app, open } = useBilling({}, { clock: recorder })
afterAll(() => app.run(withdrawSubmissions))

it(
  "lists the statements that a database distributed by organization_id would not route to one node",
  async () => {
    const books = await open({ plan: "business" })
    const records = await belongings(app, books, "ordinary")
    for (const endpoint of business.filter(({ method }) => method === "GET")) {
      await books.call("GET", pathOf(endpoint, (collection) => records[collection]?.[0] ?? 0).replace("/api/v1", ""))
    }
    const report = await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ name: string }>`
        select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
        where c.relkind = 'r' and a.attnotnull and c.relnamespace = 'public'::regnamespace`
        const distributed = new Set(rows.map(({ name }) => name))
        const client = new Client({ connectionString: urlOf(yield* here) })
      yield* Effect.promise(() => client.connect())
      const bad: Array<string> = []
        let ok = 0
        for (const text of statements) {
          if (!/^\s*(select|insert|update|delete|with)/i.test(text)) continue
          const plan = yield* Effect.option(
            sql.unsafe<{ "QUERY PLAN": any }>(`explain (generic_plan, format json, verbose) ${text}`)
          )
          if (Option.isNone(plan)) {
            bad.push(`UNEXPLAINED ${statementName(text)} ${text.replaceAll(/\s+/g, " ").slice(0, 200)}`)
            continue
          }
          const found: Array<string> = []
          const walk = (node: any, outer: string) => {
            const conds = Object.entries(node)
              .filter(([k]) => /Cond|Filter/.test(k))
              .map(([, v]) => String(v))
              .join(" ")
            if (
              node["Relation Name"] !== undefined &&
              node["Node Type"] !== "ModifyTable" &&
              distributed.has(node["Relation Name"]) &&
              !/organization_id/.test(conds + outer)
            )
              found.push(node["Relation Name"])
            for (const child of node.Plans ?? [])
              walk(child, /Cond/.test(Object.keys(node).join()) ? outer + conds : outer)
          }
          walk((plan.value[0] as any)["QUERY PLAN"][0].Plan, "")
          if (found.length === 0) ok++
          else bad.push(`${statementName(text)} [${[...new Set(found)]}] ${text.replaceAll(/\s+/g, " ").slice(0, 240)}`)
        }
        yield* Effect.promise(() => client.end())
      return { ok, bad, total: statements.size }
      })
    )
    writeFileSync("/tmp/team/r8/ops/dist.json", JSON.stringify(report, null, 1))
    expect(report.total).toBe(0)
  },
  seeding_ms_max
)
