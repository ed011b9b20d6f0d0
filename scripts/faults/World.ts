import { Effect, FileSystem } from "effect"
import type { SqlClient } from "effect/sql"
import { join } from "node:path"
import { pgLayer } from "../../src/platform/sql/Database.ts"
import { type Service, startService } from "../../test/support/Service.ts"
import { freePort } from "../../test/support/FreePort.ts"
import { type DatabaseServer, databaseServer } from "./Database.ts"
import { type MailServer, mailServer, silence_ms } from "./MailServer.ts"
import { type Storage, storage } from "./Storage.ts"
import { type WebhookSink, webhookSink } from "./WebhookSink.ts"

const connections_max = 2

/** Everything that can fail, as real processes and real files, and nothing outside of it. */
export interface World {
  readonly database: DatabaseServer
  readonly mail: MailServer
  readonly sink: WebhookSink
  readonly storage: Storage
  /** Where clients find it, the same after each restart. */
  readonly url: string
  readonly killService: () => Promise<void>
  readonly startService: () => Promise<void>
  /** Everything that the service has printed. */
  readonly output: () => string
  readonly sql: <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) => Promise<A>
}

/** The service with its database, mail server, storage and a receiver of webhooks; gone with the scope. */
export const world = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped({ prefix: "invoicing-faults-" })
  // For the account that PostgreSQL gets when this runs as root.
  yield* files.chmod(folder, 0o711)
  const database = yield* databaseServer(folder)
  const mail = yield* mailServer
  const sink = yield* webhookSink
  const kept = yield* storage(join(folder, "service"))
  const port = yield* Effect.promise(freePort)
  const variables = {
    PORT: String(port),
    DATA_DIR: kept.folder,
    NODE_ENV: "development",
    SMTP_URL: `smtp://127.0.0.1:${mail.port}?greetingTimeout=${silence_ms}&socketTimeout=${silence_ms}`,
    WEBHOOKS_ALLOW_HTTP: "true",
    WEBHOOKS_ALLOWED_TARGETS: sink.target,
    OCR_PROCESSES: "1"
  }
  const outputs: Array<() => string> = []
  let running: Service | undefined
  const start = async () => {
    running = await startService(database.connection, variables)
    outputs.push(running.output)
    await running.listening
  }
  const end = async (signal: NodeJS.Signals) => {
    running?.kill(signal)
    await running?.ended
  }
  yield* Effect.addFinalizer(() => Effect.promise(() => end("SIGKILL")))
  yield* Effect.promise(start)
  const run = Effect.runPromiseWith(yield* Effect.context())
  return {
    database,
    mail,
    sink,
    storage: kept,
    url: `http://127.0.0.1:${port}`,
    killService: () => end("SIGKILL"),
    startService: start,
    output: () => outputs.map((output) => output()).join("\n"),
    sql: (effect) => run(Effect.provide(effect, pgLayer(database.connection, connections_max)))
  } satisfies World
})
