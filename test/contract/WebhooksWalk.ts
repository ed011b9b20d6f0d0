import type { walk } from "./Walk.ts"

/** Every answer about webhooks and events; `url` gives the address of a receiver's path. */
export const walkWebhooks = async (
  ask: ReturnType<ReturnType<typeof walk>["caller"]>,
  url: (path: string) => string
) => {
  const draft = { url: url("/ok"), events: ["invoice.paid"] }
  const webhook = await ask(201, "POST /webhooks", draft)
  const unheard = await ask(201, "POST /webhooks", { ...draft, url: url("/reset") })
  await ask(422, "POST /webhooks", { ...draft, events: ["invoice.lost"] })
  await ask(200, "GET /webhooks?event=invoice.paid&active=true")
  await ask(200, "GET /webhooks/events")
  await ask(200, `GET /webhooks/${webhook.id}`)
  await ask(200, `PUT /webhooks/${webhook.id}`, { description: "ERP" })
  await ask(500, `POST /webhooks/${unheard.id}/test`)
  await ask(200, `POST /webhooks/${webhook.id}/test`)
  await ask(200, `GET /webhooks/${webhook.id}/logs`)
  await ask(200, `POST /webhooks/${webhook.id}/rotate-secret`)
  await ask(200, `DELETE /webhooks/${webhook.id}`)
  for (let count = 0; count < 49; count++) await ask(201, "POST /webhooks", draft)
  await ask(422, "POST /webhooks", draft)
  await ask(200, "GET /events?after=0")
}
