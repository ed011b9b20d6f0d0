import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { beforeAll, describe, expect, it } from "vitest"
import { CurrentOperation } from "../../../../src/platform/http/CurrentOperation.ts"
import { Idempotency } from "../../../../src/platform/http/edge/Idempotency.ts"
import { RequestFacts } from "../../../../src/platform/http/Security.ts"
import { type Books, useBilling } from "../../../support/Billing.ts"
import { until } from "../../../support/counterparts/Receiver.ts"

const { app, open } = useBilling()
let books: Books
let keys = 0

beforeAll(async () => {
  books = await open()
})

const newKey = () => `key-${++keys}`
const { inDatabase } = app

type Work = "transaction" | "outside" | "detached"

/** Handles a POST as an endpoint does after authorization, and answers with the given response. */
const once = (key: string, response: HttpServerResponse.HttpServerResponse, work: Work = "transaction") =>
  answeredBy(key, Effect.succeed(response), work)

const answeredBy = (key: string, handler: Effect.Effect<HttpServerResponse.HttpServerResponse>, work: Work) =>
  app.run(
    Effect.gen(function* () {
      const idempotency = yield* Idempotency
      const facts: RequestFacts = {
        id: "test",
        admission: undefined,
        organization: "absent",
        if_match: undefined,
        route: undefined,
        version: undefined,
        once: undefined
      }
      const named = { organization_id: books.id, principal: "token:1", route: "POST /nothing", key }
      const route = Effect.suspend(() => facts.once?.(handler) ?? Effect.die("The edge gave no key."))
      return yield* Effect.provideService(
        idempotency.once({ key: named, content: "", work }, route),
        RequestFacts,
        facts
      )
    }).pipe(Effect.provide(Idempotency.layer))
  )

describe("a reserved Idempotency-Key", () => {
  it("is taken over from a dead process: its operation continues, and no other request gets the key", async () => {
    const key = newKey()
    const operations: Array<string | undefined> = []
    const work = Effect.gen(function* () {
      operations.push(yield* CurrentOperation)
      return operations.length === 1 ? yield* Effect.never : HttpServerResponse.empty({ status: 200 })
    })
    void answeredBy(key, work, "outside").catch(() => undefined)
    await until("the first request", () => operations[0])
    const meanwhile = await once(key, HttpServerResponse.empty(), "outside")
    expect([meanwhile.status, meanwhile.headers["retry-after"]]).toEqual([409, "2"])
    await inDatabase(`update idempotency_keys set leased_until = now() - interval '1 second' where key = '${key}'`)
    expect((await answeredBy(key, work, "outside")).status).toBe(200)
    expect(operations[1]).toBe(operations[0])
    expect((await once(key, HttpServerResponse.empty())).headers["idempotency-replayed"]).toBe("true")
  })

  it("stores an answer without a body, but none about a failure or a running request", async () => {
    const headers = []
    for (const [key, status] of [
      ["kept", 204],
      ["kept", 200],
      ["failed", 503],
      ["failed", 409],
      ["failed", 204]
    ] as const) {
      const answer = await once(key, HttpServerResponse.empty({ status }), "detached")
      headers.push([answer.status, answer.headers["idempotency-replayed"]])
    }
    expect(headers).toEqual([
      [204, undefined],
      [204, "true"],
      [503, undefined],
      [409, undefined],
      [204, undefined]
    ])
  })

  it("replays the bytes of any answer, and only for its own key", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const answer = (key: string) => once(key, HttpServerResponse.uint8Array(bytes))
    await answer("file")
    const again = HttpServerResponse.toWeb(await answer("file"))
    expect(again.headers.get("idempotency-replayed")).toBe("true")
    expect(await again.bytes()).toEqual(bytes)
    await inDatabase("update idempotency_keys set key = 'moved' where key = 'file'")
    expect((await answer("moved")).status).toBe(409)
  })
})
