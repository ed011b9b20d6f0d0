/**
 * `node scripts/bench/rules.ts` imports 20,000 bank lines with 500 rules of regular expressions, and measures how much
 * later `/health/live` and an honest client of other organizations get their answers. For comparison, it measures the
 * same without an import, and beside a process of the same low priority that only computes, because the kernel lets
 * even such a process finish its time slice.
 */
import { Effect } from "effect"
import { type ChildProcess, fork, spawn } from "node:child_process"
import { constants, setPriority } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Client } from "pg"
import { type Experience, honest_users } from "../abuse/Honest.ts"
import { ask } from "../abuse/Siege.ts"
import { seedTarget, startTarget } from "../abuse/Target.ts"
import { databaseClient, ownDatabase } from "../support/OwnDatabase.ts"
import { memoryOf } from "../support/ServiceProcess.ts"
import { childOfTool, runTool } from "../support/Tool.ts"

const lines = Number(process.env["BENCH_LINES"] ?? 20_000)
const rules = Number(process.env["BENCH_RULES"] ?? 500)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 12)
/** The environment may limit the run to loads whose names match this pattern. */
const only = new RegExp(process.env["BENCH_ONLY"] ?? "")
const conditions = 20
const probe_interval_ms = 50
const live_ms_max = 200
const warm_up_seconds = 10

interface Load {
  /** Returns the regular expression of a rule's condition; null if the load has no rules. */
  readonly pattern: ((rule: number, condition: number) => string) | null
  readonly negate: boolean
  readonly text: (line: number) => string
}

/** Returns a pseudorandom sequence of the letters a and b. */
const letters = (line: number) => {
  let state = line
  return Array.from(
    { length: 440 },
    () => "ab"[(state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0) < 0 ? 0 : 1]
  )
}
const words = (line: number) => `Card payment ${line} shop number ${line % 977} Brussels terminal ${line % 31}`

const loads: Readonly<Record<string, Load>> = {
  "no rules": { pattern: null, negate: false, text: words },
  "no rules, long texts": { pattern: null, negate: false, text: (line) => letters(line).join("") },
  "ordinary expressions": {
    pattern: (rule, condition) =>
      condition === 0 ? `shop number ${rule}\\b.*terminal [0-9]{1,2}$` : "card (payment|fee)",
    negate: false,
    text: words
  },
  "((a?){100}){9}b": { pattern: () => "((a?){100}){9}b", negate: true, text: () => "a".repeat(440) },
  "(a|aa)+$": { pattern: () => "(a|aa)+$", negate: true, text: () => `${"a".repeat(440)}!` },
  "(.*a){25}": { pattern: (rule) => `(.*a){25}${rule}`, negate: true, text: () => "a".repeat(440) },
  "exploding automata": {
    pattern: (rule, condition) => `[ab]*a[ab]{${200 + (rule % 100)}}[x-z${condition}]`,
    negate: true,
    text: (line) => letters(line).join("")
  }
}

/**
 * Stores the rules of a load, and returns the id of the bank account. All conditions of a rule except the last one
 * hold, which is the worst case.
 */
const prepare = async (client: Client, number: number, { negate, pattern }: Load) => {
  await client.query("insert into bank_accounts (organization_id, name, currency) values ($1, 'Current', 'EUR')", [
    number
  ])
  for (const rule of Array(pattern === null ? 0 : rules).keys()) {
    const stored = Array.from({ length: conditions - 1 }, (_, condition) => ({
      type: "remittance_regex",
      value: pattern?.(rule, condition),
      negate
    }))
    const actions = { description: "Ruled" }
    await client.query(
      `insert into bank_rules (organization_id, name, is_active, direction, conditions, actions, auto_add, priority,
         created_at, updated_at, version)
       values ($1, 'Rule', true, 'any', $2, $3, false, 100, now(), now(), 1)`,
      [number, JSON.stringify([...stored, { type: "remittance_regex", value: "^never$" }]), actions]
    )
  }
  const { rows } = await client.query("select id from bank_accounts where organization_id = $1", [number])
  return Number(rows[0].id)
}

/** Makes a bank statement. This happens before the measurement, because it would delay the measured requests. */
const statementOf = ({ text }: Load) => {
  const table = Array.from({ length: lines }, (_, line) => `2026-03-01;-${(line % 100) + 100},50;Shop;${text(line)}`)
  const form = new FormData()
  form.set("file", new File([["Date;Amount;Name;Description", ...table].join("\n")], "statement.csv"))
  return form
}

const upload = async (port: number, number: number, account: number, form: FormData) => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/bank-accounts/${account}/import-statement`, {
    method: "POST",
    headers: { authorization: `Bearer pat_bench${number}`, "x-organization-id": String(number) },
    body: form
  })
  const { data, message } = (await response.json()) as {
    readonly data?: { readonly imported: number; readonly warnings?: ReadonlyArray<{ readonly message: string }> }
    readonly message?: string
  }
  return `${response.status} ${data?.imported ?? message} imported ${data?.warnings?.[0]?.message.slice(0, 42) ?? ""}`
}

/** Requests `/health/live` until stopped, and returns the time of the slowest answer. */
const watch = (port: number) => {
  let slowest = 0
  const stopping = new AbortController()
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const asked = performance.now()
      await fetch(`http://127.0.0.1:${port}/health/live`).then((answer) => answer.text())
      slowest = Math.max(slowest, performance.now() - asked)
      await sleep(probe_interval_ms)
    }
  })()
  return async () => {
    stopping.abort()
    await watching
    return slowest
  }
}

const p99 = ({ durations_ms }: Experience) => {
  const all = durations_ms.flat().toSorted((a, b) => a - b)
  return all[Math.floor(all.length * 0.99)] ?? 0
}

/** Measures the honest client while another process of low priority only computes. */
const besideComputing = async (honest: ChildProcess, port: number) => {
  const computing = childOfTool(spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }))
  if (computing.pid !== undefined) setPriority(computing.pid, constants.priority.PRIORITY_LOW)
  const experience = await ask<Experience>(honest, { port, seconds })
  computing.kill()
  return experience
}

const measure = async (url: string, dataDir: string) => {
  const { pid, port } = await startTarget(url, join(dataDir, "service"))
  const honest = childOfTool(fork(new URL("../abuse/Honest.ts", import.meta.url)))
  const names = Object.entries(loads).filter(([name]) => only.test(name))
  await seedTarget(url, honest_users + names.length)
  const client = await databaseClient(url)
  await ask<Experience>(honest, { port, seconds: warm_up_seconds })
  console.log(`${rules} rules of ${conditions} expressions, ${lines} lines; milliseconds.`)
  const limit = p99(await besideComputing(honest, port))
  console.log(`p99 of others ${limit.toFixed(1)} beside a process of low priority that only computes.`)
  for (const [index, [name, load]] of names.entries()) {
    const number = honest_users + 1 + index
    const account = await prepare(client, number, load)
    const statement = statementOf(load)
    const calm = watch(port)
    const quiet = await ask<Experience>(honest, { port, seconds })
    const live_calm = await calm()
    const slowest = watch(port)
    const started = performance.now()
    const importing = upload(port, number, account, statement).then(
      (answer) => [answer, performance.now() - started] as const
    )
    const beside = await ask<Experience>(honest, { port, seconds })
    const [answer, took] = await importing
    const live = await slowest()
    if (live > live_ms_max) process.exitCode = 1
    console.log(
      `${name}: ${answer} in ${took.toFixed(0)}; /health/live at most ${live_calm.toFixed(0)} quiet, ${live.toFixed(0)} beside it; ` +
        `p99 of others ${p99(quiet).toFixed(1)} quiet, ${p99(beside).toFixed(1)} beside it ` +
        `(${beside.failures.length} failed); ${memoryOf(pid).toFixed(0)} MB.`
    )
  }
  await client.end()
}

runTool(
  Effect.gen(function* () {
    const { dataDir, url } = yield* ownDatabase()
    yield* Effect.promise(() => measure(url, dataDir))
  })
)
