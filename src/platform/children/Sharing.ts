import { Effect, Fiber } from "effect"

interface Shared<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  callers: number
}

/** Concurrent callers with the same key share one run, which is interrupted when the last of them stops waiting. */
export const sharing = Effect.fnUntraced(function* <A, E>() {
  const scope = yield* Effect.scope
  const running = new Map<string, Shared<A, E>>()

  const begin = Effect.fnUntraced(function* (key: string, run: Effect.Effect<A, E>) {
    const shared = { fiber: yield* Effect.forkIn(Effect.interruptible(run), scope), callers: 0 }
    running.set(key, shared)
    return shared
  })

  const leave = (key: string, shared: Shared<A, E>) =>
    Effect.suspend(() => {
      shared.callers--
      if (shared.callers > 0) return Effect.void
      running.delete(key)
      return Fiber.interrupt(shared.fiber)
    })

  return (key: string, run: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const shared = running.get(key) ?? (yield* begin(key, run))
        shared.callers++
        return yield* Effect.ensuring(restore(Fiber.join(shared.fiber)), leave(key, shared))
      })
    )
})
