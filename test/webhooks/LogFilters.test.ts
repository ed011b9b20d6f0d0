import { expect, it } from "vitest"
import { useBilling } from "../support/Billing.ts"

const { app, open } = useBilling()

it("GET /api/v1/webhooks/{id}/logs answers only the attempts with a status and an event, and counts them", async () => {
  const books = await open()
  const { id } = await books.made("POST", "/webhooks", { url: "https://hooks.example.com/", events: ["*"] })
  const insert = (event: string, status: string, count: number) =>
    app.inDatabase(`insert into webhook_attempts (organization_id, webhook_id, event_id, event, attempt, status, duration_ms)
      select ${books.id}, ${id}, 'evt_' || n, '${event}', 1, '${status}', 1 from generate_series(1, ${count}) n`)
  await insert("invoice.paid", "delivered", 5)
  await insert("invoice.paid", "failed", 3)
  await insert("webhook.test", "exhausted", 1)
  const totalOf = async (query: string) => {
    const { body, status } = await books.call("GET", `/webhooks/${id}/logs?per_page=2&${query}`)
    return status === 200 ? [body.meta.total, body.data.length] : [status, Object.keys(body.errors)]
  }
  expect(await totalOf("")).toEqual([9, 2])
  expect(await totalOf("page=5")).toEqual([9, 1])
  expect(await totalOf("page=6")).toEqual([9, 0])
  expect(await totalOf("status=failed")).toEqual([3, 2])
  expect(await totalOf("status=failed&event=webhook.test")).toEqual([0, 0])
  expect(await totalOf("event=invoice.paid")).toEqual([8, 2])
  expect(await totalOf("status=lost")).toEqual([422, ["status"]])
  expect(await totalOf("event=invoice.eaten")).toEqual([422, ["event"]])
})
