import { Effect, References } from "effect"

/**
 * Makes spans for `Effect.fnUntraced` on hot paths: `Effect.fn` makes a span and records the source location even if
 * nothing collects traces, which takes 2 µs.
 */
export const spanned =
  (name: string) =>
  <A, E, R>(useCase: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(References.TracerEnabled, (isEnabled) => (isEnabled ? Effect.withSpan(useCase, name) : useCase))
