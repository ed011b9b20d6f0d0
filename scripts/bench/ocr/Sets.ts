/** Six languages times nine kinds. */
const round_size = 54
const seeds = (first_round: number, rounds: number) =>
  Array.from({ length: rounds * round_size }, (_, index) => 1 + first_round * round_size + index)

/** What is fitted sees only the first set, whoever looks for mistakes only the second; the third is reported. */
export const sets = { training: seeds(0, 3), development: seeds(3, 4), evaluation: seeds(7, 3) } as const
