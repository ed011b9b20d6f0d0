import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it, onTestFinished } from "vitest"
import { useBilling } from "../support/Billing.ts"
import { here, startService } from "../support/Service.ts"
import { importer, openAccount, table } from "./Books.ts"

const { app, open } = useBilling()
const statement = table(["2026-01-05", "-3,00"], ["2026-01-05", "-3,00"], ["2026-01-06", "4,50"])
const wait_ms_max = 60_000
const test_ms_max = 300_000

const query = <A extends object>(ask: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<A>, unknown>) =>
  app.run(Effect.flatMap(SqlClient.SqlClient, ask).pipe(Effect.orDie))

/** While `during` runs, nobody can write to the journal, which is the last step of an import. */
const journalHeld = (organization_id: number, during: () => Promise<unknown>) =>
  query((sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`select from journals where organization_id = ${organization_id} for update`
        yield* Effect.promise(during)
        return []
      })
    )
  )

/** The database backend of the import, once all lines are written and it waits for the journal. */
const waiting = async (): Promise<number> => {
  const deadline = Date.now() + wait_ms_max
  while (Date.now() < deadline) {
    const [found] = await query(
      (sql) => sql<{ pid: number }>`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%journals%'`
    )
    if (found !== undefined) return found.pid
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error("The import does not get as far as the journal.")
}

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
      // The account stays locked until the database notices that its client is gone.
      const { data, status } = await upload(account, statement)
      assert.deepEqual([status, data.imported, data.duplicate_file], [201, 3, false])
      assert.equal((await lines()).length, 3)
    },
    test_ms_max
  )
})
