import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { onePerKey } from "../../../src/platform/jobs/OnePerKey.ts"

/** Yields often enough that every fiber that can continue has done so. */
const settled = Effect.forEach(Array(20), () => Effect.yieldNow, { discard: true })

/** Effects that record when they begin, and wait to be ended. */
const watched = Effect.fnUntraced(function* (effects_max: number) {
  const one = onePerKey(effects_max)
  const began: Array<string> = []
  const start = Effect.fnUntraced(function* (key: string) {
    const end = yield* Deferred.make<void>()
    const effect = Effect.andThen(
      Effect.sync(() => began.push(key)),
      Deferred.await(end)
    )
    const fiber = yield* Effect.forkChild(one(key)(effect))
    yield* settled
    return { end: Effect.andThen(Deferred.succeed(end, undefined), settled), fiber }
  })
  return { began, start }
})

it.effect("runs one effect of each key at a time, in the order they came", () =>
  Effect.gen(function* () {
    const { began, start } = yield* watched(10)
    const first = yield* start("a")
    const second = yield* start("a")
    yield* start("b")
    assert.deepStrictEqual(began, ["a", "b"])
    yield* first.end
    assert.deepStrictEqual(began, ["a", "b", "a"])
    yield* second.end
    yield* start("a")
    assert.deepStrictEqual(began, ["a", "b", "a", "a"])
  })
)

it.effect("runs no more than the maximum of all keys, and goes on after one that is interrupted", () =>
  Effect.gen(function* () {
    const { began, start } = yield* watched(2)
    const first = yield* start("a")
    yield* start("b")
    const third = yield* start("c")
    yield* start("d")
    assert.deepStrictEqual(began, ["a", "b"])
    yield* Fiber.interrupt(third.fiber)
    yield* Fiber.interrupt(first.fiber)
    yield* settled
    assert.deepStrictEqual(began, ["a", "b", "d"])
  })
)
