import { beforeAll, describe, expect, it } from "vitest"
import type { Books } from "../support/Billing.ts"
import { customer, useHooks } from "../support/counterparts/Hooks.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { runs } from "../support/service/Runs.ts"

const events = runs(1_000)
const concurrency = 8
const hostile = [
  ...Array.from({ length: 6 }, () => "hang"),
  ...Array.from({ length: 4 }, () => "drip"),
  ...Array.from({ length: 3 }, () => "reset"),
  ...Array.from({ length: 2 }, () => "redirect"),
  ...Array.from({ length: 3 }, () => "error")
]
/** Concurrent requests to one webhook, and the time limit of each (`Lanes.ts`, `Sender.ts`). */
const requests_max = 4
const attempt_ms_max = 10_000
/** An idle machine needs half a second. If a hanging receiver delayed the others, this would take minutes. */
const p99_ms_max = 60_000

const { hook, open, receiving, sql } = await useHooks()
let books: Books
beforeAll(async () => {
  books = await open()
})

const percentile = (values: ReadonlyArray<number>, part: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? 0

describe("two healthy receivers next to eighteen that hang, drip, reset, redirect or fail", () => {
  it(`receive all of ${events} events, quickly and once each`, async () => {
    const only = { events: ["customer.created"] }
    for (const [index, behaviour] of hostile.entries()) await hook(books, `/${behaviour}/${index}`, only)
    const healthy = ["/ok/one", "/ok/two"]
    for (const path of healthy) await hook(books, path, only)

    const answered = new Map<number, number>()
    const calls: Array<number> = []
    const rss_before = process.memoryUsage().rss
    const started = Date.now()
    let left = events
    const client = async () => {
      while (left-- > 0) {
        const called = performance.now()
        const id = await customer(books)
        answered.set(id, Date.now())
        calls.push(performance.now() - called)
      }
    }
    await Promise.all(Array.from({ length: concurrency }, client))
    const written = Date.now() - started
    await until("all events at the healthy receivers", () =>
      healthy.every((path) => receiving.at(path).length >= events) ? true : undefined
    )

    for (const path of healthy) {
      const messages = receiving.at(path)
      expect(messages.map(({ event }) => event.data.id).toSorted((a, b) => a - b)).toEqual(
        [...answered.keys()].toSorted((a, b) => a - b)
      )
      const latencies = messages.map(({ at, event }) => at - (answered.get(event.data.id) ?? 0))
      const p99 = percentile(latencies, 0.99)
      console.log(`${path}: p50 ${percentile(latencies, 0.5)} ms, p99 ${p99} ms from the answer to the client`)
      expect(p99).toBeLessThan(p99_ms_max)
    }
    const memory = (process.memoryUsage().rss - rss_before) / 2 ** 20
    console.log(
      `${events} events in ${written} ms, p99 of a call ${percentile(calls, 0.99).toFixed(0)} ms, ` +
        `memory ${memory.toFixed(0)} MiB more, receiver included`
    )
    const asked_max = requests_max * (1 + Math.floor((Date.now() - started) / attempt_ms_max))
    for (const [index, behaviour] of hostile.entries()) {
      if (behaviour === "hang") expect(receiving.at(`/hang/${index}`).length).toBeLessThanOrEqual(asked_max)
    }
    const sequences = await sql<{ sequence: number }>(
      (sql) => sql`select sequence from outbox where organization_id = ${books.id} order by sequence`
    )
    expect(sequences.map(({ sequence }) => sequence)).toEqual(sequences.map((_, index) => index + 1))
  }, 300_000)
})
