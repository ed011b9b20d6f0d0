/**
 * `npm run abuse -- --seconds 10 --rounds 3 --only slow`: what an honest client notices of attacks on a real process,
 * and what they cost it in memory. Every attack has quiet times right before and after it, on the same machine, to
 * compare with; the first row is no attack, judged in the same way, and says what this machine can tell apart.
 */
import { Effect } from "effect"
import { fork } from "node:child_process"
import { loadavg } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { ownDatabase } from "../OwnDatabase.ts"
import { memoryOf } from "../ServiceProcess.ts"
import { childOfTool, runTool } from "../Tool.ts"
import { attacks, control } from "./Attacks.ts"
import { type Experience, honest_users } from "./Honest.ts"
import { ask, attackOnce, attackers_max, type Attacked, observe } from "./Siege.ts"
import { checkDescriptors, seedTarget, startTarget } from "./Target.ts"
import { columns, judge, memory_mb_max, p99_ratio_max } from "./Verdict.ts"

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" }
  }
})
/** Of a round: most of them with the attack, and a quiet time after it; whole seconds. */
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const attack_seconds = Math.round((seconds * 8) / 10)
/** What seems to break a limit goes on for so many times the rounds, and all of them are judged together. */
const doubtful_rounds = 2
/** Shorter, since those before and after an attack count together. */
const quiet_seconds = Math.round(seconds / 4)
/** Until the code of the hot paths is compiled and the memory of a quiet service stays what it is. */
const warm_up_seconds = 15

const abuse = async (url: string, dataDir: string) => {
  const target = await startTarget(url, join(dataDir, "service"))
  const honest = childOfTool(fork(new URL("./Honest.ts", import.meta.url)))
  await seedTarget(url, honest_users + attackers_max)
  checkDescriptors(target.pid)
  await ask<Experience>(honest, { port: target.port, seconds: warm_up_seconds })
  const memory_mb = memoryOf(target.pid)
  console.log(`| ${columns.join(" | ")} |\n|${"---|".repeat(columns.length)}`)
  let told_apart = 0
  let last = await observe(target, honest, quiet_seconds)
  for (const name of Object.keys(attacks)) {
    if (name !== control && !name.includes(values.only)) continue
    const quiet = [last]
    const attacked: Array<Attacked> = []
    const besiege = async (times: number) => {
      for (let round = 0; round < times; round++) {
        attacked.push(await attackOnce(name, target, honest, attack_seconds))
        last = await observe(target, honest, quiet_seconds)
        quiet.push(last)
      }
    }
    await besiege(rounds)
    if (!judge(name, quiet, attacked).kept) await besiege(rounds * doubtful_rounds)
    const { kept, ratio, row } = judge(name, quiet, attacked)
    console.log(row)
    if (name === control) told_apart = ratio
    if (!kept) process.exitCode = 1
  }
  console.log(
    [
      `\nLimits: either p99 x ${p99_ratio_max}, ${memory_mb_max} MB, no honest request failed.`,
      `Without an attack the same judgement gave x ${told_apart.toFixed(2)}: so much is this machine.`,
      "The attacker has the lowest priority, since in life it computes elsewhere; all others have the usual one.",
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
