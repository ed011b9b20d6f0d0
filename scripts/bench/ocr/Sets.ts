/** Receipts of one round: six languages times nine kinds. */
const round_size = 54
const seeds = (first_round: number, rounds: number) =>
  Array.from({ length: rounds * round_size }, (_, index) => 1 + first_round * round_size + index)

/** Fitting uses only the first set, the search for mistakes only the second; the third is reported. */
export const sets = { training: seeds(0, 3), development: seeds(3, 4), evaluation: seeds(7, 3) } as const
