/** Runs a quarter of the random cases for a quick answer; CI sets `TEST_RUNS=full` and runs all of them. */
export const runs = (full: number): number =>
  process.env["TEST_RUNS"] === "full" ? full : Math.ceil(full / quick_divisor)
const quick_divisor = 4
