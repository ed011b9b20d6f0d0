import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, inject, it } from "vitest"
import { BeforeDatabase } from "../../src/Machine.ts"
import { AppConfig } from "../../src/platform/config/AppConfig.ts"
import { FreePort } from "../../src/platform/http/server/FreePort.ts"
import { freePort } from "../support/counterparts/FreePort.ts"
import { probe } from "../support/service/Process.ts"
import { serviceCommand, startService } from "../support/service/Service.ts"

/** Settings with a reachable database server but without the database, so a start cannot write anything. */
const missing = () => {
  const server = inject("postgres")
  return { ...server, database: "missing", password: Redacted.make(server.password) }
}

const refusalOf = async (variables: Record<string, string>) => {
  const { ended, listening, output } = await startService(missing(), variables)
  const started = await listening.then(
    () => true,
    () => false
  )
  return { code: await ended, started, lines: output().split("\n") }
}

describe("a start that cannot succeed ends with one sentence and code 1", () => {
  it.each([
    ["a number that is none", { PORT: "abc" }, "PORT is invalid: must be a whole number in digits."],
    [
      "an object store without credentials, before the database is contacted",
      {
        STORAGE_URL: "s3://invoices?endpoint=https://s3.example.com&region=eu",
        DATABASE_URL: "postgres://a:b@127.0.0.1:1/x"
      },
      "STORAGE_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
    ],
    [
      "a worker without its database server",
      { ROLE: "worker", DATABASE_URL: "postgres://a:b@127.0.0.1:1/x" },
      "The database x on 127.0.0.1:1"
    ]
  ])(
    "%s",
    async (_name, variables, sentence) => {
      const { code, lines, started } = await refusalOf(variables)
      expect([code, started, lines.length]).toEqual([1, false, 1])
      expect(lines[0]).toContain(`Not started. ${sentence}`)
      expect(lines[0]).not.toContain(inject("postgres").password)
    },
    200_000
  )
})

it("a start with a wrong setting does not load the program, which takes long on a busy machine", () => {
  const hooks = `import { registerHooks } from "node:module"
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) })`
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(hooks)}`, "src/main.ts"],
    { env: { PORT: "abc" }, encoding: "utf8" }
  )
  expect([status, stderr]).toEqual([1, "Not started. PORT is invalid: must be a whole number in digits.\n"])
  expect(stdout).toContain("/src/platform/config/AppConfig.ts")
  expect(stdout).not.toContain("/src/Server.ts")
}, 200_000)

it("a start on a port that another program uses ends with one sentence, before the database is contacted", async () => {
  const other = createServer((socket) => socket.destroy())
  const port = await freePort()
  other.listen(port, "127.0.0.1")
  await once(other, "listening")
  const { code, lines, started } = await refusalOf({ PORT: String(port) })
  other.close()
  expect([code, started, lines.length]).toEqual([1, false, 1])
  expect(lines[0]).toContain(`Not started. PORT ${port} on HOST 127.0.0.1 cannot be used: listen EADDRINUSE`)
}, 200_000)

const refusalWithoutDatabase = <A, E extends { readonly message: string }>(
  checks: Layer.Layer<A, E, AppConfig | NodeServices.NodeServices>,
  variables: Record<string, string>
) =>
  Layer.build(checks.pipe(Layer.provide(AppConfig.layer), Layer.provide(NodeServices.layer))).pipe(
    Effect.scoped,
    Effect.flip,
    Effect.map(({ message }) => message),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(variables)),
    Effect.runPromise
  )

it.each([
  [
    "allowed targets in production",
    { NODE_ENV: "production", WEBHOOKS_ALLOWED_TARGETS: "127.0.0.1:80" },
    "WEBHOOKS_ALLOWED_TARGETS must not be set in production."
  ],
  [
    "certificates of Peppol that cannot be read",
    { PEPPOL_TRUSTED_CERTIFICATES: "/nope.pem" },
    "PEPPOL_TRUSTED_CERTIFICATES is invalid: /nope.pem cannot be read."
  ]
])("the checks before the database refuse %s", async (_name, variables, message) => {
  expect(await refusalWithoutDatabase(BeforeDatabase, variables)).toContain(message)
})

it("the check of the ports refuses metrics on the port of the requests, and names both", async () => {
  const port = String(await freePort())
  const message = await refusalWithoutDatabase(FreePort, { PORT: port, METRICS_PORT: port })
  expect(message).toBe(`METRICS_PORT must differ from PORT, but both are ${port}.`)
})

it.each([
  ["a start", serviceCommand],
  ["npm", ["npm", "start", "--silent"]]
])(
  "%s that is told to stop while the service waits for the database ends clean, with the service",
  async (_name, command) => {
    const silent = createServer()
    const port = await freePort()
    silent.listen(port, "127.0.0.1")
    const connected = once(silent, "connection")
    const service = await startService({ ...missing(), port }, {}, command)
    const listening = service.listening.catch(() => "never")
    await connected
    service.kill("SIGTERM")
    // A service that did not stop would keep the output open, and report that it cannot reach the database. npm ends
    // with the code or the signal of the service.
    expect([0, 143, "SIGTERM"]).toContain(await service.ended)
    expect([service.output(), await listening]).toEqual(["", "never"])
    silent.close()
  },
  200_000
)

/** Runs the service on the embedded database until it listens, calls `ask`, and returns the printed output. */
const runEmbedded = async (DATA_DIR: string, NODE_ENV: string, ask: (url: string) => Promise<unknown>) => {
  const variables = { DATA_DIR, NODE_ENV, DATABASE_URL: undefined, SEED_DEMO: undefined, SECRET_KEY: undefined }
  const service = await startService(missing(), variables)
  await service.listening
  const answer = await ask(service.url)
  service.kill("SIGTERM")
  expect(await service.ended).toBe(0)
  return { answer, output: service.output() }
}

const secretsIn = (value: unknown, key = ""): ReadonlyArray<string> => {
  if (typeof value === "string") return /token|password|secret/.test(key) ? [value] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => secretsIn(part, name))
}

const administration = (token: string) => async (url: string) => {
  const answer = await fetch(`${url}/rpc/admin`, { method: "POST", headers: { authorization: `Bearer ${token}` } })
  return answer.status
}

describe("a start without DATABASE_URL", () => {
  it("seeds nothing in production; in development it prints no secret where there is no terminal", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "invoicing-start-"))
    const file = join(dataDir, "demo.json")
    const production = await runEmbedded(dataDir, "production", administration("unknown"))
    expect(production.answer).toBe(404)
    expect(existsSync(file)).toBe(false)
    expect(production.output).toMatch(/Invoicing is ready on http:\S+, its reference on \S+$/m)
    expect(production.output).not.toMatch(/\b(?:pat|org|adm|demo)_|password|TOKEN=/)

    // The demo is added only to a database without organizations. This start adds it, so the start in production has
    // not created an organization.
    const development = await runEmbedded(dataDir, "development", (url) => probe(`${url}/docs`))
    const secrets = secretsIn(JSON.parse(readFileSync(file, "utf8")))
    expect(secrets.length).toBeGreaterThan(5)
    for (const secret of secrets) expect(development.output).not.toContain(secret)
    expect(development.output).toContain(`Credentials    ${file}`)
    expect(statSync(file).mode & 0o777).toBe(0o600)

    // The admin token of an existing demo is not valid after a production start.
    const [, token = ""] = /"admin_token": "([^"]+)"/.exec(readFileSync(file, "utf8")) ?? []
    const next = await runEmbedded(dataDir, "production", administration(token))
    expect(next.answer).toBe(404)
    for (const secret of secrets) expect(next.output).not.toContain(secret)
    rmSync(dataDir, { recursive: true })
  }, 300_000)
})
