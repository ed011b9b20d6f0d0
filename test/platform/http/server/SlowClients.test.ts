import { connect } from "node:net"
import { describe, expect, it } from "vitest"
import { useApp } from "../../../support/App.ts"

const app = useApp()

/** Milliseconds until the server ends a connection on which only `text` was said. */
const cutOff = (text: string) =>
  new Promise<number>((resolve, reject) => {
    const started = performance.now()
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1", () => socket.write(text))
    socket.resume().on("close", () => resolve(performance.now() - started))
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
    "saying %s is cut off",
    async (_part, text) => {
      // Node itself would wait a minute for headers and five for a body.
      expect(await cutOff(text)).toBeLessThan(50_000)
    },
    150_000
  )
})
