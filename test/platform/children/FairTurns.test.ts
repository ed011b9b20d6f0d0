import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { fairTurns, type TurnLimits } from "../../../src/platform/children/FairTurns.ts"
import { sharing } from "../../../src/platform/children/Sharing.ts"

const turnsOf = (changes: Partial<TurnLimits>) =>
  fairTurns({
    size: 1,
    held_per_owner_max: 1,
    waiting_max: 10,
    waiting_per_owner_max: 5,
    waiting_duration_max: "1 minute",
    ...changes
  })

const start = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkChild(effect, { startImmediately: true })

describe("a turn", () => {
  it.effect("serves each owner in rotation, however much one of them has requested", () =>
    Effect.gen(function* () {
      const { inTurn } = turnsOf({})
      const order: Array<string> = []
      const work = (owner: number, name: string) =>
        start(
          inTurn(owner)(
            Effect.andThen(
              Effect.yieldNow,
              Effect.sync(() => order.push(name))
            )
          )
        )
      const jobs = [
        [1, "a1"],
        [1, "a2"],
        [1, "a3"],
        [2, "b1"],
        [2, "b2"],
        [3, "c1"]
      ] as const
      const fibers = yield* Effect.forEach(jobs, ([owner, name]) => work(owner, name))
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(order, ["a1", "a2", "b1", "c1", "a3", "b2"])
    })
  )

  it.effect("goes to others when an owner has reached its limit", () =>
    Effect.gen(function* () {
      const { inTurn } = turnsOf({ size: 2 })
      const first = yield* start(inTurn(1)(Effect.never))
      const second = yield* start(inTurn(1)(Effect.never))
      assert.strictEqual(yield* inTurn(2)(Effect.succeed("done")), "done")
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(second)
      assert.strictEqual(yield* inTurn(1)(Effect.succeed("free again")), "free again")
    })
  )

  it.effect("is refused when too many callers wait, of one owner or of all", () =>
    Effect.gen(function* () {
      const { inTurn } = turnsOf({ waiting_max: 3, waiting_per_owner_max: 2 })
      const fibers = yield* Effect.forEach([1, 1, 1], (owner) => start(inTurn(owner)(Effect.never)))
      assert.strictEqual((yield* Effect.flip(inTurn(1)(Effect.void)))._tag, "NoTurn")
      yield* start(inTurn(2)(Effect.never))
      assert.strictEqual((yield* Effect.flip(inTurn(3)(Effect.void)))._tag, "NoTurn")
      for (const fiber of fibers) yield* Fiber.interrupt(fiber)
    })
  )

  it.live("is given up after the longest wait", () =>
    Effect.gen(function* () {
      const { inTurn } = turnsOf({ waiting_duration_max: "20 millis" })
      yield* start(inTurn(1)(Effect.never))
      assert.strictEqual((yield* Effect.flip(inTurn(2)(Effect.void)))._tag, "NoTurn")
    })
  )
})

describe("a shared run", () => {
  it.effect("serves all callers that ask at the same time, and a later caller starts another one", () =>
    Effect.gen(function* () {
      const once = yield* sharing<number, never>()
      const open = yield* Deferred.make<void>()
      let runs = 0
      const run = Effect.andThen(
        Deferred.await(open),
        Effect.sync(() => ++runs)
      )
      const first = yield* start(once("key", run))
      const second = yield* start(once("key", run))
      yield* Deferred.succeed(open, undefined)
      assert.deepStrictEqual([yield* Fiber.join(first), yield* Fiber.join(second)], [1, 1])
      assert.strictEqual(yield* once("key", run), 2)
    })
  )

  it.effect("continues while one caller waits, and is interrupted with the last one", () =>
    Effect.gen(function* () {
      const once = yield* sharing<never, never>()
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      let runs = 0
      const run = Effect.suspend(() => {
        runs++
        return Effect.onInterrupt(Effect.andThen(Deferred.succeed(begun, undefined), Effect.never), () =>
          Deferred.succeed(ended, undefined)
        )
      })
      const first = yield* start(once("key", run))
      const second = yield* start(once("key", run))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(first)
      assert.isFalse(yield* Deferred.isDone(ended))
      yield* Fiber.interrupt(second)
      yield* Deferred.await(ended)
      assert.strictEqual(runs, 1)
    })
  )
})
