/** Number of receipts of one round: one for each combination of six languages and nine kinds. */
const round_size = 54
const seeds = (first_round: number, rounds: number) =>
  Array.from({ length: rounds * round_size }, (_, index) => 1 + first_round * round_size + index)

/** The weights are fitted to the first set, developers study the second, and reports measure the third. */
export const sets = { training: seeds(0, 3), development: seeds(3, 4), evaluation: seeds(7, 3) } as const
