import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"
import { useApp } from "../support/App.ts"
import { receiver, until } from "../support/counterparts/Receiver.ts"

const receiving = await receiver()
const app = useApp({ role: "all", ...receiving.settings() })

const sql = <A extends object>(statement: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, statement).pipe(Effect.orDie))

describe("retention", () => {
  it("keeps events, deliveries and the log for 30 days", async () => {
    const old = await app.organization()
    const call = (method: string, path: string, body?: unknown) =>
      app.call(method, `/api/v1${path}`, { token: old.owner.token, organization: old.id, body })
    const { id } = (await call("POST", "/webhooks", { url: receiving.url("/ok/kept"), events: ["*"] })).body.data
    for (const name of ["One", "Two"]) await call("POST", "/customers", { name })
    const rows = () =>
      sql<{ events: number; deliveries: number; attempts: number }>(
        (sql) => sql`select (select count(*) from outbox where organization_id = ${old.id}) as events,
          (select count(*) from webhook_deliveries where webhook_id = ${id}) as deliveries,
          (select count(*) from webhook_attempts where webhook_id = ${id}) as attempts`
      )
    // A checkpoint of the archive may add one more event at any position.
    const complete = async () => {
      const [{ events, attempts } = { events: 0, attempts: 0 }] = await rows()
      return events >= 2 && attempts === events ? events : undefined
    }
    const all = await until("the log", complete)
    await sql(
      (sql) => sql`update webhook_attempts set created_at = now() - interval '31 days'
      where id = (select min(id) from webhook_attempts where webhook_id = ${id})`
    )
    await sql(
      (sql) => sql`update webhook_deliveries set created_at = now() - interval '31 days'
      where webhook_id = ${id} and sequence = 1`
    )
    await sql(
      (sql) => sql`update outbox set relayed_at = now() - interval '31 days'
      where organization_id = ${old.id} and sequence = 1`
    )
    const purge = Effect.flatMap(Deliveries, (deliveries) => deliveries.purge)
    await app.run(Effect.provide(purge, Deliveries.layer))
    const kept = all - 1
    expect(await rows()).toEqual([{ events: kept, deliveries: kept, attempts: kept }])
    const { body } = await call("GET", "/events")
    expect(body.meta).toMatchObject({ oldest_sequence: 2, latest_sequence: all, kept_days: 30 })
  })
})
