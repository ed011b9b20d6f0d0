import { Context, type Effect, type Option } from "effect"
import type { OrganizationId, UserId } from "../kernel/Ids.ts"
import type { Role } from "../kernel/Role.ts"

/** An organization as its member sees it in a list of theirs. */
interface Membership {
  readonly id: OrganizationId
  readonly name: string
  readonly role: Role
}

/**
 * Port: what identity must know of organizations to bind a token to one. The organizations context implements it, since
 * it may call identity and not the other way round. Only active memberships count.
 */
export class OrganizationBinding extends Context.Service<
  OrganizationBinding,
  {
    /** The user's primary organization while they belong to it, else the one they joined first. */
    readonly primaryOf: (user_id: UserId) => Effect.Effect<Option.Option<OrganizationId>>
    readonly isMember: (user_id: UserId, organization_id: OrganizationId) => Effect.Effect<boolean>
    /** All of the user's organizations, the one joined first at the front. */
    readonly membershipsOf: (user_id: UserId) => Effect.Effect<ReadonlyArray<Membership>>
  }
>()("invoicing/identity/OrganizationBinding") {}
