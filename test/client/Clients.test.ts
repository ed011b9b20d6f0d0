import { inspect } from "node:util"
import { BigDecimal, Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { standardSignature } from "../../src/platform/crypto/WebhookSignature.ts"
import {
  beginLogin,
  each,
  eachDeleted,
  finishLogin,
  invoicing,
  pages,
  Refused,
  session,
  type Tokens,
  unwrap,
  verifyWebhook
} from "../../src/client/Invoicing.ts"
import * as forEffect from "../../src/client/effect/EffectClient.ts"
import { browser, client as register, join, person } from "../identity/Visitor.ts"
import { type Books, useBilling } from "../support/Billing.ts"

const { app, open } = useBilling()
let books: Books
beforeAll(async () => {
  books = await open()
})

const connected = (changes: object = {}) =>
  invoicing({ baseUrl: app.url, token: books.owner.token, organization: books.id, ...changes })

const collected = async <A>(values: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const value of values) all.push(value)
  return all
}

describe("lists", () => {
  it("are read record by record and page by page, whatever the size of a page", async () => {
    const api = connected()
    const made: Array<number> = []
    for (const name of ["Ada", "Bea", "Cleo", "Dora", "Eve"]) {
      made.push((await unwrap(api.POST("/api/v1/customers", { body: { name } }))).id)
    }
    const query = { per_page: 2, sort: "id" } as const
    const read = (await collected(each(api, "/api/v1/customers", { query }))).map(({ id }) => id)
    expect(read).toEqual([books.customer_id, ...made])
    const read_pages = await collected(pages(api, "/api/v1/customers", { query }))
    expect(read_pages.map(({ data }) => data.length)).toEqual([2, 2, 2])

    // The rows and the `meta` of a page have the types that a synchronization needs.
    const updated_since = read_pages.at(-1)?.meta.next_updated_since ?? ""
    const synced = await collected(pages(api, "/api/v1/customers", { query: { updated_since } }))
    expect(
      synced
        .flatMap(({ data }) => data.map(({ name }) => name))
        .toSorted()
        .slice(0, 2)
    ).toEqual(["Ada", "Bea"])

    const path = { id: made[0] ?? 0 }
    await unwrap(api.DELETE("/api/v1/customers/{id}", { params: { path } }))
    const deleted = await collected(eachDeleted(api, "/api/v1/customers"))
    expect(deleted.map(({ id }) => id)).toEqual([path.id])
  })
})

describe("lists without a cursor", () => {
  it("are read by page number", async () => {
    const { id, owner } = await open({ rates: [21, 12, 6] })
    const api = connected({ organization: id, token: owner.token })
    const query = { per_page: 1 }
    const whole = await unwrap(api.GET("/api/v1/tax-rates", { params: { query: { per_page: 100 } } }))
    const ids = whole.data.map((rate) => rate.id)
    expect(ids).toHaveLength(3)
    expect((await collected(each(api, "/api/v1/tax-rates", { query }))).map((rate) => rate.id)).toEqual(ids)
    const read_pages = await collected(pages(api, "/api/v1/tax-rates", { query }))
    expect(read_pages.map(({ meta }) => meta.current_page)).toEqual(ids.map((_, index) => index + 1))
    expect(await collected(each(api, "/api/v1/archive/documents"))).toEqual([])
    const path = { id }
    expect(await collected(each(api, "/api/v1/organizations/{id}/users", { path, query }))).toHaveLength(1)
  })
})

describe("a refusal", () => {
  it("is a typed value of the answer, and an exception of unwrap", async () => {
    const api = connected()
    const params = { path: { id: 999_999 } }
    const { data, error } = await api.GET("/api/v1/invoices/{id}", { params })
    expect([data, error]).toMatchObject([undefined, { code: "not_found" }])
    const failure = await unwrap(api.GET("/api/v1/invoices/{id}", { params })).catch((failure: unknown) => failure)
    expect(failure).toBeInstanceOf(Refused)
    expect(failure).toMatchObject({ status: 404, code: "not_found", message: "Not found." })
    expect(failure instanceof Refused && failure.requestId).toMatch(/\w/)
    expect(failure instanceof Refused && failure.response.status).toBe(404)
    expect(inspect(failure)).not.toContain("Response {")
  })

  it("has a body only if the service sent it", async () => {
    const html = { status: 502, headers: { "content-type": "text/html" } }
    const fetch = async () => new Response("<h1>Bad Gateway</h1>", html)
    const api = connected({ fetch, retries: 0 })
    const failure = await unwrap(api.GET("/api/v1/customers")).catch((failure: unknown) => failure)
    expect(failure).toMatchObject({ status: 502, code: "http_502", message: "HTTP 502", body: undefined })
  })
})

describe("a user", () => {
  it("logs in by PKCE, and the session renews its token once for requests that need it at the same time", async () => {
    const ana = await person(app)
    await join(app, ana.id, books.id)
    const registered = await register(app, { redirect_uris: ["http://127.0.0.1/callback"] })
    const application = {
      baseUrl: app.url,
      clientId: registered.id,
      redirectUri: "http://127.0.0.1:4321/callback",
      scopes: ["customers:read"]
    }
    const pending = await beginLogin(application)
    const visitor = browser(app)
    const login = await visitor.get(pending.url)
    const back = await visitor.get((await visitor.logIn(ana.email, login.location)).location)
    await expect(finishLogin(application, { ...pending, state: "other" }, back.location)).rejects.toThrow(/state/)
    const tokens = await finishLogin(application, pending, back.location)
    expect(tokens).toMatchObject({ accessToken: expect.stringMatching(/^oat_/), expiresAt: expect.any(Number) })

    const stored: Array<Tokens> = []
    const forgetful = session(application, { ...tokens, expiresAt: 0 }, (renewed) => {
      stored.push(renewed)
      throw new Error("disk full")
    })
    const failing = connected({ token: forgetful })
    await expect(unwrap(failing.GET("/api/v1/customers"))).rejects.toThrow("disk full")
    expect((await unwrap(failing.GET("/api/v1/customers"))).data.length).toBeGreaterThan(0)
    const renewed = stored.splice(0)
    expect(renewed).toHaveLength(1)

    const expired = { ...tokens, ...renewed[0], expiresAt: 0 }
    const token = session(application, expired, (renewed) => void stored.push(renewed))
    const api = connected({ token })
    const names = await Promise.all([1, 2, 3].map(() => unwrap(api.GET("/api/v1/customers"))))
    expect(names.map(({ data }) => data.length > 0)).toEqual([true, true, true])
    expect(stored).toHaveLength(1)

    await app.call("POST", "/api/v1/logout", { token: stored[0]?.accessToken })
    await expect(unwrap(api.GET("/api/v1/customers"))).rejects.toThrow()
  })
})

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const reasonOf = (received: Parameters<typeof verifyWebhook>[1], by = secret) =>
  verifyWebhook(by, received).then(
    () => "accepted",
    ({ reason }: { readonly reason: string }) => reason
  )

it("an amount may be sent as text", async () => {
  const body = {
    customer_id: books.customer_id,
    issue_date: "2026-03-01",
    due_date: "2026-03-31",
    currency: "EUR",
    items: [{ description: "Work", quantity: "2.5", unit_price: "0.000001" }]
  }
  const { items } = await unwrap(connected().POST("/api/v1/invoices", { body }))
  expect(items[0]).toMatchObject({ quantity: 2.5, unit_price: 0.000001 })
})

describe("a body with a file", () => {
  it("is sent as a form, also after a failure of the network", async () => {
    let calls = 0
    const unreliable = (request: Request) => (++calls === 1 ? Promise.reject(new TypeError("lost")) : fetch(request))
    const { id } = await books.draft()
    const file = new File(["a,b\n1,2\n"], "hours.csv", { type: "text/csv" })
    const attached = await unwrap(
      connected({ fetch: unreliable }).POST("/api/v1/invoices/{id}/attachments", {
        params: { path: { id } },
        body: { file, description: "Hours" }
      })
    )
    expect(attached).toMatchObject({ file_name: "hours.csv", mime_type: "text/csv", description: "Hours" })
    expect(calls).toBe(2)
  })
})

describe("a webhook message", () => {
  const body = '{"id":"evt_1","type":"invoice.paid"}'
  const seconds = Math.floor(Date.now() / 1000)
  const signed = (at = seconds, by = secret) => ({
    body,
    headers: {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(at),
      "Webhook-Signature": `v1,${"A".repeat(43)}= ${standardSignature(by, "evt_1", at, body)}`
    }
  })

  it("is returned if any of its signatures is right, for a secret of either form", async () => {
    expect(await verifyWebhook(secret, signed())).toMatchObject({ type: "invoice.paid" })
    const bytes = { headers: new Headers(signed().headers), body: new TextEncoder().encode(body) }
    expect(await verifyWebhook(secret, bytes)).toMatchObject({ id: "evt_1" })
    const plain = "a plain secret of my own"
    expect(await verifyWebhook(plain, signed(seconds, plain))).toMatchObject({ id: "evt_1" })
  })

  it("is refused if it is old, forged or changed", async () => {
    expect(await reasonOf(signed(seconds - 400))).toBe("timestamp_out_of_tolerance")
    expect(await reasonOf(signed(seconds + 400))).toBe("timestamp_out_of_tolerance")
    expect(await reasonOf({ ...signed(), body: body.replace("paid", "sent") })).toBe("signature_mismatch")
    expect(await reasonOf(signed(), "whsec_AAAA")).toBe("signature_mismatch")
    expect(await reasonOf({ body, headers: {} })).toBe("header_missing")
  })
})

const run = <A, E>(use: (api: forEffect.Invoicing) => Effect.Effect<A, E>) =>
  Effect.runPromise(
    Effect.flatMap(forEffect.invoicing({ baseUrl: app.url, token: books.owner.token, organization: books.id }), use)
  )

describe("the client for Effect", () => {
  it("accepts plain values and returns decoded ones, with headers in both directions", () =>
    run((api) =>
      Effect.gen(function* () {
        const payload = { ...books.body(), items: [{ description: "Work", quantity: "2.5", unit_price: 80 }] }
        const draft = yield* api.invoices.create({ payload, headers: { "Idempotency-Key": "effect-1" } })
        const again = yield* api.invoices.create({ payload, headers: { "Idempotency-Key": "effect-1" } })
        expect([again.id, BigDecimal.format(draft.total)]).toEqual([draft.id, "242"])

        const params = { id: draft.id }
        const [, response] = yield* api.invoices.get({ params, responseMode: "decoded-and-response" })
        const stale = { params, payload: { notes: "New" }, headers: { "If-Match": String(response.headers["etag"]) } }
        yield* api.invoices.update(stale)
        const refused = yield* Effect.flip(api.invoices.update(stale))
        expect(refused._tag).toBe("PreconditionFailed")
        const page = yield* api.invoices.list({ query: { per_page: 1, status: "draft" } })
        expect(page.data.map(({ id }) => id)).toEqual([draft.id])
      })
    ))

  it("calls operations that read a header, with and without it", () =>
    run((api) =>
      Effect.gen(function* () {
        const payload = { invoices: [books.body()] }
        const now = yield* api.batch.createInvoices({ payload })
        const later = yield* api.batch.createInvoices({ payload, headers: { Prefer: "respond-async" } })
        expect(now).toMatchObject({ results: [{ status: "succeeded" }] })
        expect(later).toMatchObject({
          body: { kind: "batch_create" },
          headers: { "preference-applied": "respond-async" }
        })
      })
    ))

  it("sends files, and omits optional parts", () =>
    run((api) =>
      Effect.gen(function* () {
        const draft = yield* Effect.promise(() => books.draft())
        const payload = new FormData()
        payload.set("file", new Blob(["a,b\n1,2\n"], { type: "text/csv" }), "hours.csv")
        yield* api.attachments.create({ params: { id: draft.id }, payload })
        expect((yield* api.attachments.list({ params: { id: draft.id } })).data).toHaveLength(1)
        const sent = yield* api.invoices.markSent({ params: { id: String(draft.id) } })
        expect([sent.status, (yield* api.taxRates.list()).data.length > 0]).toEqual(["sent", true])
      })
    ))
})
