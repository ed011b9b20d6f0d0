/**
 * `npm run faults -- --rounds 100 --seed 7` starts a service and clients of several organizations; in each round, a
 * process is killed or stopped for seconds, PostgreSQL crashes, the storage is full, or the mail server fails.
 * Afterwards, everything acknowledged must exist, once and intact. The service runs in one of three forms: one process;
 * a process for requests beside one for background work; or two equal processes. `--kind mail` limits the faults.
 */
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Random } from "../support/Random.ts"
import { runTool } from "../support/Tool.ts"
import { type FaultKind, faultKinds } from "./Faults.ts"
import { type RoundResult, runRound } from "./Round.ts"
import { world } from "./World.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "10" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    kind: { type: "string" }
  }
})
const rounds = Number(values.rounds)
const seed = Number(values.seed)
const kinds = faultKinds.filter((kind) => values.kind === undefined || kind === values.kind)

const line = (name: string, cells: ReadonlyArray<string | number>) =>
  console.log(name.padEnd(30), ...cells.map((cell) => String(cell).padStart(9)))

const print = (round: number, { fault, findings, processes, requests, retries, seconds, writes }: RoundResult) => {
  line(`${round} ${fault}`, [processes, requests, retries, writes, `${seconds.toFixed(1)} s`, findings.length])
  for (const finding of findings) console.log(`   ${finding}`)
}

const summary = (results: ReadonlyArray<RoundResult>) => {
  line(`\nseed ${seed}`, ["rounds", "requests", "retries", "writes", "findings"])
  for (const [fault, same] of Map.groupBy(results, ({ fault }) => fault)) {
    const total = (count: (result: RoundResult) => number) => same.reduce((sum, result) => sum + count(result), 0)
    line(fault, [
      same.length,
      total(({ requests }) => requests),
      total(({ retries }) => retries),
      total(({ writes }) => writes),
      total(({ findings }) => findings.length)
    ])
  }
}

const main = Effect.gen(function* () {
  const random = new Random(seed)
  const machine = yield* world
  const results: Array<RoundResult> = []
  line("round", ["processes", "requests", "retries", "writes", "time", "findings"])
  for (let round = 1; round <= rounds; round++) {
    const kind: FaultKind = random.pick(kinds)
    const result = yield* Effect.promise(() => runRound(machine, kind, random.bits()))
    if (result === undefined) console.log(`${round} SKIPPED: ${kind}, which needs the right to mount a file system`)
    else {
      results.push(result)
      print(round, result)
    }
  }
  summary(results)
  if (results.every(({ findings }) => findings.length === 0)) return
  const log = join(tmpdir(), `invoicing-faults-${seed}.log`)
  writeFileSync(log, machine.output())
  console.log(`The service's output: ${log}`)
  process.exitCode = 1
})

runTool(main)
