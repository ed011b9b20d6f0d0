/**
 * `npm run fuzz -- --requests 100000 --seed 7` sends a service requests made from the OpenAPI document. It reports
 * failures, hangs, crashes, records of another organization and undeclared answers. `--only 4711` repeats one request;
 * if it depends on earlier ones, use `--requests 4712 --parallel 1`.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { freePort } from "../../test/support/counterparts/FreePort.ts"
import { registrationBody } from "../../test/support/counterparts/Network.ts"
import { answering, isRunning, outputOf } from "../../test/support/service/Process.ts"
import { administration } from "../Administration.ts"
import { campaign, type Report, type World } from "./Campaign.ts"
import { statement_iban } from "./hostile/HostileStatements.ts"

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "5000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    parallel: { type: "string", default: "8" },
    only: { type: "string" }
  }
})
const seed = Number(values.seed)
const findings_shown_max = 20

const dataDir = mkdtempSync(join(tmpdir(), "invoicing-fuzz-"))
chmodSync(dataDir, 0o711)
const port = await freePort()
const base = `http://127.0.0.1:${port}`

const receiver = createServer((request, response) => request.resume().on("end", () => response.writeHead(204).end()))
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
const target = `127.0.0.1:${(receiver.address() as AddressInfo).port}`

const service = spawn(process.execPath, ["src/main.ts"], {
  env: {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_MINUTE: "1000000000",
    WEBHOOKS_ALLOW_HTTP: "true",
    WEBHOOKS_ALLOWED_TARGETS: target
  },
  stdio: ["ignore", "pipe", "pipe"]
})
const output = outputOf(service)
const isAlive = () => isRunning(service)

interface Demo {
  readonly users: ReadonlyArray<{
    readonly token: string
    readonly email: string
    readonly password: string
    readonly organization_id: number
    readonly role: string
  }>
  readonly organizations: ReadonlyArray<{ readonly id: number; readonly token: string }>
}

const ready = async (): Promise<Demo> => {
  await answering(service, `${base}/health/ready`, output)
  return JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"))
}

const administer = administration(base, { DATA_DIR: dataDir })

/** Registers the OAuth client with which users log in. Requests may revoke the tokens of these logins. */
const registeredClient = async () => {
  const redirect_uri = "https://client.example.com/callback"
  const draft = ["--name", "Fuzz", "--first-party", "--password-grant", "--redirect-uri", redirect_uri]
  const { client } = await administer("client", "create", ...draft)
  return { id: client.id, redirect_uri }
}

const french = { country_code: "FR", identifier_scheme: "FR:SIRET", identifier_value: "73282932000074" }

/** Approves the organization's registration, because otherwise it can submit nothing. */
const enroll = async (organization: number, token: string) => {
  const response = await fetch(`${base}/api/v1/einvoicing/register`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "x-organization-id": String(organization)
    },
    body: JSON.stringify(registrationBody(organization, french))
  })
  const { id } = JSON.parse(await response.text()).data
  const ids = ["--organization", String(organization), "--registration", String(id)]
  await administer("registration", "approve", ...ids)
}

const openBankAccount = (organization: number) => {
  const draft = ["--name", "Fuzz", "--iban", statement_iban, "--currency", "EUR"]
  return administer("bank-account", "create", "--organization", String(organization), ...draft)
}

const worldOf = async ({ organizations, users }: Demo): Promise<World> => {
  const [own, other] = organizations
  const owner = users.find((user) => user.organization_id === own?.id && user.role === "owner")
  const stranger = users.find((user) => user.organization_id === other?.id && user.role === "owner")
  const viewer = users.find((user) => user.organization_id === own?.id && user.role === "viewer")
  if (own !== undefined && owner !== undefined) {
    await enroll(own.id, owner.token)
    await openBankAccount(own.id)
  }
  return {
    base,
    callers: [
      { token: owner?.token, organization: own?.id, foreign: false },
      { token: stranger?.token, organization: other?.id, foreign: true },
      { token: own?.token, organization: undefined, foreign: false },
      { token: owner?.token, organization: other?.id, foreign: true },
      { token: viewer?.token, organization: own?.id, foreign: false },
      { token: undefined, organization: own?.id, foreign: false }
    ],
    facts: {
      clients: [await registeredClient()],
      people: [{ email: viewer?.email, password: viewer?.password }],
      receivers: [{ url: `http://${target}/hook` }]
    },
    isAlive
  }
}

/** Ctrl-C ends the campaign and reports its findings. */
const stop = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort())

const print = ({ findings, seconds, statuses, unreached }: Report) => {
  const classes = Object.groupBy([...statuses], ([key]) => key.replace(/.* (\d).*/, "$1xx"))
  for (const [name, entries = []] of Object.entries(classes)) {
    console.log(`${name}: ${entries.reduce((sum, [, count]) => sum + count, 0)}`)
  }
  for (const [id, refusal] of unreached) console.log(`never succeeded: ${id} ${refusal}`)
  for (const [name, { count, first }] of [...findings].slice(0, findings_shown_max)) {
    console.log(`\n${count} x ${name}\n${first}`)
  }
  const sent = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  const rate = `${(sent / seconds).toFixed(0)}/s, load ${loadavg()[0]?.toFixed(1)}`
  console.log(`\nseed ${seed}: ${sent} requests in ${seconds.toFixed(0)} s (${rate}), ${findings.size} findings`)
}

try {
  const world = await worldOf(await ready())
  const indexes =
    values.only === undefined ? Array.from({ length: Number(values.requests) }).keys() : [Number(values.only)]
  const report = await campaign(world, { seed, indexes, parallel: Number(values.parallel), signal: stop.signal })
  print(report)
  if (report.findings.size > 0) {
    const kept = join(tmpdir(), `invoicing-fuzz-${seed}.log`)
    writeFileSync(kept, output())
    console.log(`log of the service: ${kept}`)
  }
  process.exitCode = report.findings.size === 0 ? 0 : 1
} finally {
  if (isAlive()) {
    service.kill("SIGTERM")
    await once(service, "exit")
  }
  receiver.closeAllConnections()
  receiver.close()
  rmSync(dataDir, { recursive: true, force: true })
}
