import { Effect } from "effect"
import { cpuOfTree } from "./Cpu.ts"

/** An operation that only reads, and the time that it should take. */
interface Timed<E, R> {
  readonly name: string
  readonly read: Effect.Effect<unknown, E, R>
  readonly aim_ms: number
}

interface Options {
  /** Process id of PostgreSQL. */
  readonly postgres: number
  /** Number of calls of each read. After the first few calls, PostgreSQL uses one generic plan for every call. */
  readonly calls: number
}

const warm_ups = 6

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * Prints the time and the CPU of each read, and its aim divided by its time. Returns the names of the reads that miss
 * their aim.
 */
export const timed = Effect.fnUntraced(function* <E, R>(
  reads: ReadonlyArray<Timed<E, R>>,
  { calls, postgres }: Options
) {
  const missing: Array<string> = []
  console.log(`${"".padEnd(36)}      ms  CPU ms here  PostgreSQL     aim   ratio`)
  for (const { aim_ms, name, read } of reads) {
    for (let call = 0; call < warm_ups; call++) yield* read
    const times: Array<number> = []
    const [here, there] = [process.cpuUsage(), cpuOfTree(postgres)]
    for (let call = 0; call < calls; call++) {
      const started = performance.now()
      yield* read
      times.push(performance.now() - started)
    }
    const { system, user } = process.cpuUsage(here)
    const time = median(times)
    const cells = [time, (system + user) / 1000 / calls, (cpuOfTree(postgres) - there) / calls]
    if (time > aim_ms) missing.push(name)
    console.log(
      name.padEnd(36),
      ...cells.map((cell, index) => cell.toFixed(1).padStart([7, 12, 11][index] ?? 0)),
      String(aim_ms).padStart(7),
      (aim_ms / time).toFixed(2).padStart(7)
    )
  }
  return missing
})
