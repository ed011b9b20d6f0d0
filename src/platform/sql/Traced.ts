import { Effect, Record } from "effect"

type Query = (...args: ReadonlyArray<never>) => Effect.Effect<unknown, unknown, unknown>

type Traced<Queries> = {
  readonly [Name in keyof Queries]: Queries[Name] extends (
    ...args: infer Args
  ) => Effect.Effect<infer Result, infer _, infer Services>
    ? (...args: Args) => Effect.Effect<Result, never, Services>
    : never
}

/**
 * Gives each query of a repository a span with the names of both, and turns its errors into defects, because no caller
 * can mend what the database refuses.
 */
export const traced = <Queries extends Record<string, Query>>(repository: string, queries: Queries): Traced<Queries> =>
  // Boundary: the mapped type states for each query what `Effect.fn` returns for it.
  Record.map(queries, (query, name) => {
    // Boundary: only callers of the result pass arguments, and the mapped type asks them for those of the query.
    const run = query as (...args: Array<unknown>) => ReturnType<Query>
    return Effect.fn(`${repository}.${name}`)(run, Effect.orDie)
  }) as Traced<Queries>
