/**
 * `npm run abuse -- --seconds 10 --rounds 3 --only slow`: what an honest client notices of attacks on a real process,
 * and what they cost it in memory. Every attack has a quiet time right before it, on the same machine, to compare with.
 */
import { Effect, Redacted } from "effect"
import { type ChildProcess, fork, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { Client } from "pg"
import { cpuOf } from "../bench/Cpu.ts"
import { embeddedPostgres } from "../../src/platform/sql/EmbeddedPostgres.ts"
import { freePort } from "../../test/support/FreePort.ts"
import type { Assault, Endings } from "./Attacker.ts"
import { attacks } from "./Attacks.ts"
import { type Experience, honest_users, type Order } from "./Honest.ts"

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "1" },
    only: { type: "string", default: "" }
  }
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const p99_ratio_max = 1.2
const memory_mb_max = 150
const invoices_each = 100
/** As many as one network of addresses has. */
const attackers_max = 254
const start_attempts_max = 600
const warm_up_seconds = 5
/** Until the connections of an attack are gone: the longest that one may wait for its headers, and a little. */
const recovery_ms_max = 15_000
const sample_ms = 100
/** The honest client measures when the attack is at its height. */
const approach_seconds = 1
const descriptors_needed = 11_000

const memoryOf = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

/** Nearly all of them are connections. */
const descriptorsOf = (pid: number | undefined) => readdirSync(`/proc/${pid}/fd`).length

const checkDescriptors = (pid: number | undefined) => {
  const limit = /Max open files\s+(\d+|unlimited)/.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.[1]
  if (Number(limit) >= descriptors_needed || limit === "unlimited") return
  console.log(`This machine allows a process ${limit} descriptors: 10,000 connections cannot be held open.`)
}

const percentile = (numbers: ReadonlyArray<number>, part: number) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * part)] ?? 0

const ask = async <Answer>(child: ChildProcess, order: Order | Assault): Promise<Answer> => {
  child.send(order)
  const [answer] = await once(child, "message")
  return answer as Answer
}

const startService = async (url: string, dataDir: string) => {
  const port = await freePort()
  const service = spawn(process.execPath, ["src/main.ts"], {
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      SECRET_KEY: Buffer.alloc(32, 7).toString("base64")
    },
    stdio: ["ignore", "ignore", "inherit"]
  })
  for (let attempt = 0; attempt < start_attempts_max; attempt++) {
    const answered = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined)
    if (answered?.ok === true) return { port, service }
    await sleep(100)
  }
  throw new Error("The service did not start.")
}

type Running = Awaited<ReturnType<typeof startService>>

/** Somebody whom no attack before has used up the rate limit of: a user with an organization, and an address. */
const attackers = (function* () {
  for (let number = 1; ; number++) {
    const organization = honest_users + number
    const invoice = (organization - 1) * invoices_each + 1
    yield { token: `pat_bench${organization}`, organization, invoice, address: `127.0.1.${number}` }
  }
})()

/** The organizations of the bench: those behind the honest ones are the attackers'. */
const seed = async (url: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const text = readFileSync(new URL("../bench/seed.sql", import.meta.url), "utf8")
  try {
    await client.query(
      text
        .replaceAll(":organizations", String(honest_users + attackers_max))
        .replaceAll(":invoices", String(invoices_each))
    )
  } finally {
    await client.end()
  }
}

interface Round {
  readonly quiet_ms: number
  readonly attacked_ms: number
  /** Milliseconds of CPU that the service took a second, without and with the attack. */
  readonly cpu: readonly [quiet: number, attacked: number]
  readonly failures: ReadonlyArray<string>
  readonly memory_mb: readonly [before: number, highest: number]
  /** The most that the service held, over those before. */
  readonly connections: number
  readonly endings: Endings
}

/** What the honest client experiences, and meanwhile the service's CPU and the most memory and descriptors it has. */
const observe = async (port: number, pid: number, honest: ChildProcess) => {
  let memory_mb = 0
  let descriptors = 0
  const sampling = setInterval(() => {
    memory_mb = Math.max(memory_mb, memoryOf(pid))
    descriptors = Math.max(descriptors, descriptorsOf(pid))
  }, sample_ms)
  const [cpu, started] = [cpuOf(pid), performance.now()]
  const { durations_ms, failures } = await ask<Experience>(honest, { port, seconds })
  clearInterval(sampling)
  const elapsed_seconds = (performance.now() - started) / 1000
  const spent = (cpuOf(pid) - cpu) / elapsed_seconds
  return { p99_ms: percentile(durations_ms, 0.99), failures, memory_mb, descriptors, cpu: spent }
}

const recovered = async (pid: number | undefined, quiet: number) => {
  const latest = performance.now() + recovery_ms_max
  while (descriptorsOf(pid) > quiet && performance.now() < latest) await sleep(sample_ms)
}

const attackOnce = async (name: string, { port, service }: Running, honest: ChildProcess): Promise<Round> => {
  const pid = service.pid ?? 0
  const quiet = await observe(port, pid, honest)
  const before = memoryOf(pid)
  const descriptors = descriptorsOf(pid)
  const attacker = fork(new URL("./Attacker.ts", import.meta.url))
  const { value: identity } = attackers.next()
  const assault = ask<Endings>(attacker, { name, port, ...identity, seconds: seconds + approach_seconds })
  await sleep(approach_seconds * 1000)
  const attacked = await observe(port, pid, honest)
  const endings = await assault
  if (service.exitCode !== null || service.signalCode !== null) throw new Error(`The service ended under: ${name}.`)
  await recovered(pid, descriptors)
  return {
    quiet_ms: quiet.p99_ms,
    attacked_ms: attacked.p99_ms,
    cpu: [quiet.cpu, attacked.cpu],
    failures: attacked.failures,
    memory_mb: [before, attacked.memory_mb],
    connections: attacked.descriptors - descriptors,
    endings
  }
}

const median = (numbers: ReadonlyArray<number>) => percentile(numbers, 0.5)

/** A row of the table, and whether both limits were kept. */
const judge = (name: string, all: ReadonlyArray<Round>) => {
  const typical = (figure: (round: Round) => number) => median(all.map(figure))
  const ratio = typical(({ attacked_ms, quiet_ms }) => attacked_ms / quiet_ms)
  const growth_mb = Math.max(...all.map(({ memory_mb: [before, highest] }) => highest - before))
  const failures = all.flatMap((round) => round.failures)
  const kept = ratio < p99_ratio_max && growth_mb < memory_mb_max && failures.length === 0
  const row = [
    name,
    `${typical(({ quiet_ms }) => quiet_ms).toFixed(1)} / ${typical(({ attacked_ms }) => attacked_ms).toFixed(1)}`,
    ratio.toFixed(2),
    `${typical(({ cpu }) => cpu[0]).toFixed(0)} / ${typical(({ cpu }) => cpu[1]).toFixed(0)}`,
    `${typical(({ memory_mb }) => memory_mb[0]).toFixed(0)} / ${typical(({ memory_mb }) => memory_mb[1]).toFixed(0)}`,
    Math.max(...all.map(({ connections }) => connections)).toFixed(0),
    failures.length === 0 ? "0" : `${failures.length} (${failures[0]})`,
    (all.at(-1)?.endings ?? []).map(([ending, times]) => `${ending} (${times})`).join(", "),
    kept ? "yes" : "**no**"
  ]
  return { kept, row: `| ${row.join(" | ")} |` }
}

const columns = [
  "attack",
  "honest p99 in ms, before / during",
  "ratio",
  "CPU of the service in ms/s",
  "its memory in MB",
  "attacking connections it held, at most",
  "honest requests failed",
  "what the attacker was answered, and how its connections ended",
  "limits kept"
]

const abuse = async (url: string, dataDir: string) => {
  const running = await startService(url, join(dataDir, "service"))
  const honest = fork(new URL("./Honest.ts", import.meta.url))
  try {
    await seed(url)
    checkDescriptors(running.service.pid)
    await ask<Experience>(honest, { port: running.port, seconds: warm_up_seconds })
    console.log(`| ${columns.join(" | ")} |\n|${"---|".repeat(columns.length)}`)
    for (const name of Object.keys(attacks)) {
      if (!name.includes(values.only)) continue
      const all: Array<Round> = []
      for (let round = 0; round < rounds; round++) all.push(await attackOnce(name, running, honest))
      const { kept, row } = judge(name, all)
      console.log(row)
      if (!kept) process.exitCode = 1
    }
    console.log(
      `\nLimits: p99 x ${p99_ratio_max}, ${memory_mb_max} MB. Load of the machine: ${loadavg()[0]?.toFixed(1)}`
    )
  } finally {
    honest.kill()
    running.service.kill("SIGTERM")
    await once(running.service, "exit")
  }
}

const dataDir = mkdtempSync(join(tmpdir(), "invoicing-abuse-"))
// For the account that PostgreSQL gets when this runs as root.
chmodSync(dataDir, 0o711)
await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const { database, host, password, port, username } = yield* embeddedPostgres({ dataDir })
      const url = `postgres://${username}:${Redacted.value(password)}@${host}:${port}/${database}`
      yield* Effect.promise(() => abuse(url, dataDir))
    })
  )
)
rmSync(dataDir, { recursive: true, force: true })
