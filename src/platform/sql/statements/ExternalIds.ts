import { Effect, Option } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { ValidationFailed } from "../../../kernel/Refusal.ts"

/**
 * Refuses a write if another record has the same external id. The unique index `<table>_external_id` detects this, so
 * of two concurrent requests with the same id only one succeeds. Any other failure is a defect.
 */
export const uniqueExternalId =
  (sql: SqlClient.SqlClient, table: string) =>
  <A, E, R>(external_id: string | null, write: Effect.Effect<A, E, R>): Effect.Effect<A, ValidationFailed, R> =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
      // Within an outer transaction, the write gets a savepoint, because a refused id would abort that transaction.
      external_id !== null && Option.isSome(outer) ? sql.withTransaction(write) : write
    ).pipe(
      Effect.catch((error) =>
        error instanceof SqlError.SqlError && isTaken(error.reason, table)
          ? Effect.fail(ValidationFailed.field("external_id", "is already used by another record."))
          : Effect.die(error)
      )
    )

const isTaken = (reason: SqlError.SqlErrorReason, table: string) =>
  reason._tag === "UniqueViolation" && reason.constraint === `${table}_external_id`
