import type { Attacked, Observation } from "./Siege.ts"

export const p99_ratio_max = 1.2
export const memory_mb_max = 150

const percentile = (numbers: ReadonlyArray<number>, part: number) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * part)] ?? 0

const mean = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

const cpuOf = (times: ReadonlyArray<Observation>) => mean(times.map((time) => time.cpu_ms_per_second)).toFixed(0)

const p99Of = (times: ReadonlyArray<Observation>) =>
  percentile(
    times.flatMap(({ durations_ms }) => durations_ms),
    0.99
  )

/** Of each attack and the quiet times right before and after it. */
const compare = (quiet: ReadonlyArray<Observation>, attacked: ReadonlyArray<Observation>) =>
  attacked.map((time, round) => {
    const without_ms = p99Of(quiet.slice(round, round + 2))
    const during_ms = p99Of([time])
    return { without_ms, during_ms, ratio: during_ms / without_ms }
  })

export const columns = [
  "attack",
  "honest p99 in ms, without / during",
  "ratio of each round",
  "CPU of the service in ms/s",
  "its memory in MB, before / at most",
  "attacking connections it held, at most",
  "honest requests failed",
  "what the attacker was answered, and how its connections ended",
  "limits kept"
]

/**
 * A row of the table, and whether all limits were kept. The round in the middle counts: what slows the whole machine for
 * some seconds does so to a round without an attack as well as to one with it, and must decide nothing either way.
 */
export const judge = (name: string, quiet: ReadonlyArray<Observation>, attacked: ReadonlyArray<Attacked>) => {
  const rounds = compare(quiet, attacked).toSorted((a, b) => a.ratio - b.ratio)
  const { during_ms = NaN, ratio = NaN, without_ms = NaN } = rounds[Math.floor(rounds.length / 2)] ?? {}
  const growths = attacked.map(({ memory_before_mb, memory_mb }) => memory_mb - memory_before_mb)
  const failures = [...quiet, ...attacked].flatMap((time) => time.failures)
  const kept = ratio < p99_ratio_max && Math.max(...growths) < memory_mb_max && failures.length === 0
  const highest = attacked.toSorted((a, b) => b.memory_mb - b.memory_before_mb - (a.memory_mb - a.memory_before_mb))[0]
  const row = [
    name,
    `${without_ms.toFixed(1)} / ${during_ms.toFixed(1)}`,
    rounds.map((round) => round.ratio.toFixed(2)).join(" "),
    `${cpuOf(quiet)} / ${cpuOf(attacked)}`,
    `${highest?.memory_before_mb.toFixed(0)} / ${highest?.memory_mb.toFixed(0)}`,
    Math.max(...attacked.map(({ connections }) => connections)).toFixed(0),
    failures.length === 0 ? "0" : `${failures.length} (${failures[0]})`,
    (attacked.at(-1)?.endings ?? []).map(([ending, times]) => `${ending} (${times})`).join(", "),
    kept ? "yes" : "**no**"
  ]
  return { ratio, kept, row: `| ${row.join(" | ")} |` }
}
