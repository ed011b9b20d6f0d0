import { Effect, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { CopySession } from "../../platform/backup/CopySession.ts"

const holding = "insert into restored_copies default values"

/**
 * Records a restore in the transaction of a session, which loads the database, and holds background work unless
 * `resume` is true. The log of Spanish invoice records names every restore, also one that holds nothing.
 */
export const recordRestore = ({ run }: CopySession, resume: boolean) =>
  run(resume ? "insert into restored_copies (resumed_at) values (now())" : holding)

/** These SQL statements name no organization, because a backup is restored for the whole installation. */
export const restoredCopiesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const held = SqlSchema.findAll({
    Request: Schema.Void,
    Result: Schema.Struct({ restored_at: Schema.String }),
    execute: () => sql`select restored_at::text from restored_copies where resumed_at is null`
  })
  return {
    hold: Effect.orDie(sql.unsafe(holding)),
    resume: Effect.orDie(sql`update restored_copies set resumed_at = now() where resumed_at is null`),
    isHeld: Effect.map(Effect.orDie(held()), (copies) => copies.length > 0)
  }
})
