import { spawnSync } from "node:child_process"
import { Webhook } from "standardwebhooks"
import { beforeAll, describe, expect, it } from "vitest"
import { bodySignature, standardSignature } from "../../src/platform/crypto/WebhookSignature.ts"
import type { Books } from "../support/Billing.ts"
import { customer, useHooks } from "../support/counterparts/Hooks.ts"
import { type Received, until } from "../support/counterparts/Receiver.ts"

const { app, arrived, hook, open, receiving, sql } = await useHooks()
let books: Books
beforeAll(async () => {
  books = await open()
})

/** The signature that a receiver's shell script computes. */
const openssl = (secret: string, body: string) => {
  const { status, stdout } = spawnSync("openssl", ["dgst", "-sha256", "-hmac", secret], { input: body })
  expect(status, "openssl is there").toBe(0)
  return stdout.toString().trim().split("= ")[1]
}

const verified = ({ body, headers }: Received, secret: string) => new Webhook(secret).verify(body, headers)

describe("the documented test vector", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
  const body =
    '{"id":"evt_01J9ZK3V7Q","type":"invoice.paid","timestamp":"2026-03-02T09:15:00Z","organization_id":7,"data":{"id":42}}'

  it("has the documented signatures", () => {
    expect(bodySignature(secret, body)).toBe("ae4493743e732f881ebb6d46547a82b90189b588021d99d9be866caba09f12f3")
    expect(standardSignature(secret, "evt_01J9ZK3V7Q", 1_772_442_900, body)).toBe(
      "v1,SvOPHXylqeWsOI2lpt7oQPdM8y3CvAJl6Qye8t3T3v8="
    )
  })

  it("has the signature that openssl computes", () => {
    expect(openssl(secret, body)).toBe(bodySignature(secret, body))
  })
})

/** Headers of any HTTP request with a JSON body, which an OpenAPI document does not list as parameters. */
const http_headers = new Set(["connection", "content-length", "content-type", "host", "user-agent"])

/** Makes a rotated secret expire; the latest one has the index 0. */
const expire = (id: number, index: number) =>
  sql(
    (sql) => sql`
      update webhooks
      set previous_secrets = jsonb_set(previous_secrets, ${`{${index},until}`}::text[], '"2020-01-01T00:00:00.000Z"')
      where id = ${id}`
  )

describe("a delivery", () => {
  it("is accepted by openssl and by the standardwebhooks package", async () => {
    const { secret } = await hook(books, "/ok/signed")
    for (let count = 0; count < 20; count++) await customer(books)
    for (const message of await arrived("/ok/signed", 20)) {
      expect(message.headers["x-webhook-signature"]).toBe(openssl(secret, message.body))
      expect(verified(message, secret)).toEqual(message.event)
    }
  })

  it("contains the event as documented, its names in headers, and nothing else of the secret", async () => {
    const { secret } = await hook(books, "/ok/envelope", { events: ["customer.created"] })
    const id = await customer(books)
    const [message] = await arrived("/ok/envelope", 1)
    const shown = (await books.call("GET", `/customers/${id}`)).body.data
    expect(message?.event).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: "customer.created",
      event: "customer.created",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      organization_id: books.id,
      sequence: expect.any(Number),
      api_version: "v1",
      livemode: true,
      data: { object: "customer", id, attributes: shown }
    })
    expect(message?.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "x-webhook-id": message?.event.id,
      "x-webhook-event": "customer.created",
      "x-webhook-attempt": "1",
      "webhook-id": message?.event.id,
      "x-webhook-timestamp": message?.headers["webhook-timestamp"]
    })
    expect(JSON.stringify(message)).not.toContain(secret)
  })

  it("has the headers that the API document lists for its event", async () => {
    await hook(books, "/ok/headers", { events: ["customer.created"] })
    await customer(books)
    const [message] = await arrived("/ok/headers", 1)
    const { components, webhooks } = (await app.call("GET", "/openapi.json")).body
    const listed = webhooks["customer.created"].post.parameters.map(({ $ref }: { $ref: string }) =>
      components.parameters[$ref.split("/").at(-1) ?? ""].name.toLowerCase()
    )
    const sent = Object.keys(message?.headers ?? {}).filter((name) => !http_headers.has(name))
    expect(listed.toSorted()).toEqual(sent.toSorted())
  })

  it("is signed with a client's own secret as it is", async () => {
    const secret = "näh ' \" $(id) ✂ sixteen"
    await hook(books, "/ok/own", { secret })
    await customer(books)
    const [message] = await arrived("/ok/own", 1)
    expect(message?.headers["x-webhook-signature"]).toBe(openssl(secret, message?.body ?? ""))
    const raw = new Webhook(Buffer.from(secret), { format: "raw" })
    expect(raw.verify(message?.body ?? "", message?.headers ?? {})).toEqual(message?.event)
  })

  it("is signed with every secret of the last day after two rotations, and then with the newest", async () => {
    const { id, secret: oldest } = await hook(books, "/ok/rotated", { events: ["customer.created"] })
    const { secret: old } = await books.made("POST", `/webhooks/${id}/rotate-secret`)
    const { secret } = await books.made("POST", `/webhooks/${id}/rotate-secret`)
    await customer(books)
    const [all] = await arrived("/ok/rotated", 1)
    if (all === undefined) throw new Error("Nothing arrived.")
    expect(all.headers["webhook-signature"]).toMatch(/^v1,\S{44} v1,\S{44} v1,\S{44}$/)
    for (const one of [secret, old, oldest]) expect(verified(all, one)).toEqual(all.event)
    expect(all.headers["x-webhook-signature"]).toBe(openssl(secret, all.body))
    await expire(id, 1)
    await customer(books)
    const [, two] = await arrived("/ok/rotated", 2)
    if (two === undefined) throw new Error("Nothing arrived.")
    for (const one of [secret, old]) expect(verified(two, one)).toEqual(two.event)
    expect(() => verified(two, oldest)).toThrow("No matching signature found")
    await expire(id, 0)
    await customer(books)
    const [, , only] = await arrived("/ok/rotated", 3)
    if (only === undefined) throw new Error("Nothing arrived.")
    expect(verified(only, secret)).toEqual(only.event)
    expect(() => verified(only, old)).toThrow("No matching signature found")
  })

  it("arrives after a rotation when SECRET_KEY has lost the key of the secret, and says so before", async () => {
    const { id } = await hook(books, "/ok/lost", { events: ["customer.created"] })
    await sql(
      (sql) => sql`
        update webhooks set secret = regexp_replace(secret, '^v1\\.[0-9a-f]{12}', 'v1.000000000000') where id = ${id}`
    )
    await customer(books)
    const refused = await books.call("POST", `/webhooks/${id}/test`)
    expect([refused.status, refused.body.code]).toEqual([500, "webhook_delivery_failed"])
    const attempts = async () => (await books.call("GET", `/webhooks/${id}/logs`)).body.data
    await until("two attempts", async () => ((await attempts()).length > 1 ? true : undefined))
    for (const { error, status } of await attempts()) {
      expect([status, error]).toEqual([
        expect.stringMatching(/^(failed|exhausted)$/),
        expect.stringContaining("Rotate it")
      ])
    }
    const { secret } = await books.made("POST", `/webhooks/${id}/rotate-secret`)
    const [message] = await arrived("/ok/lost", 1)
    if (message === undefined) throw new Error("Nothing arrived.")
    expect(message.headers["webhook-signature"]).toMatch(/^v1,\S{44}$/)
    expect(verified(message, secret)).toEqual(message.event)
  })

  it("cannot use another webhook's secret: one copied in the database cannot be decrypted", async () => {
    const others = [books, await open({ name: "Other" })]
    for (const [index, owner] of others.entries()) {
      const copied = await hook(books, `/ok/copied-${index}`, { events: ["customer.created"] })
      const original = await hook(owner, `/ok/original-${index}`, { events: ["customer.created"] })
      await sql(
        (sql) => sql`
          update webhooks set secret = (select secret from webhooks where id = ${original.id}) where id = ${copied.id}`
      )
      await customer(books)
      await customer(owner)
      await arrived(`/ok/original-${index}`, 1)
      expect(receiving.at(`/ok/copied-${index}`)).toEqual([])
      await books.made("DELETE", `/webhooks/${copied.id}`)
    }
  })
})
