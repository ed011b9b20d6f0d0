/** The full number of random cases, rounds or records in CI (`TEST_RUNS=full`), otherwise an eighth. */
export const runs = (full: number): number => Math.ceil(full / divisor)

/** All cases in CI, and otherwise an eighth of them, spread evenly, for a quick result. */
export const sampled = <A>(cases: ReadonlyArray<A>): ReadonlyArray<A> =>
  cases.filter((_, index) => index % divisor === 0)

const divisor = process.env["TEST_RUNS"] === "full" ? 1 : 8
