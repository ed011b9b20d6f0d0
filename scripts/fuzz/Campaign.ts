import { performance } from "node:perf_hooks"
import { operations } from "../../test/contract/document/OpenApi.ts"
import { Harvest } from "./Harvest.ts"
import { requestAt } from "./Requests.ts"
import { type Caller, send, senderTo } from "./Sender.ts"

/** A running service, its callers, and the records that are known before the first request. */
export interface World {
  readonly base: string
  /** The first caller is the owner of the organization that is fuzzed. */
  readonly callers: readonly [Caller, ...ReadonlyArray<Caller>]
  /** Known records by collection, including `clients`, `people` and `receivers`, which no list of the API contains. */
  readonly facts: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>>
  readonly isAlive: () => boolean
}

interface Plan {
  readonly seed: number
  /** Indexes of the requests to send; index and seed together determine a request. */
  readonly indexes: Iterable<number>
  readonly parallel: number
  /** Ends the campaign early; requests sent until then are reported. */
  readonly signal?: AbortSignal
}

interface Finding {
  readonly count: number
  /** The first request with this finding: the options that repeat it, its text, and its answer. */
  readonly first: string
}

export interface Report {
  readonly seconds: number
  /** Number of answers by operation and status, such as `invoices.create 201`. */
  readonly statuses: ReadonlyMap<string, number>
  readonly findings: ReadonlyMap<string, Finding>
  /** Operations that should be able to succeed but never did, each with its latest answer. */
  readonly unreached: ReadonlyMap<string, string>
}

const name_max = 200
const refusal_max = 200

/** Reads the lists of the API, so that the first requests contain ids of records that exist. */
const harvestOf = async ({ base, callers, facts }: World) => {
  const harvest = new Harvest()
  for (const [collection, known] of Object.entries(facts)) for (const fact of known) harvest.add(collection, fact)
  for (const caller of callers) {
    if (caller.token === undefined || caller.organization === undefined) continue
    const headers = { authorization: `Bearer ${caller.token}`, "x-organization-id": String(caller.organization) }
    for (const { method, path } of operations) {
      const address = path.replace("/organizations/{id}/", `/organizations/${caller.organization}/`)
      if (method !== "GET" || address.includes("{") || !address.startsWith("/api/v1/")) continue
      const answer = await fetch(base + address, { headers })
      if (!answer.ok) continue
      const body = (await answer.json()) as { readonly data?: unknown }
      harvest.read(address, body.data, caller.foreign)
    }
  }
  return harvest
}

export const campaign = async (world: World, { indexes, parallel, seed, signal }: Plan): Promise<Report> => {
  const harvest = await harvestOf(world)
  const pool = senderTo(world.base, parallel)
  const statuses = new Map<string, number>()
  const refusals = new Map<string, string>()
  const findings = new Map<string, Finding>()
  const [owner] = world.callers

  const fuzz = async (index: number) => {
    const fuzzed = requestAt(seed, index)
    const caller =
      typeof fuzzed.caller === "number"
        ? (world.callers[fuzzed.caller % world.callers.length] ?? owner)
        : { token: String(harvest.fill(fuzzed.caller)), organization: undefined, foreign: false }
    const { finding, sent, status, text } = await send(pool, fuzzed, caller, harvest)
    const key = `${fuzzed.operation} ${status}`
    statuses.set(key, (statuses.get(key) ?? 0) + 1)
    refusals.set(fuzzed.operation, `${status} ${text}`.slice(0, refusal_max))
    if (finding === undefined) return
    const name = `${fuzzed.operation} ${status} ${finding}`.slice(0, name_max)
    const known = findings.get(name)
    const first = known?.first ?? `--seed ${seed} --only ${index}\n${JSON.stringify(sent, undefined, 2)}\n${text}`
    findings.set(name, { count: (known?.count ?? 0) + 1, first })
  }

  const started = performance.now()
  const queue = indexes[Symbol.iterator]()
  const goesOn = () => world.isAlive() && signal?.aborted !== true
  const work = async () => {
    for (let next = queue.next(); next.done !== true && goesOn(); next = queue.next()) await fuzz(next.value)
  }
  await Promise.all(Array.from({ length: parallel }, work))
  await pool.close()
  if (!world.isAlive()) findings.set("the service ended", { count: 1, first: "See its log." })
  return {
    seconds: (performance.now() - started) / 1_000,
    statuses,
    findings,
    unreached: new Map(unreached(statuses).map((id) => [id, refusals.get(id) ?? "never asked"]))
  }
}

const unreached = (statuses: ReadonlyMap<string, number>) => {
  const reached = new Set([...statuses.keys()].filter((key) => / [23]\d\d$/.test(key)).map((key) => key.split(" ")[0]))
  return operations
    .filter(({ responses }) => !("501" in responses))
    .map(({ operationId }) => operationId)
    .filter((id) => !reached.has(id))
}
