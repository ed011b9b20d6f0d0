import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema, type Statement } from "effect/sql"
import { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { Role } from "../../kernel/Role.ts"
import { Member } from "./Member.ts"
import { traced } from "../../platform/sql/Traced.ts"

const Key = Schema.Struct({ organization_id: OrganizationId, user_id: UserId })
const Grant = Schema.Struct({ ...Key.fields, role: Role })
const Page = Schema.Struct({ organization_id: OrganizationId, limit: Schema.Int, offset: Schema.Int })
const Count = Schema.Struct({ total: Schema.Int })
const OwnMembership = Schema.Struct({ id: OrganizationId, name: Schema.String, role: Role })

/** Maximum number of owners who are notified of the same matter. */
const owners_max = 20
/** Maximum number of organizations that a superadmin is warned about. */
const owned_alone_max = 20

/**
 * Callers lock the organization's row to change a member, so that two changes cannot remove the last two owners. Only the
 * acceptance of an invitation does not: it locks the memberships of the user.
 */
export class MembersRepo extends Context.Service<MembersRepo>()("invoicing/organizations/members/MembersRepo", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(`
      m.user_id as id, case m.status when 'active' then p.name else coalesce(m.invited_email, p.email) end as name,
      case m.status when 'active' then p.email else coalesce(m.invited_email, p.email) end as email,
      m.role, m.status, m.joined_at, m.created_at`)

    const find = SqlSchema.findOneOption({
      Request: Key,
      Result: Member,
      execute: ({ organization_id, user_id }) => sql`
        select ${columns} from members m join people p on p.id = m.user_id
        where m.organization_id = ${organization_id} and m.user_id = ${user_id}`
    })

    const hold = SqlSchema.findOneOption({
      Request: Key,
      Result: Schema.Struct({ role: Role }),
      execute: ({ organization_id, user_id }) => sql`
        select role from members
        where organization_id = ${organization_id} and user_id = ${user_id} and status = 'active' for share`
    })

    const list = SqlSchema.findAll({
      Request: Page,
      Result: Member,
      execute: ({ limit, offset, organization_id }) => sql`
        select ${columns} from members m join people p on p.id = m.user_id
        where m.organization_id = ${organization_id}
        order by m.created_at desc, m.user_id desc limit ${limit} offset ${offset}`
    })

    const count = SqlSchema.findOne({
      Request: OrganizationId,
      Result: Count,
      execute: (organization_id) =>
        sql`select count(*) as total from members where organization_id = ${organization_id}`
    })

    /** A condition that is true if the organization has an owner other than this member who is not disabled. */
    const hasOwnerBeside = (organization_id: Statement.Fragment, user_id: number) => sql`exists (
      select from members other join people p on p.id = other.user_id
      where other.organization_id = ${organization_id} and other.user_id <> ${user_id} and other.role = 'owner'
        and other.status = 'active' and p.disabled_at is null)`

    const hasAnotherOwner = SqlSchema.findOne({
      Request: Key,
      Result: Schema.Struct({ is_left: Schema.Boolean }),
      execute: ({ organization_id, user_id }) =>
        sql`select ${hasOwnerBeside(sql`${organization_id}`, user_id)} as is_left`
    })

    const ownedAlone = SqlSchema.findAll({
      Request: UserId,
      Result: Schema.Struct({ id: OrganizationId, name: Schema.String }),
      execute: (user_id) => sql`
        select o.id, o.name from members m join organizations o on o.id = m.organization_id
        where m.user_id = ${user_id} and m.role = 'owner' and m.status = 'active'
          and not ${hasOwnerBeside(sql.literal("m.organization_id"), user_id)}
        order by o.name, o.id limit ${owned_alone_max}`
    })

    const owners = SqlSchema.findAll({
      Request: OrganizationId,
      Result: Schema.Struct({ id: UserId }),
      execute: (organization_id) => sql`
        select m.user_id as id from members m join people p on p.id = m.user_id
        where m.organization_id = ${organization_id} and m.role = 'owner' and m.status = 'active'
          and p.disabled_at is null
        order by m.user_id limit ${owners_max}`
    })

    const join = SqlSchema.findOne({
      Request: Grant,
      Result: Member,
      execute: ({ organization_id, role, user_id }) => sql`
        with m as (
          insert into members (organization_id, user_id, role, status, joined_at)
          values (${organization_id}, ${user_id}, ${role}, 'active', now())
          on conflict (organization_id, user_id) do update set role = excluded.role, status = 'active',
            invitation_hash = null, invitation_expires_at = null, invited_email = null, joined_at = now(),
            updated_at = now()
          returning *)
        select ${columns} from m join people p on p.id = m.user_id`
    })

    const setRole = SqlSchema.findOne({
      Request: Grant,
      Result: Member,
      execute: ({ organization_id, role, user_id }) => sql`
        with m as (
          update members set role = ${role}, updated_at = now()
          where organization_id = ${organization_id} and user_id = ${user_id} returning *)
        select ${columns} from m join people p on p.id = m.user_id`
    })

    const remove = SqlSchema.void({
      Request: Key,
      execute: ({ organization_id, user_id }) =>
        sql`delete from members where organization_id = ${organization_id} and user_id = ${user_id}`
    })

    const ofUser = SqlSchema.findAll({
      Request: UserId,
      Result: OwnMembership,
      execute: (user_id) => sql`
        select o.id, o.name, m.role from members m join organizations o on o.id = m.organization_id
        where m.user_id = ${user_id} and m.status = 'active' order by coalesce(m.joined_at, m.created_at), o.id`
    })

    return traced("MembersRepo", {
      find,
      /** Locks an active member until the transaction ends, so that the member is neither removed nor gets another role. */
      hold,
      list,
      count,
      hasAnotherOwner,
      /** Finds the organizations that have no other owner who is not disabled. */
      ownedAlone,
      owners,
      /** Makes a user an active member, even if the user is only invited. */
      join,
      setRole,
      remove,
      ofUser
    })
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
