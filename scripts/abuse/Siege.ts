import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { cpuOf } from "../bench/parts/Cpu.ts"
import { memoryOf, type ServiceProcess } from "../support/ServiceProcess.ts"
import { childOfTool } from "../support/Tool.ts"
import type { Assault, Endings } from "./Attacker.ts"
import { type Experience, honest_users, type Order } from "./Honest.ts"
import { bankAccountOf, descriptorsOf, invoiceOf } from "./Target.ts"

/** Maximum number of attackers; each has its own network 127.<number>.0.0, user and organization. */
export const attackers_max = 254
/** Maximum time until the connections of an attack are closed: the service's timeout for headers plus a margin. */
const recovery_ms_max = 15_000
const sample_ms = 100
/** The honest client's measurement begins this long after the start of the attack. */
const approach_seconds = 1

/** The measurements of the honest client, and the CPU time, memory and file descriptors of the service at that time. */
export interface Observation extends Experience {
  readonly cpu_ms_per_second: number
  readonly memory_mb: number
  readonly descriptors: number
}

export interface Attacked extends Observation {
  readonly memory_before_mb: number
  readonly connections: number
  readonly endings: Endings
}

export const hear = async <Answer>(child: ChildProcess): Promise<Answer> => {
  const settled = new AbortController()
  const { signal } = settled
  const ended = once(child, "exit", { signal }).then(() => Promise.reject(new Error("A client ended early.")))
  try {
    const [answer] = await Promise.race([once(child, "message", { signal }), ended])
    return answer as Answer
  } finally {
    settled.abort()
  }
}

export const ask = <Answer>(child: ChildProcess, order: Order | Assault): Promise<Answer> => {
  child.send(order)
  return hear(child)
}

export const observe = async (
  { pid, port, process: service }: ServiceProcess,
  honest: ChildProcess,
  seconds: number
): Promise<Observation> => {
  let memory_mb = 0
  let descriptors = 0
  const sampling = setInterval(() => {
    if (hasEnded(service)) return
    memory_mb = Math.max(memory_mb, memoryOf(pid))
    descriptors = Math.max(descriptors, descriptorsOf(pid))
  }, sample_ms)
  const [cpu, started] = [cpuOf(pid), performance.now()]
  const experience = await ask<Experience>(honest, { port, seconds })
  clearInterval(sampling)
  const cpu_ms_per_second = (cpuOf(pid) - cpu) / ((performance.now() - started) / 1000)
  return { ...experience, cpu_ms_per_second, memory_mb, descriptors }
}

/** Provides each attack with another user, organization and network, so that no rate limit is used up already. */
const attackers = (function* () {
  for (let number = 1; ; number = (number % attackers_max) + 1) {
    const organization = honest_users + number
    const records = { invoice: invoiceOf(organization), bank_account: bankAccountOf(organization) }
    yield { token: `pat_bench${organization}`, organization, ...records, network: number }
  }
})()

const recovered = async (pid: number, quiet: number) => {
  const latest = performance.now() + recovery_ms_max
  while (descriptorsOf(pid) > quiet && performance.now() < latest) await sleep(sample_ms)
}

const underAttack = async (
  name: string,
  port: number,
  target: ServiceProcess,
  honest: ChildProcess,
  seconds: number
): Promise<readonly [Observation, Endings]> => {
  const attacker = childOfTool(fork(new URL("./Attacker.ts", import.meta.url)))
  const [endings, observed] = await Promise.all([
    ask<Endings>(attacker, { name, port, ...attackers.next().value, seconds }),
    sleep(approach_seconds * 1000).then(() => observe(target, honest, seconds - approach_seconds))
  ])
  if (hasEnded(target.process)) throw new Error(`The service ended under: ${name}.`)
  return [observed, endings]
}

export const attackOnce = async (
  name: string,
  target: ServiceProcess,
  honest: ChildProcess,
  seconds: number
): Promise<Attacked> => {
  const { pid, port } = target
  const memory_before_mb = memoryOf(pid)
  const descriptors = descriptorsOf(pid)
  const [observed, endings] = await underAttack(name, port, target, honest, seconds)
  await recovered(pid, descriptors)
  return { ...observed, memory_before_mb, connections: observed.descriptors - descriptors, endings }
}

/**
 * Attacks another server (`Decoy.ts`) while the honest client calls the service. This shows how much an attack slows
 * the client only because all processes share the machine.
 */
export const distractOnce = async (
  name: string,
  decoy: number,
  target: ServiceProcess,
  honest: ChildProcess,
  seconds: number
): Promise<Observation> => {
  const [observed] = await underAttack(name, decoy, target, honest, seconds)
  return observed
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null
