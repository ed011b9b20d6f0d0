import { describe, expect, it } from "vitest"
import { purgeEdge } from "../../../../src/platform/http/edge/EdgePurge.ts"
import { useBilling } from "../../../support/Billing.ts"

const { app, open } = useBilling()

const { inDatabase } = app

describe("the purge of the edge", () => {
  it("keeps an Idempotency-Key for a day, and counters for a minute", async () => {
    const books = await open()
    const create = (key: string) =>
      books.call("POST", "/customers", { name: key }, { headers: { "idempotency-key": key } })
    const old = await create("old")
    const recent = await create("recent")
    await inDatabase("update idempotency_keys set created_at = now() - interval '25 hours' where key = 'old'")
    await inDatabase(
      "insert into rate_windows select 'ip:' || n, now() - interval '1 hour', 1 from generate_series(1, 2100) n"
    )
    expect(await app.run(purgeEdge())).toEqual({ keys: 1, windows: 2100 })
    expect((await create("recent")).body.data.id).toBe(recent.body.data.id)
    expect((await create("old")).body.data.id).not.toBe(old.body.data.id)
  })
})
