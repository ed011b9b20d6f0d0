import { Effect, Redacted } from "effect"
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import { embeddedPostgres } from "../../src/platform/sql/embedded/EmbeddedPostgres.ts"

/** Starts a PostgreSQL for this run in a new folder; both are removed when the scope ends. */
export const ownDatabase = Effect.fnUntraced(function* (options: { readonly durable?: boolean } = {}) {
  const dataDir = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "invoicing-tool-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  // If this process runs as root, PostgreSQL runs under another account, which must be able to enter the folder.
  chmodSync(dataDir, 0o711)
  const connection = yield* embeddedPostgres({ dataDir, ...options })
  const { database, host, password, port, username } = connection
  const pidFile = join(dataDir, "postgres", "data", "postmaster.pid")
  return {
    connection,
    dataDir,
    url: `postgres://${username}:${Redacted.value(password)}@${host}:${port}/${database}`,
    pid: Number(readFileSync(pidFile, "utf8").split("\n", 1)[0])
  }
})

/** Connects to a database; a lost connection makes the next query fail, so that the tool can clean up. */
export const databaseClient = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url })
  client.on("error", () => undefined)
  await client.connect()
  return client
}
