/**
 * Child of `npm run abuse`: the honest client, which sends requests at a fixed rate, even if earlier ones lack an
 * answer.
 */
import { Agent, request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"

export interface Order {
  readonly port: number
  readonly seconds: number
}

export interface Experience {
  /** Durations of the requests, by the second in which they began. */
  readonly durations_ms: ReadonlyArray<ReadonlyArray<number>>
  readonly failures: ReadonlyArray<string>
}

const per_second = 200
/** Number of honest users, high enough that none of them reaches the rate limit of 60 requests a minute. */
export const honest_users = 300
/** Every tenth request uses a new connection. */
const fresh_every = 10
const timeout_ms = 10_000

/** With a timeout, the agent respects `Keep-Alive` headers, and does not reuse a connection that is about to close. */
const kept = new Agent({ keepAlive: true, maxSockets: 16, timeout: timeout_ms })
let asked = 0

const ask = ({ port }: Order) =>
  new Promise<string | undefined>((resolve) => {
    const user = 1 + (asked % honest_users)
    const headers = { authorization: `Bearer pat_bench${user}`, "x-organization-id": String(user) }
    const path = "/api/v1/invoices?per_page=5"
    const agent = asked++ % fresh_every === 0 ? false : kept
    const sent = request({ port, host: "127.0.0.1", path, headers, agent, timeout: timeout_ms }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode === 200 ? undefined : String(answer.statusCode)))
    })
    sent.once("timeout", () => sent.destroy(new Error("no answer")))
    sent.once("error", ({ message }) => resolve(message))
    sent.end()
  })

const measure = async (order: Order): Promise<Experience> => {
  const durations_ms = Array.from({ length: Math.ceil(order.seconds) }, (): Array<number> => [])
  const failures: Array<string> = []
  const askOnce = async (second: number) => {
    const sent = performance.now()
    const failure = await ask(order)
    durations_ms[second]?.push(performance.now() - sent)
    if (failure !== undefined) failures.push(failure)
  }
  const started = performance.now()
  const asking: Array<Promise<void>> = []
  for (let number = 0; number < order.seconds * per_second; number++) {
    const wait_ms = started + (number * 1000) / per_second - performance.now()
    if (wait_ms > 0) await sleep(wait_ms)
    asking.push(askOnce(Math.floor(number / per_second)))
  }
  await Promise.all(asking)
  return { durations_ms, failures }
}

const report = async (order: Order) => process.send?.(await measure(order))

// Only a child process measures. Its parent imports this module, too, for the constants.
if (process.send !== undefined) process.on("message", (order: Order) => void report(order))
