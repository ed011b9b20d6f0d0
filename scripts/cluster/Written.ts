import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Counts the records that the clients wrote, by the name that the client gave to the record. */
const countWritten = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string; count: number }>`
    select name, count(*)::integer as count from (
      select name from customers union all select notes from invoices
      union all select notes || ' sent' from invoices where issued_at is not null
      union all select reference from payments) written
    where name like 'load %' group by name`
  return new Map(rows.map(({ count, name }) => [name, count]))
})

/** Compares the acknowledged writes with the database: each must exist exactly once. */
export const auditWritten = (acknowledged: Iterable<string>) => {
  const names = [...acknowledged]
  return Effect.map(countWritten, (written) => ({
    lost: names.filter((name) => !written.has(name)),
    doubled: [...written].flatMap(([name, count]) => (count > 1 ? [name] : []))
  }))
}
