import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, FileSystem, Layer, Redacted, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { AppConfig } from "../../../../src/platform/config/AppConfig.ts"
import { databaseConnection } from "../../../../src/platform/sql/DatabaseLive.ts"
import { type Connection, pgLayer } from "../../../../src/platform/sql/Database.ts"
import { embeddedPostgres, reasonIn } from "../../../../src/platform/sql/embedded/EmbeddedPostgres.ts"
import { postgresProcess } from "../../../support/database/PostgresProcess.ts"

layer(NodeServices.layer, { excludeTestServices: true })("embeddedPostgres", (it) => {
  it.effect("provides an empty UTF-8 database in UTC, reachable only by loopback with the password", () =>
    Effect.gen(function* () {
      const connection = yield* embeddedPostgres({ dataDir: yield* dataDirectory })
      assert.deepStrictEqual(connection.notices, [])
      const [row] = yield* query(
        connection,
        `select current_database() as database, current_setting('server_encoding') as encoding,
                current_setting('timezone') as zone, current_setting('listen_addresses') as addresses,
                inet_client_addr() is null as by_socket, current_setting('fsync') as fsync, lower('ÉCOLE Ж') as lower,
                (select count(*) from pg_tables where schemaname = 'public') as tables`
      )
      assert.deepStrictEqual(row, {
        database: "invoicing",
        encoding: "UTF8",
        zone: "UTC",
        addresses: "127.0.0.1",
        by_socket: true,
        fsync: "on",
        lower: "école ж",
        tables: 0
      })
      const { path, ...byPort } = connection
      for (const stranger of [{ ...byPort, path }, byPort]) {
        const refused = yield* Effect.flip(query({ ...stranger, password: Redacted.make("guess") }, "select 1"))
        assert.strictEqual(refused.reason._tag, "AuthenticationError")
      }
      assert.deepStrictEqual(yield* query(byPort, "select 1 as one"), [{ one: 1 }])
    })
  )

  it.effect("keeps its data and its port over a restart, and lets no other user read the files", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataDirectory
      const first = yield* embeddedPostgres({ dataDir }).pipe(
        Effect.tap((connection) => query(connection, "create table kept as select 42 as answer")),
        Effect.scoped
      )
      const second = yield* embeddedPostgres({ dataDir })
      assert.strictEqual(second.port, first.port)
      assert.deepStrictEqual(yield* query(second, "select answer from kept"), [{ answer: 42 }])
      assert.strictEqual(statSync(join(dataDir, "postgres")).mode & 0o777, 0o700)
      assert.strictEqual(statSync(join(dataDir, "postgres/password")).mode & 0o777, 0o600)
    })
  )

  it.effect("accepts as many connections as the settings of the service require", () =>
    Effect.gen(function* () {
      const env = { DATA_DIR: yield* dataDirectory, DATABASE_CONNECTIONS: "300" }
      const settings = Layer.provide(AppConfig.layer, ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
      const silent = { tell: () => Effect.void }
      const connection = yield* Effect.provide(databaseConnection(silent), settings)
      assert.deepStrictEqual(yield* query(connection, "show max_connections"), [{ max_connections: "384" }])
    })
  )

  it.effect("uses no socket if its path would be too long", () =>
    Effect.gen(function* () {
      const connection = yield* embeddedPostgres({ dataDir: `${yield* dataDirectory}/${"long".repeat(25)}` })
      assert.isUndefined(connection.path)
      assert.deepStrictEqual(yield* query(connection, "select 1 as one"), [{ one: 1 }])
    })
  )

  it.effect("starts in a folder whose name has a comma, quotes and spaces", () =>
    Effect.gen(function* () {
      const dataDir = `${yield* dataDirectory}/a, "b"\\ c`
      const { path, ...byPort } = yield* embeddedPostgres({ dataDir })
      assert.isDefined(path)
      const bySocket = yield* query({ ...byPort, path }, "select inet_client_addr() is null as by_socket")
      assert.deepStrictEqual(bySocket, [{ by_socket: true }])
    })
  )

  it.effect("uses another port when its last one is in use", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataDirectory
      const { port } = yield* Effect.scoped(embeddedPostgres({ dataDir }))
      yield* listen(port)
      const connection = yield* embeddedPostgres({ dataDir })
      assert.notStrictEqual(connection.port, port)
      assert.deepStrictEqual(yield* query(connection, "select 1 as one"), [{ one: 1 }])
    })
  )

  it.effect("refuses a second process on the same data and leaves the first one alone", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataDirectory
      const first = yield* embeddedPostgres({ dataDir })
      const before = yield* query(first, "select pg_postmaster_start_time()::text as time")
      const second = yield* postgresProcess(dataDir)
      const refused = yield* Effect.flip(second.started)
      assert.match(refused.message, /Another process uses the database in .*: stop it, or set another DATA_DIR\./)
      assert.deepStrictEqual(yield* query(first, "select pg_postmaster_start_time()::text as time"), before)
    })
  )

  it.effect("starts again when its process was killed, stops the orphan and has every commit", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataDirectory
      const killed = yield* postgresProcess(dataDir)
      const connection = yield* killed.started
      yield* query(connection, "create table kept as select 42 as answer")
      const orphan = postmasterOf(dataDir)
      killed.child.kill("SIGKILL")
      yield* killed.exited
      assert.isTrue(isServer(orphan, dataDir), "the server outlives the process, or this test proves nothing")

      const next = yield* embeddedPostgres({ dataDir })
      assert.isFalse(isServer(orphan, dataDir))
      assert.deepStrictEqual(yield* query(next, "select answer from kept"), [{ answer: 42 }])
    })
  )

  it.effect("starts again when the process and the server were killed", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataDirectory
      const killed = yield* postgresProcess(dataDir)
      const connection = yield* killed.started
      yield* query(connection, "create table kept as select 42 as answer")
      killed.child.kill("SIGKILL")
      process.kill(postmasterOf(dataDir), "SIGKILL")
      const next = yield* embeddedPostgres({ dataDir })
      assert.deepStrictEqual(yield* query(next, "select answer from kept"), [{ answer: 42 }])
    })
  )

  it.effect("starts a server that was killed again, on the same port and with every commit, and still stops it", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataDirectory
      const scope = yield* Scope.make()
      const connection = yield* Scope.provide(embeddedPostgres({ dataDir }), scope)
      yield* query(connection, "create table kept as select 42 as answer")
      // The second kill shows that the new server is watched like the first.
      for (let kills = 0; kills < 2; kills++) {
        const killed = postmasterOf(dataDir)
        process.kill(killed, "SIGKILL")
        const answered = yield* query(connection, "select answer from kept").pipe(
          Effect.repeat({ until: () => postmasterOf(dataDir) !== killed, schedule: Schedule.spaced("50 millis") }),
          Effect.retry(Schedule.spaced("50 millis")),
          Effect.timeout("60 seconds")
        )
        assert.deepStrictEqual(answered, [{ answer: 42 }])
      }
      const last = postmasterOf(dataDir)
      yield* Scope.close(scope, Exit.void)
      yield* Effect.sleep("2 seconds")
      assert.isFalse(isServer(last, dataDir))
      assert.isFalse(existsSync(join(dataDir, "postgres/data/postmaster.pid")))
    })
  )

  it.effect("starts when leftover lock files name a process id that another process has by now", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataDirectory
      const { path, port } = yield* Effect.scoped(embeddedPostgres({ dataDir }))
      const lock = `${process.pid}\n${join(dataDir, "postgres/data")}\n1700000000\n${port}\n\n127.0.0.1\n`
      writeFileSync(join(dataDir, "postgres/data/postmaster.pid"), lock)
      writeFileSync(`${path}.lock`, lock)
      const connection = yield* embeddedPostgres({ dataDir })
      assert.deepStrictEqual(yield* query(connection, "select 1 as one"), [{ one: 1 }])
    })
  )

  it.effect("starts when the very first start was killed while it created the cluster", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataDirectory
      const killed = yield* postgresProcess(dataDir)
      const home = join(dataDir, "postgres")
      yield* Effect.suspend(() =>
        existsSync(home) && readdirSync(home).some((entry) => entry.startsWith("initdb-"))
          ? Effect.void
          : Effect.fail("")
      ).pipe(Effect.retry(Schedule.spaced("5 millis")), Effect.timeout("100 seconds"))
      killed.child.kill("SIGKILL")
      yield* killed.exited
      assert.isFalse(existsSync(join(home, "data")))
      const connection = yield* embeddedPostgres({ dataDir })
      assert.deepStrictEqual(yield* query(connection, "select 1 as one"), [{ one: 1 }])
    })
  )

  it.effect("stops cleanly when Ctrl-C signals its whole process group", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataDirectory
      const { child, exited, started } = yield* postgresProcess(dataDir)
      yield* started
      const server = postmasterOf(dataDir)
      process.kill(-(child.pid ?? 0), "SIGINT")
      yield* exited
      assert.isFalse(isServer(server, dataDir))
      assert.isFalse(existsSync(join(dataDir, "postgres/data/postmaster.pid")))
      assert.match(readFileSync(join(dataDir, "postgres/postgres.log"), "utf8"), /database system is shut down\s*$/)
    })
  )

  it.effect("fails with the last output of a server that cannot start", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataDirectory
      yield* Effect.scoped(embeddedPostgres({ dataDir }))
      writeFileSync(join(dataDir, "postgres/data/PG_VERSION"), "17\n")
      const { message } = yield* Effect.flip(embeddedPostgres({ dataDir }))
      assert.match(message, /did not start \(exit code 1\)/)
      assert.match(message, /database files are incompatible with server/)
    })
  )

  it("names a full disk in one sentence", () => {
    const words = `creating configuration files ... ok
running bootstrap script ... 2026-11-23 19:22:48.718 UTC [9] FATAL:  could not write to file "pg_wal/x": No space left on device
child process exited with exit code 1
initdb: removing contents of data directory "/data"`
    assert.strictEqual(reasonIn(words), `: could not write to file "pg_wal/x": No space left on device.`)
    const panic = `${words}\nFATAL:  could not extend file "b": No space left on device\nPANIC:  cannot abort transaction 1`
    assert.strictEqual(reasonIn(panic), `: could not write to file "pg_wal/x": No space left on device.`)
    assert.include(reasonIn("nothing known"), "nothing known")
  })

  it.effect("keeps one old log and starts a new one beyond 10 MB", () =>
    Effect.gen(function* () {
      const dataDir = yield* dataDirectory
      yield* Effect.scoped(embeddedPostgres({ dataDir }))
      const log = join(dataDir, "postgres/postgres.log")
      writeFileSync(log, "x".repeat(10_000_000))
      yield* Effect.scoped(embeddedPostgres({ dataDir }))
      assert.isAbove(statSync(`${log}.1`).size, 10_000_000)
      assert.isBelow(statSync(log).size, 100_000)
    })
  )
})

const dataDirectory = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const directory = yield* fs.makeTempDirectoryScoped({ prefix: "invoicing-embedded-" })
  yield* fs.chmod(directory, 0o711)
  return join(yield* fs.realPath(directory), "data")
})

const query = (connection: Connection, statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(Effect.provide(pgLayer(connection, 1)))

const listen = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer()
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
  )

const postmasterOf = (dataDir: string) =>
  Number.parseInt(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8"), 10)

const isServer = (pid: number, dataDir: string) => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === join(dataDir, "postgres/data")
  } catch {
    return false
  }
}
