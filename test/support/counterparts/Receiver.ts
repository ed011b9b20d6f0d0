import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll } from "vitest"
import type { Settings } from "../../../src/platform/config/AppConfig.ts"

export interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  // oxlint-disable-next-line no-explicit-any -- tests read the fields of any event
  readonly event: any
  readonly at: number
}

/** The first part of the path chooses the behaviour; any other path answers 204. */
const behaviours: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  hang: () => undefined,
  drip: (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" })
    const timer = setInterval(() => response.write("."), drip_interval_ms)
    response.on("close", () => clearInterval(timer))
  },
  reset: (request) => request.socket.resetAndDestroy(),
  redirect: (_, response) => response.writeHead(302, { location: "/ok/redirected" }).end(),
  error: (_, response) => response.writeHead(500, { "content-type": "text/plain" }).end("out of order"),
  gone: (_, response) => response.writeHead(410).end(),
  "gone-late": (_, response) => void sleep(slow_ms).then(() => response.writeHead(410).end()),
  slow: (_, response) => void sleep(slow_ms).then(() => response.writeHead(204).end())
}

const drip_interval_ms = 200
const slow_ms = 300

/** A receiver of webhooks on the loopback interface, for one test file. */
export const receiver = async () => {
  const received: Array<Received> = []
  const answers = new Map<string, ReadonlyArray<readonly [number, Readonly<Record<string, string>>]>>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("error", () => undefined)
    request.on("end", () => {
      const path = request.url ?? ""
      const body = Buffer.concat(chunks).toString("utf8")
      // Node joins the values of a repeated header, but the service repeats none.
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      received.push({ path, headers, body, event: JSON.parse(body), at: Date.now() })
      const [next, ...rest] = answers.get(path) ?? []
      if (next !== undefined) {
        answers.set(path, rest)
        response.writeHead(...next).end()
        return
      }
      const behaviour = behaviours[path.split("/")[1] ?? ""]
      if (behaviour === undefined) response.writeHead(204).end()
      else behaviour(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const target = `127.0.0.1:${port}`
  return {
    received,
    at: (path: string) => received.filter((message) => message.path === path),
    url: (path: string) => `http://${target}${path}`,
    /** Sets the next answers of a path, after which its normal behaviour continues. */
    answer: (path: string, ...next: ReadonlyArray<readonly [number, Readonly<Record<string, string>>]>) =>
      void answers.set(path, next),
    /** Settings of a service that is allowed to call this receiver. */
    settings: (timeScale = 1): Partial<Settings> => ({
      webhooks: { allowHttp: true, allowedTargets: [target], timeScale }
    })
  }
}

export const until = async <A>(what: string, look: () => A | undefined | Promise<A | undefined>): Promise<A> => {
  const ends = Date.now() + patience_ms
  while (Date.now() < ends) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(look_interval_ms)
  }
  throw new Error(`Waited in vain for ${what}.`)
}

/** Time limit for messages to arrive, which is long enough for a busy machine. */
const patience_ms = 100_000
const look_interval_ms = 20
