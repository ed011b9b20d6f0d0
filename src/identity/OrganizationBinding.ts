import { Context, type Effect, type Option } from "effect"
import type { OrganizationId, UserId } from "../kernel/Ids.ts"
import type { Role } from "../kernel/Role.ts"

interface Membership {
  readonly id: OrganizationId
  readonly name: string
  readonly role: Role
}

/** Implemented by `src/organizations`, because `src/identity` may not import it. Only active members count. */
export class OrganizationBinding extends Context.Service<
  OrganizationBinding,
  {
    /** The user's primary organization if they still belong to it, otherwise the one they joined first. */
    readonly primaryOf: (user_id: UserId) => Effect.Effect<Option.Option<OrganizationId>>
    readonly isMember: (user_id: UserId, organization_id: OrganizationId) => Effect.Effect<boolean>
    /** All of the user's organizations in the order in which they joined. */
    readonly membershipsOf: (user_id: UserId) => Effect.Effect<ReadonlyArray<Membership>>
  }
>()("invoicing/identity/OrganizationBinding") {}
