import { setTimeout as sleep } from "node:timers/promises"
import { type SeededOrganization, seedOrganization } from "../../test/support/database/Seed.ts"
import { Random } from "../support/Random.ts"
import { apiAudit } from "./audits/ApiAudit.ts"
import { booksAudit, promisesAudit } from "./audits/BooksAudit.ts"
import { Client, GaveUp } from "./Client.ts"
import { connect, type Connections, orderProof } from "./Connections.ts"
import { type FaultKind, faultOf } from "./Faults.ts"
import { Ledger } from "./audits/Ledger.ts"
import { settled, timePasses } from "./audits/Settling.ts"
import { Stories } from "./Stories.ts"
import { deployments, type World } from "./World.ts"

const organizations = 3
const clients_per_organization = 2
/** Maximum duration in milliseconds of the load before the fault, and of the load after its repair. */
const calm_ms_max = 1_200
const outage_ms_max = 1_000
const time_passes_interval_ms = 3_000
const findings_per_round_max = 20

export interface RoundResult {
  readonly fault: string
  readonly processes: number
  readonly requests: number
  readonly retries: number
  readonly writes: number
  readonly seconds: number
  readonly findings: ReadonlyArray<string>
}

/** Runs clients of several organizations with one fault, and then checks that everything acknowledged still exists. */
export const runRound = async (world: World, kind: FaultKind, seed: number): Promise<RoundResult | undefined> => {
  const random = new Random(seed)
  // A process is stopped only if another one runs, because nothing would happen while the only process is stopped.
  await world.deploy(random.pick(deployments.filter(({ length }) => kind !== "stop" || length > 1)))
  const fault = faultOf(world, kind, random)
  if (fault === undefined) return undefined
  const started = performance.now()
  const books = await Promise.all(Array.from({ length: organizations }, (_, index) => open(world, index === 0)))
  const [before, outage, after] = [calm_ms_max, outage_ms_max, calm_ms_max].map((max) => random.whole(100, max))

  let goesOn = true
  const load = Promise.all(
    books.flatMap(({ client, connections }, organization) =>
      Array.from({ length: clients_per_organization }, (_, number) => {
        const name = `r${seed}o${organization}c${number}`
        const stories = new Stories(client, new Random(random.bits()), name, connections)
        return stories.tell(() => goesOn).catch(isGivingUp)
      })
    )
  )
  await sleep(before)
  await fault.strike()
  await sleep(outage)
  await fault.repair()
  const clock = setInterval(() => void world.sql(timePasses()).catch(() => undefined), time_passes_interval_ms)
  await sleep(after)
  goesOn = false
  await load
  clearInterval(clock)

  const open_work = await settled(world)
  for (const { connections } of books) {
    if (connections !== undefined) await world.sql(orderProof(connections.organization_id))
  }
  const findings = [...open_work, ...(await settled(world)), ...(await audit(world, books))]
  const total = (count: (ledger: Ledger) => number) => books.reduce((sum, { client }) => sum + count(client.ledger), 0)
  return {
    fault: fault.name,
    processes: world.roles().length,
    requests: total(({ requests }) => requests),
    retries: total(({ retries }) => retries),
    writes: total(({ writes }) => writes),
    seconds: (performance.now() - started) / 1000,
    findings: [...new Set(findings)].slice(0, findings_per_round_max)
  }
}

/**
 * Ignores the error of a client that gave up, because the client has already reported a finding. Throws any other
 * error.
 */
const isGivingUp = (error: unknown) => {
  if (!(error instanceof GaveUp)) throw error
}

interface Books {
  readonly client: Client
  readonly connections: Connections | undefined
}

/** A connected organization also has an archive, a bank account and a registration on an e-invoicing network. */
const open = async (world: World, connected: boolean): Promise<Books> => {
  const plan = connected ? "business" : "standard"
  const { id, owner }: SeededOrganization = await world.sql(seedOrganization({ plan }))
  const client = new Client(world.urls, id, owner.token, new Ledger())
  await client.post("/webhooks", { url: `http://${world.sink.target}/${id}`, events: ["*"] })
  return { client, connections: connected ? await connect(world, client, id) : undefined }
}

const audit = async (world: World, books: ReadonlyArray<Books>) => {
  const findings: Array<string> = []
  for (const { client, connections } of books) {
    findings.push(...(await apiAudit(client, connections !== undefined).catch((error: unknown) => [String(error)])))
    findings.push(...(await promisesAudit(world, client.ledger)))
    findings.push(...client.ledger.findings)
  }
  return [...findings, ...(await booksAudit(world))]
}
