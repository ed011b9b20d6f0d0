import { describe, expect, it } from "vitest"
import { sender } from "../../src/client/Sender.ts"

/** The service answers with these statuses and headers, one after the other; "reset" breaks the connection. */
const flaky = (...answers: ReadonlyArray<"reset" | readonly [number, Record<string, string>?, string?]>) => {
  const sent: Array<Request> = []
  const send = sender({
    baseUrl: "http://service.example",
    token: "t",
    fetch: async (request) => {
      const answer = answers[sent.length] ?? [200]
      sent.push(request)
      if (answer === "reset") throw new TypeError("fetch failed")
      const [status, headers = {}, body = null] = answer
      return new Response(body, { status, headers })
    }
  })
  const call = async (method: string, headers: Record<string, string> = {}, path = "/x") => {
    const body = method === "GET" ? null : "{}"
    return (await send(new Request(`http://service.example${path}`, { method, headers, body }))).status
  }
  return { sent, call }
}
describe("a request without an answer", () => {
  const now = { "retry-after": "0" }

  it("is repeated with the same key and the same body", async () => {
    const { call, sent } = flaky("reset", [502, now], [503, now], [429, now])
    expect(await call("POST")).toBe(200)
    expect(await Promise.all(sent.map((request) => request.text()))).toEqual(["{}", "{}", "{}", "{}", "{}"])
    const keys = new Set(sent.map(({ headers }) => headers.get("idempotency-key")))
    expect([...keys]).toEqual([expect.stringMatching(/^[\w-]{36}$/)])
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer t")
  })

  it("is not repeated where the work could be done twice, nor for ever, nor after a long time", async () => {
    await expect(flaky("reset").call("DELETE")).rejects.toThrow("fetch failed")
    expect(await flaky([502, now]).call("PUT", { "if-match": '"v1"' })).toBe(502)
    expect(await flaky([503, now]).call("PUT", { "if-match": '"v1"' })).toBe(503)
    expect(await flaky([503, now]).call("DELETE")).toBe(503)
    expect(await flaky([429, now]).call("DELETE")).toBe(200)
    expect(await flaky([500, now]).call("POST")).toBe(500)
    expect(await flaky([503, { "retry-after": "3600" }]).call("GET")).toBe(503)
    const endless = flaky([503, now], [503, now], [503, now], [503, now], [503, now])
    expect([await endless.call("GET"), endless.sent.length]).toEqual([503, 5])
  })

  it("is not repeated if the service would ignore its key", async () => {
    for (const path of ["/oauth/token", "/base/oauth/revoke", "/api/v1/reports/export"]) {
      const once = flaky([503, now])
      expect([await once.call("POST", {}, path), once.sent[0]?.headers.get("idempotency-key")]).toEqual([503, null])
    }
    expect(await flaky([503, now]).call("POST", {}, "/api/v1/expenses/upload-receipt")).toBe(200)
  })

  it("is repeated with the same key also if its JSON breaks off", async () => {
    const keys: Array<string | null> = []
    const fetch = async (request: Request) => {
      keys.push(request.headers.get("idempotency-key"))
      const broken = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"data":')),
        pull: (controller) => controller.error(new TypeError("terminated"))
      })
      const body = keys.length === 1 ? broken : '{"data":{"id":1}}'
      return new Response(body, { status: 201, headers: { "content-type": "application/json" } })
    }
    const send = sender({ baseUrl: "http://service.example", fetch })
    const answer = await send(new Request("http://service.example/x", { method: "POST", body: "{}" }))
    expect([answer.status, await answer.text()]).toEqual([201, '{"data":{"id":1}}'])
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  })

  it("passes on a file of JSON while it arrives", async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new TextEncoder().encode("[")) })
    const headers = { "content-type": "application/json", "content-disposition": 'attachment; filename="all.json"' }
    const send = sender({ baseUrl: "http://service.example", fetch: async () => new Response(endless, { headers }) })
    const answer = await send(new Request("http://service.example/api/v1/reports/export", { method: "POST" }))
    const reader = answer.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    await reader?.cancel()
  })

  it("waits for another request with the same key, and only then", async () => {
    const inProgress = [409, now, '{"code":"idempotency_in_progress"}'] as const
    expect(await flaky(inProgress).call("POST")).toBe(200)
    expect(await flaky([409, now, '{"code":"invoice_locked"}']).call("POST")).toBe(409)
  })

  it("ends with its signal, also while it waits", async () => {
    const controller = new AbortController()
    const fetch = async () => {
      setImmediate(() => controller.abort(new Error("enough")))
      return new Response(null, { status: 503, headers: { "retry-after": "60" } })
    }
    const request = new Request("http://service.example/x", { signal: controller.signal })
    await expect(sender({ baseUrl: "http://service.example", fetch })(request)).rejects.toThrow("enough")
  })
})
