import type { Attacked, Observation } from "./Siege.ts"

export const p99_ratio_max = 1.2
export const memory_mb_max = 150

const percentile = (numbers: ReadonlyArray<number>, part: number) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * part)] ?? 0

const mean = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

const cpuOf = (times: ReadonlyArray<Observation>) => mean(times.map((time) => time.cpu_ms_per_second)).toFixed(0)

const p99Of = (durations_ms: ReadonlyArray<number>) => percentile(durations_ms, 0.99)

/**
 * Of the second in the middle: what stops the whole machine for a moment, as a collection of garbage does, is the p99 of
 * its own second only. A stall that comes now and then shows in that of all seconds, which is why both have to be kept.
 */
const typicalP99 = (times: ReadonlyArray<Observation>) =>
  percentile(
    times.flatMap((time) => time.durations_ms.map(p99Of)),
    0.5
  )

const overallP99 = (times: ReadonlyArray<Observation>) => p99Of(times.flatMap((time) => time.durations_ms.flat()))

const compare = (
  p99: (times: ReadonlyArray<Observation>) => number,
  quiet: ReadonlyArray<Observation>,
  attacked: ReadonlyArray<Observation>
) => `${p99(quiet).toFixed(1)} / ${p99(attacked).toFixed(1)}`

export const columns = [
  "attack",
  "honest p99 of a typical second in ms, without / during",
  "p99 of all seconds together",
  "ratio of each",
  "CPU of the service in ms/s",
  "its memory in MB, before / at most",
  "attacking connections it held, at most",
  "honest requests failed",
  "what the attacker was answered, and how its connections ended",
  "limits kept"
]

/** A row of the table, and whether all limits were kept, by the quiet times between the attacks. */
export const judge = (name: string, quiet: ReadonlyArray<Observation>, attacked: ReadonlyArray<Attacked>) => {
  const ratios = [typicalP99, overallP99].map((p99) => p99(attacked) / p99(quiet))
  const ratio = Math.max(...ratios)
  const growths = attacked.map(({ memory_before_mb, memory_mb }) => memory_mb - memory_before_mb)
  const failures = [...quiet, ...attacked].flatMap((time) => time.failures)
  const kept = ratio < p99_ratio_max && Math.max(...growths) < memory_mb_max && failures.length === 0
  const highest = attacked.toSorted((a, b) => b.memory_mb - b.memory_before_mb - (a.memory_mb - a.memory_before_mb))[0]
  const row = [
    name,
    compare(typicalP99, quiet, attacked),
    compare(overallP99, quiet, attacked),
    ratios.map((each) => each.toFixed(2)).join(" / "),
    `${cpuOf(quiet)} / ${cpuOf(attacked)}`,
    `${highest?.memory_before_mb.toFixed(0)} / ${highest?.memory_mb.toFixed(0)}`,
    Math.max(...attacked.map(({ connections }) => connections)).toFixed(0),
    failures.length === 0 ? "0" : `${failures.length} (${failures[0]})`,
    (attacked.at(-1)?.endings ?? []).map(([ending, times]) => `${ending} (${times})`).join(", "),
    kept ? "yes" : "**no**"
  ]
  return { ratio, kept, row: `| ${row.join(" | ")} |` }
}
