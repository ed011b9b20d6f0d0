import { describe, expect, it } from "vitest"
import { receiver, until } from "../../support/counterparts/Receiver.ts"
import { useBilling } from "../../support/Billing.ts"

const receiving = await receiver()
const { app, open } = useBilling({ role: "all", ...receiving.settings() })

describe("what a later version stored during an upgrade", () => {
  it("is answered and delivered, although this version does not know its words", async () => {
    const books = await open()
    const draft = { url: receiving.url("/ok/later"), events: ["*"] }
    const { id } = await books.made("POST", "/webhooks", draft)
    await app.inDatabase(`alter table webhooks drop constraint webhooks_disabled_reason_check`)
    await app.inDatabase(`update webhooks set events = '{invoice.created,parcel.posted,*}' where id = ${id}`)
    await app.inDatabase(`insert into webhooks (organization_id, url, events, is_active, disabled_reason, secret,
      secret_hint, after_sequence) values (${books.id}, 'https://hooks.example.com/', '{parcel.posted}', false, 'moved',
      '', '', 0)`)
    await app.inDatabase(`with journal as (
        update journals set events = events + 1 where organization_id = ${books.id} returning events)
      insert into outbox (organization_id, sequence, event_id, type, occurred_at, data)
      select ${books.id}, events, 'evt_later', 'parcel.posted', now(), '{"object":"parcel","id":1,"attributes":{}}'
      from journal`)

    // `app.call` would refuse words that the API document does not declare.
    const read = async (path: string) => {
      const headers = { authorization: `Bearer ${books.owner.token}`, "x-organization-id": String(books.id) }
      const response = await fetch(`${app.url}/api/v1${path}`, { headers })
      expect(response.status).toBe(200)
      return JSON.parse(await response.text()).data
    }
    expect((await read("/events")).at(-1)).toMatchObject({
      id: "evt_later",
      type: "parcel.posted",
      event: "parcel.posted"
    })
    expect(await read("/webhooks")).toMatchObject([
      { events: ["parcel.posted"], disabled_reason: "moved" },
      { events: ["invoice.created", "parcel.posted", "*"] }
    ])
    const message = await until("the message", () => receiving.received.find(({ event }) => event.id === "evt_later"))
    expect(message.event).toMatchObject({ type: "parcel.posted", event: "parcel.posted" })
    const changed = await books.made("PUT", `/webhooks/${id}`, { events: ["invoice.created"] })
    expect(changed.events).toEqual(["invoice.created"])
  })
})
