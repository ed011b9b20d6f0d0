import { describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Metric } from "effect"
import { expect } from "vitest"
import { countReadings, timedReading } from "../../../../src/expenses/receipts/reading/ReadingMetrics.ts"
import { picturePdf, receiptPdf, receiptScan } from "../../../support/files/PrintedReceipt.ts"
import { readerPool, readText } from "./Readers.ts"

const figures = Effect.map(Metric.snapshot, (metrics) => {
  const of = (name: string, queue?: string) =>
    metrics.find(({ attributes, id }) => id === name && attributes?.["queue"] === queue)?.state
  const gauge = (name: string) => {
    const found = of(name, "receipts.ocr")
    return found !== undefined && "value" in found ? Number(found.value) : undefined
  }
  const durations = of("receipt_reading_duration_seconds")
  return {
    running: gauge("receipt_readings"),
    most: gauge("receipt_readers_max"),
    read: durations !== undefined && "count" in durations ? Number(durations.count) : 0
  }
})

/** Metrics count for the whole process, in which other test files may have read receipts before. */
const measuredAlone = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.provideService(test, Metric.MetricRegistry, new Map())

describe("the readers of receipts", () => {
  it.live("report running receipts and their durations, until each one ends in any way", () =>
    Effect.gen(function* () {
      const counted = yield* countReadings({ name: "receipts.ocr", concurrency: 2 })
      const read = (reading: Effect.Effect<void, string>) => counted(timedReading(reading))
      expect(yield* figures).toEqual({ running: 0, most: 2, read: 0 })
      const done = yield* Deferred.make<void>()
      const asked = yield* Effect.forEach([1, 2], () =>
        Effect.forkChild(read(Deferred.await(done)), { startImmediately: true })
      )
      expect(yield* figures).toEqual({ running: 2, most: 2, read: 0 })
      yield* Effect.forEach(asked.slice(0, 1), (fiber) => Fiber.interrupt(fiber))
      expect(yield* figures).toEqual({ running: 1, most: 2, read: 1 })
      yield* Deferred.succeed(done, undefined)
      yield* Effect.forEach(asked, Fiber.await)
      expect(Exit.isFailure(yield* Effect.exit(read(Effect.fail("unreadable"))))).toBe(true)
      expect(yield* figures).toEqual({ running: 0, most: 2, read: 3 })
    }).pipe(measuredAlone)
  )

  it.live("count a scanned PDF file only once, when it is read with an OCR engine", () =>
    Effect.gen(function* () {
      yield* readText(receiptPdf())
      expect((yield* figures).read).toBe(1)
      yield* readText(picturePdf(yield* receiptScan()))
      expect((yield* figures).read).toBe(1)
    }).pipe(Effect.provide(readerPool()), measuredAlone)
  )

  it.live("do not count in a process that only draws pictures, because the alert compares with those that read", () =>
    Effect.gen(function* () {
      yield* Layer.build(readerPool())
      expect(yield* figures).toEqual({ running: undefined, most: undefined, read: 0 })
    }).pipe(measuredAlone)
  )
})
