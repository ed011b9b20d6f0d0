import { Effect, Layer, Option } from "effect"
import { OrganizationBinding } from "../identity/OrganizationBinding.ts"
import { Users } from "../identity/users/Users.ts"
import type { OrganizationId, UserId } from "../kernel/Ids.ts"
import { MembersRepo } from "./members/MembersRepo.ts"

/** Tells `src/identity` which organizations a user belongs to. */
export const OrganizationBindingLive = Layer.effect(
  OrganizationBinding,
  Effect.gen(function* () {
    const members = yield* MembersRepo
    const users = yield* Users

    const primaryOf = Effect.fn("OrganizationBinding.primaryOf")(function* (user_id: UserId) {
      const memberships = yield* members.ofUser(user_id)
      const user = yield* users.find(user_id)
      const chosen = Option.getOrUndefined(user)?.primary_organization_id
      const primary = memberships.find(({ id }) => id === chosen) ?? memberships[0]
      return Option.map(Option.fromUndefinedOr(primary), ({ id }) => id)
    })

    const isMember = Effect.fn("OrganizationBinding.isMember")(function* (
      user_id: UserId,
      organization_id: OrganizationId
    ) {
      const member = yield* members.find({ organization_id, user_id })
      return Option.exists(member, ({ status }) => status === "active")
    })

    return OrganizationBinding.of({ primaryOf, isMember, membershipsOf: members.ofUser })
  })
).pipe(Layer.provide([MembersRepo.layer, Users.layer]))
