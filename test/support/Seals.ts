import { Effect } from "effect"
import { SqlClient } from "effect/sql"

type Sealed = "credit_notes" | "payment_refunds"

/** Lets a test change issued records: the seal of this table is switched off in the test's database. */
export const unseal = (table: Sealed) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`alter table ${sql(table)} disable trigger ${sql(`${table}_sealed`)}`)
