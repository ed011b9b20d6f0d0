import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { Role } from "../../kernel/Role.ts"
import { Invitation } from "./Invitation.ts"
import { traced } from "../../platform/sql/Traced.ts"

export const invitation_days = 7

const Hash = Schema.Uint8Array
const Issue = Schema.Struct({
  organization_id: OrganizationId,
  user_id: UserId,
  invited_email: Schema.String,
  role: Role,
  hash: Hash
})

/**
 * Only the statement `issue` selects by organization. The other statements find a membership by its token, or lock all
 * memberships of a user.
 */
export class InvitationsRepo extends Context.Service<InvitationsRepo>()(
  "invoicing/organizations/invitations/InvitationsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const issue = SqlSchema.findOneOption({
        Request: Issue,
        Result: Schema.Struct({ user_id: UserId }),
        execute: ({ hash, invited_email, organization_id, role, user_id }) => sql`
        insert into members
          (organization_id, user_id, invited_email, role, status, invitation_hash, invitation_expires_at)
        values (${organization_id}, ${user_id}, ${invited_email}, ${role}, 'invited', ${hash},
          now() + make_interval(days => ${invitation_days}))
        on conflict (organization_id, user_id) do update set role = excluded.role,
          invited_email = excluded.invited_email, invitation_hash = excluded.invitation_hash,
          invitation_expires_at = excluded.invitation_expires_at, updated_at = now()
        where members.status = 'invited'
        returning user_id`
      })

      const withdraw = SqlSchema.findOneOption({
        Request: Hash,
        Result: Schema.Struct({ user_id: UserId }),
        execute: (hash) =>
          sql`delete from members where invitation_hash = ${hash} and status = 'invited' returning user_id`
      })

      const find = SqlSchema.findOneOption({
        Request: Hash,
        Result: Invitation,
        execute: (hash) => sql`
        select m.organization_id, o.name as organization_name, m.user_id, m.role,
          coalesce(m.invited_email, p.email) as email,
          case when m.status = 'active' then 'accepted' when m.invitation_expires_at > now() then 'open'
               else 'expired' end as state
        from members m join organizations o on o.id = m.organization_id join people p on p.id = m.user_id
        where m.invitation_hash = ${hash}`
      })

      const lockUser = SqlSchema.void({
        Request: UserId,
        execute: (user_id) => sql`select 1 from members where user_id = ${user_id} order by organization_id for update`
      })

      const accept = SqlSchema.void({
        Request: Hash,
        execute: (hash) => sql`
        update members set status = 'active', invited_email = null, joined_at = now(), updated_at = now()
        where invitation_hash = ${hash} and status = 'invited'`
      })

      return traced("InvitationsRepo", {
        /** Creates an invitation, or replaces the token of an open one. Returns no row for an active member. */
        issue,
        withdraw,
        find,
        /** Locks a user's memberships, so that only the invitation that is accepted first can set the password. */
        lockUser,
        accept
      })
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
