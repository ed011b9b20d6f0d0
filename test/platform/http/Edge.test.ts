import { describe, expect, it } from "vitest"
import { useApp } from "../../support/App.ts"

const app = useApp({ rateLimitPerMinute: 5 })

describe("the edge", () => {
  it("answers an unknown route with 404 in JSON and the rate headers", async () => {
    const { body, headers, status } = await app.call("GET", "/api/v1/nothing")
    expect(status).toBe(404)
    expect(body).toEqual({ success: false, message: "Not found.", code: "not_found" })
    expect(headers.get("x-ratelimit-limit")).toBe("5")
    expect(headers.get("x-ratelimit-remaining")).toBe("4")
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/)
  })

  it("answers 429 with exactly the spec's body once the window is used up", async () => {
    for (let request = 0; request < 5; request++) await app.call("GET", "/api/v1/nothing")
    const { headers, status, text } = await app.call("GET", "/api/v1/nothing")
    expect(status).toBe(429)
    expect(text).toBe('{"message":"Too Many Attempts."}')
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
    expect(headers.get("x-ratelimit-remaining")).toBe("0")
  })

  it("does not limit the health checks", async () => {
    const { body, headers, status } = await app.call("GET", "/health/ready")
    expect(status).toBe(200)
    expect(body).toEqual({ status: "ready", checks: { database: "ok" } })
    expect(headers.get("x-ratelimit-limit")).toBeNull()
  })
})
