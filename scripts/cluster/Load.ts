import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

interface Caller {
  readonly token: string
  readonly customer_id: number
}

const answer_ms_max = 30_000
const retry_ms = 100
const pace_ms = 20

/**
 * Starts clients that write as fast as the service answers, and repeat each write at the next process until it is
 * answered. `ports` may change meanwhile.
 */
export const startLoad = (ports: ReadonlyArray<number>, { customer_id, token }: Caller, clients: number) => {
  const acknowledged = new Set<string>()
  const wrong: Array<string> = []
  let repeated = 0
  const stopping = new AbortController()
  let acknowledged_at = performance.now()
  let gap_ms = 0

  const headers = { authorization: `Bearer ${token}`, "x-organization-id": "1", "content-type": "application/json" }
  const send = async (port: number | undefined, path: string, key: string, body: unknown) => {
    const sent = { method: "POST", headers: { ...headers, "idempotency-key": key }, body: JSON.stringify(body) }
    const signal = AbortSignal.timeout(answer_ms_max)
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...sent, signal }).catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    return answer === undefined || text === undefined ? undefined : { status: answer.status, text }
  }

  const write = async (client: number, path: string, name: string, body: unknown) => {
    const key = randomUUID()
    for (let attempt = client; !stopping.signal.aborted; attempt++) {
      const answer = await send(ports[attempt % ports.length], path, key, body)
      if (answer?.status === 200 || answer?.status === 201) {
        const now = performance.now()
        gap_ms = Math.max(gap_ms, now - acknowledged_at)
        acknowledged_at = now
        acknowledged.add(name)
        return JSON.parse(answer.text)
      }
      // A write is repeated after 409 (the previous attempt is in progress) and 503 (the database is unavailable).
      if (answer !== undefined && answer.status !== 503 && answer.status !== 409) {
        wrong.push(`${path} ${answer.status} ${answer.text}`)
        return undefined
      }
      repeated++
      await sleep(retry_ms)
    }
    return undefined
  }

  const sell = async (client: number, name: string) => {
    const items = [{ description: "Consulting", quantity: 1, unit_price: 10 }]
    const dates = { issue_date: "2026-03-01", due_date: "2026-03-31" }
    const draft = { customer_id, ...dates, currency: "EUR", notes: name, items }
    const { id } = (await write(client, "/api/v1/invoices", name, draft)) ?? {}
    if (id === undefined) return
    const sent = await write(client, `/api/v1/invoices/${id}/mark-sent`, `${name} sent`, {})
    if (sent === undefined) return
    const payment = { invoice_id: id, amount: sent.balance_due, payment_date: "2026-03-02", payment_method: "cash" }
    await write(client, "/api/v1/payments", `${name} paid`, { ...payment, reference: `${name} paid` })
  }

  const run = async (client: number) => {
    for (let round = 0; !stopping.signal.aborted; round++) {
      const name = `load ${client}/${round}`
      if (round % 2 === 0) await write(client, "/api/v1/customers", name, { name })
      else await sell(client, name)
      await sleep(pace_ms)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, client) => run(client)))

  return {
    acknowledged,
    wrong,
    repeated: () => repeated,
    /** Returns the longest time in milliseconds without an acknowledged write, since the last call of `takeGap`. */
    takeGap: () => {
      const gap = Math.max(gap_ms, performance.now() - acknowledged_at)
      gap_ms = 0
      return gap
    },
    stop: async () => {
      stopping.abort()
      await running
    }
  }
}
