/** Features of a candidate; an absent feature counts as 0. */
export type Features<Name extends string> = Readonly<Partial<Record<Name, number>>>
type Weights<Name extends string> = Readonly<Record<Name, number>>

export interface Ranked<A> {
  readonly candidate: A
  /** Probability that this candidate is right, rather than another candidate or none. */
  readonly probability: number
}

export const scoreOf = <Name extends string>(features: Features<Name>, weights: Weights<Name>): number => {
  let score = 0
  for (const name in weights) score += weights[name] * (features[name] ?? 0)
  return score
}

/**
 * Ranks candidates by conditional logit, the best first. They compete with each other and with "none", whose score is
 * 0.
 */
export const ranked = <Name extends string, A extends { readonly features: Features<Name> }>(
  candidates: ReadonlyArray<A>,
  weights: Weights<Name>
): ReadonlyArray<Ranked<A>> => {
  const scores = candidates.map((candidate) => scoreOf(candidate.features, weights))
  const largest = Math.max(0, ...scores)
  const powers = scores.map((score) => Math.exp(score - largest))
  const sum = powers.reduce((total, power) => total + power, Math.exp(-largest))
  return candidates
    .map((candidate, index) => ({ candidate, probability: (powers[index] ?? 0) / sum }))
    .toSorted((a, b) => b.probability - a.probability)
}

export const logistic = (score: number): number => 1 / (1 + Math.exp(-score))

/** Log odds are limited to this absolute value, because a more extreme probability gives no more information. */
const log_odds_max = 8

export const logOdds = (probability: number): number =>
  Math.max(-log_odds_max, Math.min(log_odds_max, Math.log(probability / Math.max(1e-12, 1 - probability))))
