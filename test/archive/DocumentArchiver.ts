import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { globSync } from "node:fs"
import { join } from "node:path"
import { ExportBuilder } from "../../src/archive/exports/ExportBuilder.ts"
import type { ExportKey } from "../../src/archive/exports/ExportsRepo.ts"
import { ExportUpkeep } from "../../src/archive/exports/ExportUpkeep.ts"
import { Integrity } from "../../src/archive/integrity/Integrity.ts"
import { Transmissions } from "../../src/archive/transmissions/Transmissions.ts"
import { DepositKey } from "../../src/archive/deposits/Deposit.ts"
import { DocumentArchiver } from "../../src/billing/archiving/DocumentArchiver.ts"
import { SalesBooks } from "../../src/billing/books/SalesBooks.ts"
import { ExpenseBooks } from "../../src/expenses/books/ExpenseBooks.ts"
import { ExportId, OrganizationId } from "../../src/kernel/Ids.ts"
import { AppConfig, type Settings } from "../../src/platform/config/AppConfig.ts"
import { Signer } from "../../src/platform/crypto/Signer.ts"
import { BlobStore } from "../../src/platform/storage/BlobStore.ts"
import type { Database } from "../../src/platform/sql/Database.ts"
import type { App, Parts } from "../support/App.ts"
import { type Books as Organization, useBilling } from "../support/Billing.ts"
import { verifiedAuditLog } from "../support/AuditLog.ts"
import type { SeedOptions } from "../support/database/Seed.ts"

const rows = Layer.merge(SalesBooks, ExpenseBooks)

export const services = Layer.mergeAll(
  DocumentArchiver.layer,
  Integrity.layer,
  ExportBuilder.layer,
  ExportUpkeep.layer
).pipe(Layer.provide(rows))

const decodeDeposits = Schema.decodeUnknownEffect(Schema.Array(DepositKey))

const keyOf = (books: Identified, id: number): ExportKey => ({
  organization_id: OrganizationId.make(books.id),
  id: ExportId.make(id)
})

interface Identified {
  readonly id: number
}

/** The work of the background workers, which a test starts itself. */
export const workOf = (app: App) => {
  const work = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof services>>) =>
    app.run(effect.pipe(Effect.provide(services)))

  const query = <A>(ask: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
    app.run(Effect.flatMap(SqlClient.SqlClient, ask))

  const archiveAll = async ({ id }: Identified) => {
    const rows = await query(
      (sql) => sql`select organization_id, document_type, document_id from archive_deposits
                   where organization_id = ${id} order by document_type, document_id`
    )
    const keys = await app.run(decodeDeposits(rows))
    for (const key of keys) await work(DocumentArchiver.use(({ archive }) => archive(key)))
    return keys.length
  }

  /** Runs background work with a storage that stores its next file only when the returned function is called. */
  const frozen = async <A, E>(work: Effect.Effect<A, E, Layer.Success<typeof services>>) => {
    const [stored, thawed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const freezing = Effect.map(BlobStore, (store) =>
      BlobStore.of({
        ...store,
        put: (...of) => {
          stored.resolve()
          return Effect.andThen(
            Effect.promise(() => thawed.promise),
            store.put(...of)
          )
        }
      })
    )
    const done = app.run(
      work.pipe(Effect.provide(Layer.fresh(services)), Effect.provideServiceEffect(BlobStore, freezing))
    )
    await stored.promise
    return () => (thawed.resolve(), done)
  }

  return {
    query,
    work,
    archiveAll,
    /** Makes the PDF of an invoice for the archive, and stores it only when the test calls the returned function. */
    archiveFrozen: ({ id }: Identified, document_id: number) => {
      const key = { organization_id: OrganizationId.make(id), document_type: "invoice", document_id } as const
      return frozen(DocumentArchiver.use(({ archive }) => archive(key)))
    },
    /** Rewrites the audit chain with valid hashes, as the owner of the database can. */
    rewrite: ({ id }: Identified, change: (entries: ReadonlyArray<string>) => ReadonlyArray<string>) =>
      query((sql) =>
        Effect.gen(function* () {
          const kept = yield* sql<{ canonical: string }>`
        select canonical from audit_entries where organization_id = ${id} order by seq`
          const entries = change(kept.map(({ canonical }) => canonical))
          yield* sql`alter table audit_entries disable trigger all`
          yield* sql`delete from audit_entries where organization_id = ${id}`
          let hash = "0".repeat(64)
          for (const [index, canonical] of entries.entries()) {
            hash = createHash("sha256").update(hash).update(canonical).digest("hex")
            yield* sql`insert into audit_entries ${sql.insert({ organization_id: id, seq: index + 1, canonical, hash })}`
          }
          yield* sql`alter table audit_entries enable trigger all`
          yield* sql`update journals set entries = ${entries.length}, head = ${hash} where organization_id = ${id}`
        }).pipe(sql.withTransaction)
      ),
    problems: async ({ id }: Identified) => {
      const rows = await query(
        (sql) => sql<{ problem: string }>`select problem from archive_incidents where organization_id = ${id}`
      )
      return rows.map(({ problem }) => problem)
    },
    transmissions: <A, E>(use: (transmissions: Transmissions["Service"]) => Effect.Effect<A, E, Database>) =>
      app.run(Transmissions.use(use).pipe(Effect.provide(Transmissions.layer))),
    build: (books: Identified, id: number) => work(ExportBuilder.use(({ build }) => build(keyOf(books, id)))),
    /** Packs an export, and stores its ZIP only when the test calls the returned function. */
    buildFrozen: (books: Identified, id: number) => frozen(ExportBuilder.use(({ build }) => build(keyOf(books, id)))),
    /** Builds an export in a process whose SIGNING_KEY begins with a new key, as after a rotation of keys. */
    buildRotated: (books: Identified, id: number) => {
      const rotated = Effect.gen(function* () {
        const config = yield* AppConfig
        const signingKeys = [Redacted.make(Buffer.alloc(32, 3).toString("base64")), ...config.signingKeys]
        const changed = Layer.succeed(AppConfig, AppConfig.of({ ...config, signingKeys }))
        return yield* Effect.provide(Signer, Layer.fresh(Signer.layer).pipe(Layer.provide(changed)))
      })
      const build = ExportBuilder.use(({ build }) => build(keyOf(books, id))).pipe(
        Effect.provide(Layer.fresh(ExportBuilder.layer.pipe(Layer.provide(rows)))),
        Effect.provideServiceEffect(Signer, rotated)
      )
      return app.run(build)
    },
    giveUp: (books: Identified, id: number) => work(ExportBuilder.use(({ giveUp }) => giveUp(keyOf(books, id)))),
    expire: () => work(ExportUpkeep.use(({ expire }) => expire)),
    endAbandoned: () => work(ExportUpkeep.use(({ endAbandoned }) => endAbandoned)),
    prove: ({ id }: Identified) => work(Integrity.use(({ prove }) => prove(OrganizationId.make(id)))),
    endProof: ({ id }: Identified) => work(Integrity.use(({ giveUp }) => giveUp(OrganizationId.make(id)))),
    filesOf: ({ id }: Identified, area: "archive" | "exports") =>
      globSync(join(app.dataDir, "objects", area, String(id), "*", "*")).toSorted()
  }
}

/** The service without workers, and the work that they would do. */
export const useArchive = (changes: Partial<Settings> = {}, parts?: Parts) => {
  const { app, open: openBooks } = useBilling(changes, parts)
  return {
    app,
    ...workOf(app),
    open: (options: SeedOptions = {}) => openBooks({ plan: "business", ...options }),
    documents: (books: Organization, filter = "") => books.made("GET", `/archive/documents${filter}`),
    state: (books: Organization) => books.made("GET", "/archive"),
    order: (books: Organization, filters?: object) => books.call("POST", "/archive/exports", filters),
    actions: async ({ id }: Organization) => (await app.run(verifiedAuditLog(id))).entries.map(({ action }) => action),
    journal: ({ id }: Organization) => app.run(verifiedAuditLog(id))
  }
}
