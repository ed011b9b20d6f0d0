import { connect } from "node:net"
import { describe, expect, it } from "vitest"
import { useApp } from "../../../support/App.ts"

const app = useApp()

/**
 * Sends only `text`. Returns what the server sends until it closes the connection, and how many milliseconds that
 * takes.
 */
const cutOff = (text: string) =>
  new Promise<{ readonly answer: string; readonly ms: number }>((resolve, reject) => {
    const started = performance.now()
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1", () => socket.write(text))
    let answer = ""
    socket.on("data", (chunk) => (answer += chunk.toString()))
    socket.on("close", () => resolve({ answer, ms: performance.now() - started }))
    socket.on("error", reject)
  })

describe("a client that does not finish", () => {
  it.concurrent.each([
    ["its headers", "GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Slow: "],
    [
      "its body",
      "POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    ]
  ])(
    "saying %s is told so and cut off",
    async (_part, text) => {
      // Node itself would wait a minute for headers and five minutes for a body.
      const { answer, ms } = await cutOff(text)
      expect(ms).toBeLessThan(50_000)
      expect(answer).toMatch(/^HTTP\/1.1 408 [^]*\r\nConnection: close\r\n[^]*"code":"request_timeout"}$/)
    },
    150_000
  )
})
