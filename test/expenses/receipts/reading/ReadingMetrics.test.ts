import { describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Metric } from "effect"
import { expect } from "vitest"
import { recordReadings } from "../../../../src/expenses/receipts/reading/ReadingMetrics.ts"

const figures = Effect.map(Metric.snapshot, (metrics) => {
  const of = (id: string, state?: string) =>
    metrics.find((metric) => metric.id === id && metric.attributes?.["state"] === state)?.state
  const gauge = (id: string, state?: string) => {
    const found = of(id, state)
    return found !== undefined && "value" in found ? Number(found.value) : undefined
  }
  const durations = of("receipt_reading_duration_seconds")
  return {
    running: gauge("receipt_readings", "running"),
    waiting: gauge("receipt_readings", "waiting"),
    most: gauge("receipt_readers_max"),
    read: durations !== undefined && "count" in durations ? Number(durations.count) : 0
  }
})

describe("the readers of receipts", () => {
  it.live("report running and waiting receipts, until each one ends in any way", () =>
    Effect.gen(function* () {
      const recorded = yield* recordReadings(2)
      // Metrics count for the whole process, in which other test files may have read receipts before.
      const { read } = yield* figures
      expect(yield* figures).toEqual({ running: 0, waiting: 0, most: 2, read })
      const done = yield* Deferred.make<void>()
      const asked = yield* Effect.forEach([1, 2, 3], () =>
        Effect.forkChild(recorded(Deferred.await(done)), { startImmediately: true })
      )
      expect(yield* figures).toEqual({ running: 2, waiting: 1, most: 2, read })
      yield* Effect.forEach(asked.slice(0, 1), (fiber) => Fiber.interrupt(fiber))
      expect(yield* figures).toEqual({ running: 2, waiting: 0, most: 2, read: read + 1 })
      yield* Deferred.succeed(done, undefined)
      yield* Effect.forEach(asked, Fiber.await)
      expect(Exit.isFailure(yield* Effect.exit(recorded(Effect.fail("unreadable"))))).toBe(true)
      expect(yield* figures).toEqual({ running: 0, waiting: 0, most: 2, read: read + 4 })
    })
  )
})
