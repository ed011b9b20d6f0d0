import { Effect } from "effect"
import { SqlClient } from "effect/sql"

type Sealed = "credit_notes" | "payment_refunds"

/** Lets a test date issued records as it needs them: in this test's database the seals of a table refuse nothing more. */
export const unseal = (table: Sealed) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`alter table ${sql(table)} disable trigger ${sql(`${table}_sealed`)}`)
