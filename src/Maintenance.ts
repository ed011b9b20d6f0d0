import { Config, Console, Effect, Layer, Logger, Option } from "effect"
import manifest from "../package.json" with { type: "json" }
import { createBackup, requireOwnKeys, requireTables } from "./administration/backup/Backup.ts"
import { inspectBackup, lockDatabase, prepareDatabase, restoreBackup } from "./administration/backup/Restore.ts"
import { restoredCopiesRepo } from "./administration/backup/RestoredCopiesRepo.ts"
import { chooseRange } from "./administration/transfer/Ids.ts"
import { exportOrganization } from "./administration/transfer/OrganizationExport.ts"
import { importOrganization, inspectOrganization } from "./administration/transfer/OrganizationImport.ts"
import { ArchiveProof } from "./archive/ArchiveLayer.ts"
import { SalesBooks } from "./billing/BillingLayer.ts"
import { ExpenseBooks } from "./expenses/ExpensesLayer.ts"
import type { OrganizationId } from "./kernel/Ids.ts"
import { Machine } from "./Machine.ts"
import type { Lock, Unlock } from "./platform/backup/BackupFile.ts"
import { TransferRefused } from "./platform/backup/TransferRefused.ts"
import { AppConfig } from "./platform/config/AppConfig.ts"
import { type Connection, pgLayer } from "./platform/sql/Database.ts"
import { databaseConnection, databaseName } from "./platform/sql/DatabaseLive.ts"

const connections = 4

/** Logs are written to standard error, because other programs read the summary of a command on standard output. */
const LogToStderr = Layer.succeed(Logger.LogToStderr, true)

/** The services that backups, restores and moves of organizations use, on the database of this installation. */
const installation = (connection: Connection) =>
  ArchiveProof.pipe(
    Layer.provide([SalesBooks, ExpenseBooks]),
    Layer.provideMerge(Machine),
    Layer.provideMerge(pgLayer(connection, connections))
  )

/** The connection to the database of this installation, whether the service runs or not. */
const installed = Effect.gen(function* () {
  const connection = yield* databaseConnection({ attach: true, tell: Console.error })
  yield* requireTables(connection)
  return connection
})

/**
 * Refuses the settings of docker compose outside its containers: its `.env` file has the keys of the service, but no
 * DATABASE_URL, so a command would use the embedded database, such as a demo, and report success.
 */
const requireDatabase = Effect.gen(function* () {
  const { databaseUrl } = yield* AppConfig
  const password = yield* Config.option(Config.String("POSTGRES_PASSWORD"))
  if (Option.isSome(databaseUrl) || Option.isNone(password)) return
  return yield* TransferRefused.of(
    "POSTGRES_PASSWORD is set, but DATABASE_URL is not. With docker compose, run the command in the container of the " +
      "worker: docker compose exec worker npm run --silent admin -- ..."
  )
})

/**
 * Reads the settings of the environment, and releases what a command acquired when the command ends. The summary of the
 * command names the database, so that nobody takes it for another one.
 */
const standalone = <A extends object, E, R>(command: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    yield* requireDatabase
    return { database: yield* databaseName, ...(yield* command) }
  }).pipe(Effect.scoped, Effect.provide([AppConfig.layer, LogToStderr]))

/** Backs up the installation that the environment variables describe, whether the service runs or not. */
export const backup = Effect.fn("Maintenance.backup")(function* (file: string, lock: Lock) {
  yield* requireOwnKeys
  const connection = yield* installed
  return yield* Effect.provide(createBackup(connection, manifest.version, file, lock), installation(connection))
}, standalone)

/** Writes one organization into a file, while the service runs. */
export const exportOne = Effect.fn("Maintenance.exportOne")(function* (
  organization_id: OrganizationId,
  file: string,
  lock: Lock,
  isFinal: boolean
) {
  yield* requireOwnKeys
  const connection = yield* installed
  const exporting = exportOrganization(connection, manifest.version, organization_id, file, lock, isFinal)
  return yield* Effect.provide(exporting, installation(connection))
}, standalone)

/** Adds the organization in an exported file to the installation, while the service runs. */
export const importOne = Effect.fn("Maintenance.importOne")(function* (file: string, unlock: Unlock) {
  yield* requireOwnKeys
  const checked = yield* inspectOrganization(file, unlock)
  const connection = yield* installed
  return yield* Effect.provide(importOrganization(connection, checked), installation(connection))
}, standalone)

/** Sets the range from which this installation takes the ids of new records. */
export const idRange = Effect.fn("Maintenance.idRange")(function* (range: number) {
  const connection = yield* installed
  return yield* chooseRange(connection, range)
}, standalone)

/** Restores a backup into the installation that the environment describes. It must be empty and not running. */
export const restore = Effect.fn("Maintenance.restore")(function* (file: string, unlock: Unlock, resumes: boolean) {
  // The keys are compared before the services start, because these would create missing keys.
  const checked = yield* inspectBackup(file, unlock)
  const connection = yield* databaseConnection({ tell: Console.error })
  yield* lockDatabase(connection)
  yield* Effect.provide(prepareDatabase(connection, checked), pgLayer(connection, connections))
  return yield* Effect.provide(restoreBackup(connection, checked, resumes), installation(connection))
}, standalone)

const release = Effect.gen(function* () {
  const { isHeld, resume } = yield* restoredCopiesRepo
  const held = yield* isHeld
  yield* resume
  return { background_work: held ? "resumed" : "was not held" }
})

const retain = Effect.gen(function* () {
  const { hold, isHeld } = yield* restoredCopiesRepo
  if (!(yield* isHeld)) yield* hold
  return { background_work: "held until: npm run admin -- resume" }
})

/** From the next start on, no background work runs on this copied database. `restore` has the same effect. */
export const hold = Effect.fn("Maintenance.hold")(function* () {
  const connection = yield* installed
  return yield* Effect.provide(retain, pgLayer(connection, connections))
}, standalone)

/** Starts the background work of a restored copy immediately, even in processes that are already running. */
export const resume = Effect.fn("Maintenance.resume")(function* () {
  const connection = yield* installed
  return yield* Effect.provide(release, pgLayer(connection, connections))
}, standalone)
