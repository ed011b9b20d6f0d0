import { Duration, Effect, Fiber, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { observed } from "../../../src/einvoicing/providers/ObservedProvider.ts"
import type { NetworkUnavailable } from "../../../src/einvoicing/providers/Provider.ts"
import { arrivalOf, holding } from "../received/Arriving.ts"

/** Collects four documents, each of which needs the given minutes until it arrives, and then until it is used. */
const collected = ({ fetched, used }: { readonly fetched: number; readonly used: number }) =>
  Effect.gen(function* () {
    const [documents, recorded] = [Array.from({ length: 4 }, () => arrivalOf({ id: 1 }, "")), Array<string>()]
    const arrivals = Stream.fromIterable(documents, { chunkSize: 1 }).pipe(
      Stream.tap(() => Effect.sleep(Duration.minutes(fetched)))
    )
    const record = (outcome: string) => Effect.sync(() => void recorded.push(outcome))
    const health = { answered: record("answered"), failed: ({ message }: NetworkUnavailable) => record(message) }
    const provider = observed(holding(documents, { arrivals }), health, Option.none())
    let count = 0
    const use = () => Effect.map(Effect.sleep(Duration.minutes(used)), () => void count++)
    const run = yield* Effect.forkChild(Effect.exit(Stream.runForEach(provider.arrivals, use)))
    yield* TestClock.adjust(Duration.hours(2))
    yield* Fiber.join(run)
    return { count, recorded }
  }).pipe(Effect.provide(TestClock.layer()))

it("a provider that delivers documents too slowly counts as failed, so that the others have their turn", async () => {
  const recorded = ["The provider delivers its documents too slowly."]
  expect(await Effect.runPromise(collected({ fetched: 60, used: 0 }))).toEqual({ count: 0, recorded })
  expect(await Effect.runPromise(collected({ fetched: 1.25, used: 0 }))).toEqual({ count: 2, recorded })
})

it("a provider does not count as failed because its documents take long to be read here", async () => {
  expect(await Effect.runPromise(collected({ fetched: 0.5, used: 10 }))).toEqual({ count: 4, recorded: ["answered"] })
})
