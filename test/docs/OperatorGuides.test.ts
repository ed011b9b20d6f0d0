import { layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseEnv } from "node:util"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { testDatabase } from "../support/database/Postgres.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { here, type Service, startService } from "../support/service/Service.ts"
import { canRun, folder, of_operators, runBlocks } from "./CodeBlocks.ts"

/** Creates an installation of the service: a copy of the repository, without data and settings. */
const installation = () => {
  const home = mkdtempSync(join(tmpdir(), "invoicing-operator-"))
  for (const name of readdirSync(".")) if (name !== "data") symlinkSync(resolve(name), join(home, name))
  return home
}
const guide = (name: string) => join(folder, `${name}.md`)
const postgres = inject("postgres")
const psql = { PGHOST: postgres.host, PGPORT: String(postgres.direct_port), PGUSER: postgres.username }

it("configuration lists the settings that the service reads, and no other", () => {
  const read = readFileSync("src/platform/config/AppConfig.ts", "utf8").matchAll(/"([A-Z]+(?:_[A-Z]+)*)"/g)
  const firstCells = readFileSync(guide("configuration"), "utf8").matchAll(/^\|([^|]*)\|/gm)
  const listed = [...firstCells].flatMap(([, cell = ""]) => [...cell.matchAll(/`([A-Z_]+)`/g)])
  const names = listed.flatMap(([, name = ""]) => (name.startsWith("OTEL_") ? [] : [name]))
  expect(new Set(names)).toEqual(new Set([...read].map(([, name]) => name)))
})

describe.skipIf(!canRun)("an installation with the embedded PostgreSQL", () => {
  const home = installation()
  let running: Service
  const start = async () => {
    const defaults = { DATABASE_URL: undefined, SEED_DEMO: undefined, SECRET_KEY: undefined, SIGNING_KEY: undefined }
    const variables = { ...defaults, NODE_ENV: "development", DATA_DIR: join(home, "data") }
    const unused = { ...postgres, database: "", password: Redacted.make("") }
    running = await startService(
      unused,
      running === undefined ? variables : { ...variables, PORT: new URL(running.url).port }
    )
    await running.listening
  }
  const stop = async () => {
    running.kill("SIGTERM")
    return running.ended
  }
  /** An HTTP server that stops the service at each request, for the code blocks of guides that stop the service. */
  const stopper = createServer((_request, response) => void stop().then(() => response.end()))
  let environment: Record<string, string>

  beforeAll(async () => {
    await start()
    await once(stopper.listen(0, "127.0.0.1"), "listening")
    const { port } = stopper.address() as AddressInfo
    writeFileSync(join(home, "stop"), `#!/bin/sh\nexec curl --silent http://127.0.0.1:${port}\n`, { mode: 0o755 })
    environment = { ...psql, PGPASSWORD: postgres.password, PGDATABASE: "postgres", STOP: join(home, "stop") }
  })
  afterAll(async () => {
    stopper.close()
    if (running.running()) await stop()
    rmSync(home, { recursive: true, force: true })
  })
  const run = (file: string) => runBlocks(file, home, environment, running.url)

  it("does what the README says", async () => {
    expect(await run("README.md")).toContain('"total":344.85,')
  })

  it.each(of_operators.filter((name) => name !== "going-live" && name !== "backup-and-upgrade"))(
    "does what %s says",
    async (name) => {
      await run(guide(name))
    }
  )

  it("is backed up and restored as the guide says, and the copy starts with the same records", async () => {
    const demo = JSON.parse(readFileSync(join(home, "data/demo.json"), "utf8"))
    const headers = { authorization: `Bearer ${demo.users[0].token}`, "x-organization-id": "1" }
    const invoices = async () => (await fetch(`${running.url}/api/v1/invoices`, { headers })).text()
    const before = await invoices()
    await run(guide("backup-and-upgrade"))
    await start()
    expect(before).toContain('"number":"INV-')
    expect(await invoices()).toBe(before)
  })
})

layer(testDatabase, { excludeTestServices: true })("an installation in production", (it) => {
  it.effect.skipIf(!canRun)("starts with the settings of going-live and prints the link that opens it", () =>
    Effect.gen(function* () {
      const connection = yield* here
      yield* Effect.promise(async () => {
        const home = installation()
        const { database, host, password, port, username } = connection
        const DATABASE_URL = `postgres://${username}:${Redacted.value(password)}@${host}:${port}/${database}`
        await runBlocks(guide("going-live"), home, { DATABASE_URL })
        const settings = parseEnv(readFileSync(join(home, ".env"), "utf8"))
        const service = await startService(connection, settings)
        await service.listening
        const link = /https:\/\/invoices\.example\.com\/\S+/
        await until("the link", () => link.exec(service.output())?.[0])
        service.kill("SIGTERM")
        expect(await service.ended).toBe(0)
        rmSync(home, { recursive: true })
      })
    })
  )
})
