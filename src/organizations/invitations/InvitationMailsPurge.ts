import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { timed } from "../../platform/jobs/Timed.ts"
import { purge, purged_rows_max } from "../../platform/sql/statements/Purge.ts"

/** Removes the mails that no limit counts any more, of all organizations. */
export const purgeInvitationMails = Effect.fn("purgeInvitationMails")(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* purge(
    "invitation_mails",
    sql`
    delete from invitation_mails where id in (
      select id from invitation_mails where created_at < now() - interval '1 day'
      limit ${purged_rows_max} for update skip locked)
    returning id`
  )
})

export const InvitationMailsPurgeWorker = timed({
  name: "invitation_mails.purge",
  every: "1 hour",
  run: Effect.suspend(purgeInvitationMails)
})
