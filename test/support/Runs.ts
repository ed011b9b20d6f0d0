/**
 * Number of random cases, rounds of a race or records of a load: an eighth for a quick answer, and all of them in CI,
 * which sets `TEST_RUNS=full`.
 */
export const runs = (full: number): number => Math.ceil(full / divisor)

/** An eighth of all cases for a quick answer, spread evenly, and every case in CI. */
export const sampled = <A>(cases: ReadonlyArray<A>): ReadonlyArray<A> =>
  cases.filter((_, index) => index % divisor === 0)

const divisor = process.env["TEST_RUNS"] === "full" ? 1 : 8
