import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { purge } from "../../platform/sql/statements/Purge.ts"
import { traced } from "../../platform/sql/Traced.ts"

/** Maximum number of invitations that one person gets within 24 hours, from all organizations together. */
const mails_per_person_max = 5
/** Maximum number of invitations that one organization sends within 24 hours. */
const mails_per_organization_max = 100

const Mail = Schema.Struct({ organization_id: OrganizationId, user_id: UserId })

/** Counts the mails with invitations: whoever may invite could otherwise make the service write to strangers. */
export class InvitationMailsRepo extends Context.Service<InvitationMailsRepo>()(
  "invoicing/organizations/invitations/InvitationMailsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const lock = SqlSchema.void({
        Request: UserId,
        execute: (user_id) => sql`select pg_advisory_xact_lock(hashtextextended('invitation_mails', ${user_id}))`
      })

      // The limit of a person counts the mails of all organizations, because all of them reach the same person.
      const wait = SqlSchema.findOne({
        Request: Mail,
        Result: Schema.Struct({ seconds: Schema.NullOr(Schema.Int) }),
        execute: ({ organization_id, user_id }) => sql`
          select ceil(extract(epoch from max(created_at) + interval '1 day' - now()))::integer as seconds from (
            (select created_at from invitation_mails
              where user_id = ${user_id} and created_at > now() - interval '1 day'
              order by created_at desc offset ${mails_per_person_max - 1} limit 1)
            union all
            (select created_at from invitation_mails
              where organization_id = ${organization_id} and created_at > now() - interval '1 day'
              order by created_at desc offset ${mails_per_organization_max - 1} limit 1)) as decisive`
      })

      const record = SqlSchema.void({
        Request: Mail,
        execute: ({ organization_id, user_id }) => sql`
          insert into invitation_mails (organization_id, user_id) values (${organization_id}, ${user_id})`
      })

      return {
        ...traced("InvitationMailsRepo", {
          /** Makes the invitations of one person by several organizations wait for each other. */
          lock,
          /** Returns the seconds until a limit allows another mail; null if it is allowed now. */
          wait,
          record
        }),
        /** Removes the mails of all organizations that no limit counts any more. */
        purge: purge(sql, "invitation_mails", "id", sql`created_at < now() - interval '1 day'`)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
