import { randomUUID } from "node:crypto"
import { Agent, type IncomingMessage, request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"

interface Caller {
  readonly token: string
  readonly organization: number
}

interface Reply {
  readonly status: number
  readonly retry_after: string | undefined
  readonly text: string
}

const timeout_ms = 30_000
/** Pause of each client after an answer, which leaves processor time to the processes that start meanwhile. */
const pause_ms = 50

/** Errors of requests that got no answer. */
const unanswered: ReadonlyArray<string | undefined> = ["ECONNREFUSED", "ECONNRESET", "EPIPE"]

/**
 * Starts clients that alternate between processes (nodes). A client tries the next one if a connection is refused, or
 * reset by a stop; idempotency keys make a second attempt safe.
 */
export const startLoad = (nodes: ReadonlyArray<string>, { organization, token }: Caller, clients: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const acknowledged: Array<string> = []
  const refusals: Array<Reply & { readonly at: number }> = []
  const failures: Array<string> = []
  let answered = 0
  let resets = 0
  let turn = 0
  const stopping = new AbortController()

  const send = (node: string, method: string, path: string, key: string, body?: unknown) =>
    new Promise<Reply>((resolve, reject) => {
      const content = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        authorization: `Bearer ${token}`,
        "x-organization-id": String(organization),
        ...(content === undefined
          ? {}
          : { "content-type": "application/json", "content-length": content.length, "idempotency-key": key })
      }
      const sent = request(`${node}${path}`, { agent, method, headers, timeout: timeout_ms }, (response) =>
        read(response).then(resolve, reject)
      )
      sent.on("timeout", () => sent.destroy(new Error("no answer")))
      sent.on("error", reject)
      sent.end(content)
    })

  const call = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const first = turn++
    const key = randomUUID()
    for (let attempt = 1; ; attempt++) {
      const node = nodes[(first + attempt) % nodes.length] ?? ""
      try {
        return await send(node, method, path, key, body)
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === "ECONNRESET") resets++
        if (attempt <= nodes.length && unanswered.includes(code)) continue
        throw error
      }
    }
  }

  const client = async (number: number) => {
    for (let round = 0; !stopping.signal.aborted; round++) {
      const name = `customer ${number}/${round}`
      const writes = round % 2 === 0
      try {
        const reply = writes
          ? await call("POST", "/api/v1/customers", { name })
          : await call("GET", "/api/v1/customers?per_page=5")
        answered++
        if (reply.status === 201) acknowledged.push(name)
        else if (reply.status !== 200) refusals.push({ ...reply, at: performance.now() })
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? ""
        failures.push(`${writes ? "POST" : "GET"}: ${code} ${String(error)}`)
      }
      await sleep(pause_ms)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))

  return {
    acknowledged,
    refusals,
    failures,
    answered: () => answered,
    resets: () => resets,
    stop: async () => {
      stopping.abort()
      await running
      agent.destroy()
    }
  }
}

const read = async (response: IncomingMessage): Promise<Reply> => {
  let text = ""
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode ?? 0, retry_after: response.headers["retry-after"], text }
}
