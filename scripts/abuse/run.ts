/**
 * `npm run abuse -- --seconds 5 --rounds 4 --only slow --only JSON` measures how attacks affect an honest client, and
 * how much memory they cost. Because the attacker shares the machine with the service, each attack whose pace does not
 * depend on the answers is repeated on a decoy, which only closes connections; the others are compared with a time
 * without an attack. The first row has no attack.
 */
import { Effect } from "effect"
import { fork } from "node:child_process"
import { loadavg } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { ownDatabase } from "../support/OwnDatabase.ts"
import { memoryOf } from "../support/ServiceProcess.ts"
import { childOfTool, runTool } from "../support/Tool.ts"
import { type Attack, attacks, control } from "./Attacks.ts"
import { type Experience, honest_users } from "./Honest.ts"
import { ask, attackOnce, attackers_max, distractOnce, hear, observe } from "./Siege.ts"
import { checkDescriptors, seedTarget, startTarget } from "./Target.ts"
import { columns, inDoubt, judge, memory_mb_max, movedIn, p99_ratio_max, type Round } from "./Verdict.ts"

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "4" },
    only: { type: "string", multiple: true, default: [""] }
  }
})
/** Each measurement is a second shorter than an attack, so an attack takes at least two seconds. */
const seconds = Math.max(2, Number(values.seconds))
/** The variance between rounds can only be computed from at least two. */
const rounds = Math.max(2, Number(values.rounds))
/** While it is not clear whether the p99 exceeds its limit, the tool runs up to this many times `rounds`. */
const doubtful_rounds = 4
/** Time until the hot paths are compiled and the memory of an idle service is stable. */
const warm_up_seconds = 15

const abuse = async (url: string, dataDir: string) => {
  const target = await startTarget(url, join(dataDir, "service"))
  const honest = childOfTool(fork(new URL("./Honest.ts", import.meta.url)))
  const decoy = await hear<number>(childOfTool(fork(new URL("./Decoy.ts", import.meta.url))))
  await seedTarget(url, honest_users + attackers_max)
  checkDescriptors(target.pid)
  await ask<Experience>(honest, { port: target.port, seconds: warm_up_seconds })
  const memory_mb = memoryOf(target.pid)

  const once = async (name: string, { steady }: Attack): Promise<Round> => {
    const quiet = await observe(target, honest, seconds - 1)
    const decoyed = steady ? await distractOnce(name, decoy, target, honest, seconds) : undefined
    return { quiet, decoyed, attacked: await attackOnce(name, target, honest, seconds) }
  }

  console.log(`| ${columns.join(" | ")} |\n|${"---|".repeat(columns.length)}`)
  for (const [name, attack] of Object.entries(attacks)) {
    if (name !== control && !values.only.some((part) => name.includes(part))) continue
    const made: Array<Round> = []
    while (made.length < rounds || (made.length < rounds * doubtful_rounds && inDoubt(movedIn(made)))) {
      made.push(await once(name, attack))
    }
    const { broken, row } = judge(name, made)
    console.log(row)
    if (broken) process.exitCode = 1
  }
  console.log(
    [
      `\nLimits: p99 x ${p99_ratio_max}, ${memory_mb_max} MB, no honest request failed.`,
      "The attacker has the lowest priority, all others have the usual one.",
      `Memory of the service before the first row ${memory_mb.toFixed(0)} MB, after the last ${memoryOf(target.pid).toFixed(0)} MB.`,
      `Load of the machine: ${loadavg()[0]?.toFixed(1)}.`
    ].join(" ")
  )
}

runTool(
  Effect.gen(function* () {
    const { dataDir, url } = yield* ownDatabase()
    yield* Effect.promise(() => abuse(url, dataDir))
  })
)
