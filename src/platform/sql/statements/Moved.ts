import type { SqlClient } from "effect/sql"

/** The condition that no other installation has taken over the work for an organization. */
export const isHere = (sql: SqlClient.SqlClient, column = "organization_id") =>
  sql`${sql(column)} not in (select organization_id from moved_organizations)`
