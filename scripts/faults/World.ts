import { Effect, FileSystem } from "effect"
import { randomBytes } from "node:crypto"
import type { SqlClient } from "effect/sql"
import { join } from "node:path"
import { pgLayer } from "../../src/platform/sql/Database.ts"
import { type Service, startService } from "../../test/support/service/Service.ts"
import { freePort } from "../../test/support/counterparts/FreePort.ts"
import { administration } from "../Administration.ts"
import { type DatabaseServer, databaseServer } from "./Database.ts"
import { type MailServer, mailServer, silence_ms } from "./MailServer.ts"
import { type Storage, storage } from "./Storage.ts"
import { type WebhookSink, webhookSink } from "./WebhookSink.ts"

const connections_max = 2

/** Ways to run the service: as one process, as one for requests and one for background work, or as two for both. */
export const deployments = [["all"], ["api", "worker"], ["all", "second"]] as const
type Role = (typeof deployments)[number][number]

export interface World {
  readonly database: DatabaseServer
  readonly mail: MailServer
  readonly sink: WebhookSink
  readonly storage: Storage
  /** Address of the service, the same after each restart. */
  readonly url: string
  /** Addresses of all deployed processes that answer requests. */
  readonly urls: () => ReadonlyArray<string>
  /** Roles of the deployed processes, including killed ones. */
  readonly roles: () => ReadonlyArray<Role>
  /** Ends the processes of the service, and starts one process for each of these roles. */
  readonly deploy: (roles: ReadonlyArray<Role>) => Promise<void>
  readonly kill: (roles: ReadonlyArray<Role>) => Promise<void>
  readonly signal: (role: Role, signal: NodeJS.Signals) => void
  readonly start: (roles: ReadonlyArray<Role>) => Promise<void>
  readonly administer: ReturnType<typeof administration>
  readonly output: () => string
  readonly sql: <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) => Promise<A>
}

export const world = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped({ prefix: "invoicing-faults-" })
  // Other accounts may enter the folder, because PostgreSQL runs under its own account when this runs as root.
  yield* files.chmod(folder, 0o711)
  const database = yield* databaseServer(folder)
  const mail = yield* mailServer
  const sink = yield* webhookSink
  const kept = yield* storage(join(folder, "service"))
  const port = yield* Effect.promise(freePort)
  const other_port = yield* Effect.promise(freePort)
  const url = `http://127.0.0.1:${port}`
  const ADMIN_TOKEN = randomBytes(32).toString("hex")
  const variables = {
    ADMIN_TOKEN,
    DATA_DIR: kept.folder,
    NODE_ENV: "development",
    SMTP_URL: `smtp://127.0.0.1:${mail.port}?greetingTimeout=${silence_ms}&socketTimeout=${silence_ms}`,
    WEBHOOKS_ALLOW_HTTP: "true",
    WEBHOOKS_ALLOWED_TARGETS: sink.target,
    OCR_PROCESSES: "1",
    SANDBOX_NETWORK_DELAY_SECONDS: "0"
  }
  const outputs: Array<() => string> = []
  const processes = new Map<Role, Service>()
  const startOne = async (role: Role) => {
    const PORT = String(role === "worker" || role === "second" ? other_port : port)
    const ROLE = role === "second" ? "all" : role
    const started = await startService(database.connection, { ...variables, ROLE, PORT })
    processes.set(role, started)
    outputs.push(started.output)
    await started.listening
  }
  const endOne = async (role: Role, signal: NodeJS.Signals) => {
    processes.get(role)?.kill(signal)
    await processes.get(role)?.ended
  }
  const roles = () => Array.from(processes.keys())
  const start = async (some: ReadonlyArray<Role>) => void (await Promise.all(some.map(startOne)))
  const end = async (some: ReadonlyArray<Role>, signal: NodeJS.Signals) =>
    void (await Promise.all(some.map((role) => endOne(role, signal))))
  const deploy = async (wanted: ReadonlyArray<Role>) => {
    if (wanted.length === processes.size && wanted.every((role) => processes.has(role))) return
    await end(roles(), "SIGTERM")
    processes.clear()
    await start(wanted)
  }
  yield* Effect.addFinalizer(() => Effect.promise(() => end(roles(), "SIGKILL")))
  const run = Effect.runPromiseWith(yield* Effect.context())
  return {
    database,
    mail,
    sink,
    storage: kept,
    url,
    urls: () => (processes.has("second") ? [url, `http://127.0.0.1:${other_port}`] : [url]),
    roles,
    deploy,
    kill: (some) => end(some, "SIGKILL"),
    signal: (role, signal) => processes.get(role)?.kill(signal),
    start,
    administer: administration(url, { ADMIN_TOKEN }),
    output: () => outputs.map((output) => output()).join("\n"),
    sql: (effect) => run(Effect.provide(effect, pgLayer(database.connection, connections_max)))
  } satisfies World
})
