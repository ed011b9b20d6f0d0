import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it, onTestFinished } from "vitest"
import { useBilling } from "../../support/Billing.ts"
import { here, startService } from "../../support/service/Service.ts"
import { importer, openAccount, table, waitingFor, whileHeld } from "../Books.ts"

const { app, open } = useBilling()
const statement = table(["2026-01-05", "-3,00"], ["2026-01-05", "-3,00"], ["2026-01-06", "4,50"])
const test_ms_max = 300_000

const query = <A extends object>(ask: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, ask).pipe(Effect.orDie))

/** Locks the organization's audit chain while `during` runs, so that an import waits at its last step. */
const journalHeld = (organization_id: number, during: () => Promise<unknown>) =>
  whileHeld(app, [`select from journals where organization_id = ${organization_id} for update`], during)

const waiting = (about = "journals") => waitingFor(app, about)

const opened = async () => {
  const books = await open()
  const account = await openAccount(app, books.id)
  const lines = () => books.made("GET", "/bank-transactions")
  return { books, account, upload: importer(app, books), lines }
}

describe("an interrupted import", () => {
  it("leaves nothing when the database connection breaks, and succeeds when repeated", async () => {
    const { account, books, lines, upload } = await opened()
    await journalHeld(books.id, async () => {
      const interrupted = upload(account, statement)
      const pid = await waiting()
      await query((sql) => sql`select pg_terminate_backend(${pid})`)
      assert.isAtLeast((await interrupted).status, 500)
    })
    assert.deepEqual(await lines(), [])
    assert.equal((await books.made("GET", `/bank-accounts/${account}`)).last_imported_at, null)
    const { data, status } = await upload(account, statement)
    assert.deepEqual([status, data.imported, data.duplicate_file], [201, 3, false])
    assert.equal((await lines()).length, 3)
  })

  it(
    "leaves nothing when its process is killed, and succeeds when repeated",
    async () => {
      const { account, books, lines, upload } = await opened()
      const process = await startService(await app.run(here.pipe(Effect.orDie)), { ROLE: "api" })
      onTestFinished(() => process.kill("SIGKILL"))
      await process.listening
      await journalHeld(books.id, async () => {
        const interrupted = importer(process, books)(account, statement).then(
          ({ status }) => status,
          () => "no answer"
        )
        await waiting()
        process.kill("SIGKILL")
        assert.equal(await interrupted, "no answer")
        await process.ended
      })
      // This upload waits until the database notices that the killed process is gone, and unlocks the account.
      const { data, status } = await upload(account, statement)
      assert.deepEqual([status, data.imported, data.duplicate_file], [201, 3, false])
      assert.equal((await lines()).length, 3)
    },
    test_ms_max
  )

  it(
    "answers its Idempotency-Key as the first time when its process is killed before it answers",
    async () => {
      const { account, books, lines, upload } = await opened()
      const keyed = (using: ReturnType<typeof importer>) =>
        using(account, statement, {}, books.owner.token, { "idempotency-key": "once" })
      const process = await startService(await app.run(here.pipe(Effect.orDie)), { ROLE: "api" })
      onTestFinished(() => process.kill("SIGKILL"))
      await process.listening
      await app.inDatabase(`create function stall() returns trigger language plpgsql
        as $$ begin perform pg_advisory_xact_lock(4711); return new; end $$`)
      await app.inDatabase(`create trigger stall before update on idempotency_keys for each row
        when (new.status is not null) execute function stall()`)
      await query((sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`select pg_advisory_xact_lock(4711)`
            const killed = keyed(importer(process, books)).catch(() => "no answer")
            yield* Effect.promise(() => waiting("idempotency_keys set status"))
            process.kill("SIGKILL")
            assert.equal(yield* Effect.promise(() => killed), "no answer")
            yield* Effect.promise(() => process.ended)
            return []
          })
        )
      )
      await app.inDatabase("drop trigger stall on idempotency_keys")
      await app.inDatabase(`update idempotency_keys set status = null, headers = null, sealed_body = null,
        leased_until = now() - interval '1 second'`)
      const again = await keyed(upload)
      assert.deepEqual(
        [again.status, again.data.imported, again.data.duplicates, again.data.duplicate_file],
        [201, 3, 0, false]
      )
      assert.equal((await lines()).length, 3)
      const other = await upload(account, statement, {}, books.owner.token, { "idempotency-key": "another" })
      assert.deepEqual([other.data.id, other.data.imported, other.data.duplicate_file], [again.data.id, 0, true])
    },
    test_ms_max
  )
})
