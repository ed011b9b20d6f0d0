import { Context, Effect, Layer, Option } from "effect"
import { limitOf, offsetOf, type PageRequest, type PageRows } from "../../kernel/Envelope.ts"
import { ClientWebhooks } from "../../identity/ClientWebhooks.ts"
import type { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../kernel/Refusal.ts"
import type { Role } from "../../kernel/Role.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { Forbidden } from "../../platform/http/Refusals.ts"
import { holds, type Permission } from "../access/Permission.ts"
import { OrganizationsRepo } from "../profile/OrganizationsRepo.ts"
import { isActiveOwner, type Member, memberEvent } from "./Member.ts"
import { AlreadyMember, CannotRemoveSelf, LastOwner, type OwnersOnly } from "./MemberErrors.ts"
import { MembersRepo } from "./MembersRepo.ts"
import { holdRole, requireOwner } from "./CallerRules.ts"

interface Membership {
  readonly organization_id: OrganizationId
  readonly user_id: UserId
}

interface Grant extends Membership {
  readonly role: Role
}

export class Members extends Context.Service<
  Members,
  {
    /** Makes a user an active member without an invitation. `actor` names who does it, e.g. `admin`. */
    readonly add: (grant: Grant, actor: string) => Effect.Effect<Member, AlreadyMember>
    readonly list: (request: PageRequest) => Effect.Effect<PageRows<Member>, never, CurrentOrganization>
    readonly listOf: (organization_id: OrganizationId, request: PageRequest) => Effect.Effect<PageRows<Member>>
    /** The owners who are notified of matters of the organization; at most 20. */
    readonly ownersOf: (organization_id: OrganizationId) => Effect.Effect<ReadonlyArray<{ readonly id: UserId }>>
    /** The organizations that nobody could manage if the user were disabled; at most 20. */
    readonly ownedAlone: (
      user_id: UserId
    ) => Effect.Effect<ReadonlyArray<{ readonly id: OrganizationId; readonly name: string }>>
    readonly find: (key: Membership) => Effect.Effect<Member, NotFound>
    /**
     * Refuses a caller who has lost the permission since the request arrived. The caller keeps it until the transaction
     * ends.
     */
    readonly holdPermission: (permission: Permission) => Effect.Effect<void, Forbidden, Caller>
    readonly update: (
      user_id: UserId,
      role: Role
    ) => Effect.Effect<Member, NotFound | OwnersOnly | LastOwner | Forbidden, Caller>
    /** Removes a member. The next request of the member is refused; the audit chain still names the member. */
    readonly remove: (
      user_id: UserId
    ) => Effect.Effect<
      { readonly id: UserId },
      NotFound | OwnersOnly | LastOwner | CannotRemoveSelf | Forbidden,
      Caller
    >
    /** Like `update`, but for an administrator of the installation, who may also appoint owners. */
    readonly appoint: (grant: Grant, actor: string) => Effect.Effect<Member, NotFound | LastOwner>
    /** Like `remove`, but for an administrator of the installation. */
    readonly dismiss: (key: Membership, actor: string) => Effect.Effect<Member, NotFound | LastOwner>
  }
>()("invoicing/organizations/members/Members") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* MembersRepo
      const organizations = yield* OrganizationsRepo
      const webhooks = yield* ClientWebhooks
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const add = Effect.fn("Members.add")(function* (grant: Grant, actor: string) {
        const { organization_id, role, user_id } = grant
        yield* organizations.lock(organization_id)
        const known = yield* repo.find(grant)
        if (Option.isSome(known) && known.value.status === "active") return yield* AlreadyMember.of()
        const member = yield* repo.join(grant)
        const event = Option.isSome(known)
          ? memberEvent("member.updated", member, known.value.status)
          : memberEvent("member.created", member)
        const data = { user_id, role }
        yield* auditLog.append({ organization_id, actor, action: "member.added", data, events: [yield* event] })
        return member
      }, transaction)

      const listOf = Effect.fn("Members.list")(function* (id: OrganizationId, request: PageRequest) {
        const rows = yield* repo.list({ organization_id: id, limit: limitOf(request), offset: offsetOf(request) })
        const { total } = yield* repo.count(id)
        return { rows, total }
      })

      const lock = Effect.fnUntraced(function* (key: Membership) {
        yield* organizations.lock(key.organization_id)
        return yield* orNotFound(repo.find(key))
      })

      const requireAnotherOwner = Effect.fnUntraced(function* (organization_id: OrganizationId, member: Member) {
        if (!isActiveOwner(member)) return
        const { is_left } = yield* repo.hasAnotherOwner({ organization_id, user_id: member.id })
        if (!is_left) return yield* LastOwner.of()
      })

      /** Deactivates the webhooks that applications have in the name of a member who may no longer manage webhooks. */
      const endWebhooks = ({ organization_id, user_id }: Membership) =>
        webhooks.deactivate({ user_id, client_id: null, organization_id })

      /** Changes the role of a member. Runs `ownersRule` first if the role `owner` is granted or revoked. */
      const change = Effect.fnUntraced(function* <E, R>(
        { organization_id, role, user_id }: Grant,
        actor: string,
        ownersRule: Effect.Effect<void, E, R>
      ) {
        const member = yield* lock({ organization_id, user_id })
        if (role === member.role) return member
        if (role === "owner" || member.role === "owner") yield* ownersRule
        yield* requireAnotherOwner(organization_id, member)
        const changed = yield* repo.setRole({ organization_id, user_id, role })
        if (mayManageWebhooks(member) && !mayManageWebhooks(changed)) yield* endWebhooks({ organization_id, user_id })
        const data = { user_id, role, previous: member.role }
        const events = [yield* memberEvent("member.updated", changed)]
        yield* auditLog.append({ organization_id, actor, action: "member.role_changed", data, events })
        return changed
      })

      const end = Effect.fnUntraced(function* <E, R>(
        { organization_id, user_id }: Membership,
        actor: string,
        rule: (member: Member) => Effect.Effect<void, E, R>
      ) {
        const member = yield* lock({ organization_id, user_id })
        yield* rule(member)
        yield* repo.remove({ organization_id, user_id })
        yield* endWebhooks({ organization_id, user_id })
        const data = { user_id, role: member.role }
        const events = [yield* memberEvent("member.deleted", member)]
        yield* auditLog.append({ organization_id, actor, action: "member.removed", data, events })
        return member
      })

      const holdManager = Effect.fnUntraced(function* (organization_id: OrganizationId) {
        yield* organizations.lock(organization_id)
        yield* holdRole(repo, "users.manage")
      })

      const update = Effect.fn("Members.update")(function* (user_id: UserId, role: Role) {
        yield* Effect.annotateCurrentSpan({ "user.id": user_id })
        const { id: organization_id } = yield* CurrentOrganization
        yield* holdManager(organization_id)
        const { actor } = yield* CurrentPrincipal
        return yield* change({ organization_id, user_id, role }, actor, requireOwner(repo, organization_id))
      }, transaction)

      const remove = Effect.fn("Members.remove")(function* (user_id: UserId) {
        yield* Effect.annotateCurrentSpan({ "user.id": user_id })
        const { id: organization_id } = yield* CurrentOrganization
        const { actor, user_id: own_id } = yield* CurrentPrincipal
        yield* holdManager(organization_id)
        yield* end({ organization_id, user_id }, actor, (member) =>
          Effect.gen(function* () {
            if (user_id === own_id) return yield* CannotRemoveSelf.of()
            yield* requireAnotherOwner(organization_id, member)
            if (member.role === "owner") yield* requireOwner(repo, organization_id)
          })
        )
        return { id: user_id }
      }, transaction)

      const appoint = Effect.fn("Members.appoint")(function* (grant: Grant, actor: string) {
        return yield* change(grant, actor, Effect.void)
      }, transaction)

      const dismiss = Effect.fn("Members.dismiss")(function* (key: Membership, actor: string) {
        return yield* end(key, actor, (member) => requireAnotherOwner(key.organization_id, member))
      }, transaction)

      return Members.of({
        add,
        list: (request) => Effect.flatMap(CurrentOrganization, ({ id }) => listOf(id, request)),
        listOf,
        ownersOf: repo.owners,
        ownedAlone: repo.ownedAlone,
        find: (key) => orNotFound(repo.find(key)),
        holdPermission: (permission) => Effect.asVoid(holdRole(repo, permission)),
        update,
        remove,
        appoint,
        dismiss
      })
    })
  ).pipe(Layer.provide([MembersRepo.layer, OrganizationsRepo.layer]))
}

const mayManageWebhooks = ({ role }: Member) => holds(role, "webhooks.manage")
