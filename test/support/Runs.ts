/**
 * Number of random cases, rounds of a race or records of a load: a quarter for a quick answer, and all of them in CI,
 * which sets `TEST_RUNS=full`.
 */
export const runs = (full: number): number =>
  process.env["TEST_RUNS"] === "full" ? full : Math.ceil(full / quick_divisor)
const quick_divisor = 4
