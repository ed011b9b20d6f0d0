import type { Attacked, Observation } from "./Siege.ts"

export const p99_ratio_max = 1.2
export const memory_mb_max = 150
/**
 * Half the width of the confidence interval in standard errors: about 95 % of all means lie within two standard errors.
 */
const standard_errors = 2

export interface Round {
  readonly quiet: Observation
  readonly decoyed: Observation | undefined
  readonly attacked: Attacked
}

/** Ratio of the honest client's p99 during an attack to that without it, with a confidence interval. */
interface Moved {
  readonly ratio: number
  readonly low: number
  readonly high: number
}

const mean = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

const p99Of = (durations_ms: ReadonlyArray<number>) =>
  durations_ms.toSorted((a, b) => a - b)[Math.floor(durations_ms.length * 0.99)] ?? 0

/**
 * Returns the mean logarithm of the 99th percentiles of all seconds. A stop of the whole machine affects only one
 * second, but an attack affects all of them.
 */
const logP99 = ({ durations_ms }: Observation) => mean(durations_ms.map((second) => Math.log(p99Of(second))))

/**
 * Compares the honest client's p99 during an attack on the service with that during the same attack on `Decoy.ts`,
 * which keeps the machine equally busy. Without a decoy, compares it with the time without an attack.
 */
const logRatio = ({ attacked, decoyed, quiet }: Round) => logP99(attacked) - logP99(decoyed ?? quiet)

export const movedIn = (rounds: ReadonlyArray<Round>): Moved => {
  const logs = rounds.map(logRatio)
  const middle = mean(logs)
  const variance = logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / (logs.length - 1)
  const margin = standard_errors * Math.sqrt(variance / logs.length)
  return { ratio: Math.exp(middle), low: Math.exp(middle - margin), high: Math.exp(middle + margin) }
}

/** True if the confidence interval contains the limit, so that more rounds could show whether the ratio exceeds it. */
export const inDoubt = ({ high, low }: Moved) => low < p99_ratio_max && high >= p99_ratio_max

const p99sOf = (times: ReadonlyArray<Observation | undefined>) => {
  const there = times.filter((time) => time !== undefined)
  if (there.length === 0) return "-"
  const typical = Math.exp(mean(there.map(logP99)))
  return `${typical.toFixed(1)} (${p99Of(there.flatMap((time) => time.durations_ms.flat())).toFixed(1)})`
}

const cpuOf = (times: ReadonlyArray<Observation>) => mean(times.map((time) => time.cpu_ms_per_second)).toFixed(0)

export const columns = [
  "attack",
  "honest p99 of a typical second (of all) in ms: without",
  "with a decoy attacked",
  "with the service attacked",
  "ratio of typical ones, likely between",
  "CPU of the service in ms/s, without / during",
  "its memory in MB, before / at most",
  "attacking connections it held, at most",
  "honest requests failed",
  "what the attacker was answered, and how its connections ended",
  "limits kept"
]

const growth = ({ memory_before_mb, memory_mb }: Attacked) => memory_mb - memory_before_mb

export const judge = (name: string, rounds: ReadonlyArray<Round>) => {
  const moved = movedIn(rounds)
  const quiet = rounds.map((round) => round.quiet)
  const attacked = rounds.map((round) => round.attacked)
  const [highest] = attacked.toSorted((a, b) => growth(b) - growth(a))
  const failures = [...quiet, ...attacked].flatMap((time) => time.failures)
  const others_kept = attacked.every((time) => growth(time) < memory_mb_max) && failures.length === 0
  const broken = !others_kept || moved.low >= p99_ratio_max
  const row = [
    name,
    p99sOf(quiet),
    p99sOf(rounds.map((round) => round.decoyed)),
    p99sOf(attacked),
    `${moved.ratio.toFixed(2)}, ${moved.low.toFixed(2)} to ${moved.high.toFixed(2)}`,
    `${cpuOf(quiet)} / ${cpuOf(attacked)}`,
    `${highest?.memory_before_mb.toFixed(0)} / ${highest?.memory_mb.toFixed(0)}`,
    Math.max(...attacked.map(({ connections }) => connections)).toFixed(0),
    failures.length === 0 ? "0" : `${failures.length} (${failures[0]})`,
    (attacked.at(-1)?.endings ?? []).map(([ending, times]) => `${ending} (${times})`).join(", "),
    broken ? "**no**" : inDoubt(moved) ? "not told apart" : "yes"
  ]
  return { broken, row: `| ${row.join(" | ")} |` }
}
