import { Effect } from "effect"
import { SqlClient } from "effect/sql"

type Sealed = "credit_notes" | "payment_refunds"

/** Switches off the trigger that prevents changes to the issued records of a table, in the test's database only. */
export const unseal = (table: Sealed) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`alter table ${sql(table)} disable trigger ${sql(`${table}_sealed`)}`)
