/**
 * Returns the number of random cases, rounds of a race or records of a load: the full number in CI, which sets
 * `TEST_RUNS=full`, and otherwise an eighth of it, for a quick result.
 */
export const runs = (full: number): number => Math.ceil(full / divisor)

/** All cases in CI, and otherwise an eighth of them, spread evenly, for a quick result. */
export const sampled = <A>(cases: ReadonlyArray<A>): ReadonlyArray<A> =>
  cases.filter((_, index) => index % divisor === 0)

const divisor = process.env["TEST_RUNS"] === "full" ? 1 : 8
