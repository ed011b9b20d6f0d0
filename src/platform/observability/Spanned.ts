import { Effect, References } from "effect"

/**
 * Gives a use case a span, for `Effect.fnUntraced` where most requests call it. `Effect.fn` makes a span and records the
 * place of the call even if nobody collects traces, which takes 2 µs.
 */
export const spanned =
  (name: string) =>
  <A, E, R>(useCase: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(References.TracerEnabled, (isEnabled) => (isEnabled ? Effect.withSpan(useCase, name) : useCase))
