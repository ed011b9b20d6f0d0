import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { EventName } from "../../../src/kernel/EventName.ts"
import { useApp } from "../../support/App.ts"
import { records } from "./EventRecords.ts"

const app = useApp()
const catalog = async () => {
  const { id, owner } = await app.organization()
  return (await app.call("GET", "/api/v1/webhooks/events", { token: owner.token, organization: id })).body
}

describe("GET /api/v1/webhooks/events", () => {
  const stable = [
    "invoice.created",
    "invoice.updated",
    "invoice.sent",
    "invoice.paid",
    "invoice.overdue",
    "quote.created",
    "quote.accepted",
    "quote.rejected",
    "expense.created",
    "customer.created",
    "einvoice.sent",
    "einvoice.delivered",
    "einvoice.failed"
  ]

  it("describes every event; 13 are stable, the others extended", async () => {
    const { data } = await catalog()
    const named = (stability: string) =>
      data.flatMap((item: { name: string; stability: string }) => (item.stability === stability ? [item.name] : []))
    expect(new Set(named("stable"))).toEqual(new Set(stable))
    expect(new Set([...named("stable"), ...named("extended")])).toEqual(new Set(EventName.literals))
    expect(data).toHaveLength(EventName.literals.length)
    for (const { description } of data) expect(description).toMatch(/^[A-Z].*\.$/)
  })

  it("gives an example for each event with what GET answers for the record", async () => {
    const { data } = await catalog()
    expect(data).toHaveLength(EventName.literals.length)
    for (const { example, name } of data) {
      expect([example.type, example.event, example.organization_id]).toEqual([name, name, 7])
      const record = records[example.data.object]
      if (record === undefined) throw new Error(`No schema for ${example.data.object}.`)
      const decoded = Schema.decodeUnknownSync(record, { onExcessProperty: "error" })(example.data.attributes)
      expect(Schema.encodeSync(record)(decoded)).toEqual(example.data.attributes)
    }
  })
})
