import { setTimeout as sleep } from "node:timers/promises"
import { type SeededOrganization, seedOrganization } from "../../test/support/Seed.ts"
import { Random } from "../Random.ts"
import { apiAudit } from "./ApiAudit.ts"
import { booksAudit, promisesAudit } from "./BooksAudit.ts"
import { Client, GaveUp } from "./Client.ts"
import { type FaultKind, faultOf } from "./Faults.ts"
import { Ledger } from "./Ledger.ts"
import { settled, timePasses } from "./Settling.ts"
import { Stories } from "./Stories.ts"
import { deployments, type World } from "./World.ts"

const organizations = 3
const clients_per_organization = 2
/** Load before and after the fault. */
const calm_ms_max = 1_200
const outage_ms_max = 1_000
const time_passes_interval_ms = 3_000
const findings_per_round_max = 20

export interface RoundResult {
  readonly fault: string
  /** Of the service. */
  readonly processes: number
  readonly requests: number
  readonly retries: number
  readonly writes: number
  readonly seconds: number
  readonly findings: ReadonlyArray<string>
}

/** Some organizations' day with one fault at a random moment; then everything that was promised is asked for. */
export const runRound = async (world: World, kind: FaultKind, seed: number): Promise<RoundResult | undefined> => {
  const random = new Random(seed)
  await world.deploy(random.pick(deployments))
  const fault = faultOf(world, kind, random)
  if (fault === undefined) return undefined
  const started = performance.now()
  const books = await Promise.all(Array.from({ length: organizations }, () => open(world)))
  const [before, outage, after] = [calm_ms_max, outage_ms_max, calm_ms_max].map((max) => random.whole(100, max))

  let goesOn = true
  const load = Promise.all(
    books.flatMap((client, organization) =>
      Array.from({ length: clients_per_organization }, (_, number) => {
        const name = `r${seed}o${organization}c${number}`
        return new Stories(client, new Random(random.bits()), name).tell(() => goesOn).catch(isGivingUp)
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
  const findings = [...open_work, ...(await audit(world, books))]
  const total = (count: (ledger: Ledger) => number) => books.reduce((sum, { ledger }) => sum + count(ledger), 0)
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

/** What the client has found itself is in its ledger. */
const isGivingUp = (error: unknown) => {
  if (!(error instanceof GaveUp)) throw error
}

/** An organization that is told everything. */
const open = async (world: World): Promise<Client> => {
  const { id, owner }: SeededOrganization = await world.sql(seedOrganization({}))
  const client = new Client(world.url, id, owner.token, new Ledger())
  await client.post("/webhooks", { url: `http://${world.sink.target}/${id}`, events: ["*"] })
  return client
}

const audit = async (world: World, books: ReadonlyArray<Client>) => {
  const findings: Array<string> = []
  for (const client of books) {
    findings.push(...(await apiAudit(client).catch((error: unknown) => [String(error)])))
    findings.push(...(await promisesAudit(world, client.ledger)))
    findings.push(...client.ledger.findings)
  }
  return [...findings, ...(await booksAudit(world))]
}
