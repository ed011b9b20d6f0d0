import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, FileSystem, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { inject } from "vitest"
import { migrate } from "../../../src/platform/sql/Migrations.ts"
import { connect, emptyDatabase } from "../../support/database/Postgres.ts"

const first = { "0001_first.sql": "create table first (id integer)" }

const inEmptyDatabase = Effect.provide(emptyDatabase, { local: true })

layer(NodeServices.layer, { excludeTestServices: true })("migrate", (it) => {
  it.effect("runs the statements of the files in order, once", () =>
    Effect.gen(function* () {
      const directory = yield* files({
        "0002_rows.sql": "insert into things values (1); insert into things values (2)",
        "0001_things.sql": "-- context: platform\ncreate table things (id integer primary key);\n",
        "README.md": "not a migration"
      })
      assert.deepStrictEqual(yield* migrate(directory), [
        [1, "things"],
        [2, "rows"]
      ])
      assert.deepStrictEqual(yield* migrate(directory), [])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`select id from things order by id`, [{ id: 1 }, { id: 2 }])
    }).pipe(inEmptyDatabase)
  )

  it.effect("does not split at semicolons that end no statement", () =>
    Effect.gen(function* () {
      const directory = yield* files({
        "0001_tricky.sql": `
          -- a comment; with a semicolon and a 'quote
          /* another; /* nested; */ one's; */ ;;
          create table "odd;name" (id integer, "say ""hi;""" text);
          insert into "odd;name" values (1, 'it''s; one'), (2, e'a\\'; "b'), (3, $$c;'d$$), (4, $x$ $$;$$ $x$);
          create function odd$name$() returns integer language plpgsql as $body$
          begin
            perform 1; -- ';
            return 7;
          end
          $body$;
          create table answer as select odd$name$() as value, 'é;$$'::text as label /* the end has no semicolon */
        `
      })
      yield* migrate(directory)
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`select id, "say ""hi;""" as text from "odd;name" order by id`
      assert.deepStrictEqual(rows, [
        { id: 1, text: "it's; one" },
        { id: 2, text: `a'; "b` },
        { id: 3, text: "c;'d" },
        { id: 4, text: " $$;$$ " }
      ])
      assert.deepStrictEqual(yield* sql`select * from answer`, [{ value: 7, label: "é;$$" }])
    }).pipe(inEmptyDatabase)
  )

  it.effect("applies no file when one fails, and names the line", () =>
    Effect.gen(function* () {
      const directory = yield* files({
        ...first,
        "0002_second.sql": "create table second (id integer);\n\n-- why\ninsert into second\nvalues ('x');"
      })
      const error = yield* Effect.flip(migrate(directory))
      assert.match(error.message, /^0002_second\.sql, line 4: invalid input syntax for type integer: "x"/)
      assert.deepStrictEqual(yield* tables, [])
      yield* rewrite(directory, "0002_second.sql", "create table second (id integer)")
      yield* migrate(directory)
      assert.deepStrictEqual(yield* tables, ["first", "second"])
    }).pipe(inEmptyDatabase)
  )

  it.effect("refuses a quote or comment without an end", () =>
    Effect.gen(function* () {
      for (const text of [
        "select 1;\nselect 'x",
        'select 1;\nselect "x',
        "select 1;\n/* /* */ x",
        "select 1;\n$a$ $b$"
      ]) {
        const error = yield* Effect.flip(migrate(yield* files({ "0001_open.sql": text })))
        assert.strictEqual(error.message, "0001_open.sql, line 2: a quote or comment begins here but does not end.")
      }
    }).pipe(inEmptyDatabase)
  )

  it.effect("refuses a file without the name of a migration", () =>
    Effect.gen(function* () {
      for (const name of ["1_short.sql", "0002_Upper.sql", "0002-dash.sql", "0002_x.sql.bak", "notes.txt"]) {
        const error = yield* Effect.flip(migrate(yield* files({ ...first, [name]: "select 1" })))
        assert.strictEqual(error._tag, "MigrationError")
        assert.include(error.message, `${name} does not have the name of a migration`)
      }
      assert.deepStrictEqual(yield* tables, [])
    }).pipe(inEmptyDatabase)
  )

  it.effect("refuses two files with one number", () =>
    Effect.gen(function* () {
      const directory = yield* files({ ...first, "0001_again.sql": "select 1" })
      const error = yield* Effect.flip(migrate(directory))
      assert.include(error.message, "duplicate")
    }).pipe(inEmptyDatabase)
  )

  it.effect("refuses a file that was edited after it was applied", () =>
    Effect.gen(function* () {
      const directory = yield* files(first)
      yield* migrate(directory)
      yield* rewrite(directory, "0001_first.sql", "create table first (id bigint)")
      const error = yield* Effect.flip(migrate(directory))
      assert.strictEqual(
        error.message,
        "0001_first.sql was changed after it was applied: put the change into a new migration."
      )
    }).pipe(inEmptyDatabase)
  )

  it.effect("refuses a file with a lower number than one that was applied", () =>
    Effect.gen(function* () {
      const directory = yield* files({ "0005_fifth.sql": "select 1" })
      yield* migrate(directory)
      yield* rewrite(directory, "0003_third.sql", "select 1")
      const error = yield* Effect.flip(migrate(directory))
      assert.include(error.message, "0003_third.sql")
    }).pipe(inEmptyDatabase)
  )

  it.effect("refuses a database that a newer version has migrated", () =>
    Effect.gen(function* () {
      yield* migrate(yield* files({ "0001_first.sql": "select 1", "0002_second.sql": "select 1" }))
      const error = yield* Effect.flip(migrate(yield* files({ "0001_first.sql": "select 1" })))
      assert.include(error.message, "The database has migration 2, but this version only has 1")
    }).pipe(inEmptyDatabase)
  )

  it.effect("refuses a database of a version before the first release", () =>
    Effect.gen(function* () {
      yield* migrate(yield* files({ "0001_journal.sql": "create table journals (id integer)", "0002_edge.sql": "" }))
      const directory = yield* files({ "0001_platform.sql": "create table journals (id bigint)" })
      const error = yield* Effect.flip(migrate(directory))
      assert.match(
        error.message,
        /^This database was made by an unreleased version before 1\.0\.0, .* delete the data folder/
      )
      assert.deepStrictEqual(yield* tables, ["journals"])
    }).pipe(inEmptyDatabase)
  )

  it.effect("stops after a given migration, and applies the later ones another time", () =>
    Effect.gen(function* () {
      const directory = yield* files({ ...first, "0132_second.sql": "create table second (id integer)" })
      assert.deepStrictEqual(yield* migrate(directory, 131), [[1, "first"]])
      assert.deepStrictEqual(yield* tables, ["first"])
      assert.deepStrictEqual(yield* migrate(directory), [[132, "second"]])
      assert.deepStrictEqual(yield* tables, ["first", "second"])
    }).pipe(inEmptyDatabase)
  )

  it.effect("lets one of several processes that start at once do the work while the others wait", () =>
    Effect.gen(function* () {
      const directory = yield* files({
        ...first,
        "0002_slow.sql": "select pg_sleep(0.5); insert into first values (1)"
      })
      const applied = yield* Effect.all(
        Array.from({ length: 4 }, () => migrate(directory)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(applied.flat(), [
        [1, "first"],
        [2, "slow"]
      ])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`select id from first`, [{ id: 1 }])
    }).pipe(inEmptyDatabase)
  )

  it.effect("says that the user of the database may not create tables", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const directory = yield* files(first)
      const guest = yield* sql
        .withTransaction(
          Effect.gen(function* () {
            yield* sql`create role guest_of_migrations`
            yield* sql`revoke all on schema public from public`
            yield* sql`grant usage on schema public to guest_of_migrations`
            yield* sql`set local role guest_of_migrations`
            return yield* migrate(directory)
          })
        )
        .pipe(Effect.flip)
      assert.instanceOf(guest, SqlError.SqlError)
      assert.include(String(guest.reason.cause), "permission denied for schema public")
      assert.deepStrictEqual(yield* tables, [])
    }).pipe(inEmptyDatabase)
  )

  it.effect("refuses a database in another encoding than UTF8", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const directory = yield* files(first)
      const name = `latin_${randomUUID().replaceAll("-", "")}`
      yield* Effect.acquireRelease(
        sql.unsafe(`create database ${name} encoding 'LATIN1' locale 'C' template template0`),
        () => Effect.orDie(sql.unsafe(`drop database ${name} with (force)`))
      )
      const latin = yield* Layer.build(connect(inject("postgres"), name))
      const error = yield* Effect.flip(Effect.provide(migrate(directory), latin))
      assert.include(error.message, "The database has the encoding LATIN1, but needs UTF8.")
    }).pipe(Effect.scoped, inEmptyDatabase)
  )

  it.effect("starts again after a deadlock with a request", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table invoices (id integer)`
      yield* sql`create table notes (id integer)`
      const directory = yield* files({
        "0001_columns.sql": `
          alter table invoices add column rate numeric;
          select pg_sleep(2);
          alter table notes add column rate numeric;
        `
      })
      const migrating = yield* Effect.forkChild(migrate(directory))
      yield* sql.withTransaction(
        Effect.gen(function* () {
          // PostgreSQL ends the transaction that notices the deadlock, which is then never this one.
          yield* sql`set local deadlock_timeout = '1h'`
          yield* sql`select from notes`
          yield* Effect.sleep("1 second")
          yield* sql`select from invoices`
        })
      )
      assert.deepStrictEqual(yield* Fiber.join(migrating), [[1, "columns"]])
    }).pipe(inEmptyDatabase)
  )

  it.effect("waits for a backup, and blocks no request meanwhile for long", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table invoices (id integer)`
      const directory = yield* files({ "0001_columns.sql": "alter table invoices add column rate numeric" })
      const backup = yield* sql`select from invoices`.pipe(
        Effect.andThen(Effect.sleep("6 seconds")),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Effect.sleep("500 millis")
      const migrating = yield* Effect.forkChild(migrate(directory))
      yield* Effect.sleep("500 millis")
      const [waited] = yield* Effect.timed(sql`select from invoices`)
      assert.isBelow(Duration.toMillis(waited), 4000)
      assert.isUndefined(backup.pollUnsafe())
      assert.deepStrictEqual(yield* Fiber.join(migrating), [[1, "columns"]])
    }).pipe(inEmptyDatabase)
  )

  it.effect("fails when the directory does not exist", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(migrate("/nowhere/migrations"))
      assert.include(error.message, "/nowhere/migrations")
    }).pipe(inEmptyDatabase)
  )
})

const files = Effect.fnUntraced(function* (texts: Record<string, string>) {
  const fs = yield* FileSystem.FileSystem
  const directory = yield* fs.makeTempDirectoryScoped()
  for (const [name, text] of Object.entries(texts)) yield* rewrite(directory, name, text)
  return directory
})

const rewrite = (directory: string, name: string, text: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.writeFileString(join(directory, name), text))

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename not in ('effect_sql_migrations', 'migration_files') order by tablename`
  return rows.map(({ name }) => name)
})
