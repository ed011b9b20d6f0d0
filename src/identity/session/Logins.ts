import { Context, Effect, Layer, Option } from "effect"
import { Unauthenticated } from "../../platform/http/Refusals.ts"
import { CurrentPrincipal } from "../../platform/http/Security.ts"
import { InvalidTokenType } from "../OAuthErrors.ts"
import { OrganizationBinding } from "../OrganizationBinding.ts"
import { Tokens } from "../tokens/Tokens.ts"
import { Users } from "../users/Users.ts"
import type { AuthenticatedUser } from "./AuthenticatedUser.ts"

type LogoutRefused = InvalidTokenType | Unauthenticated

export class Logins extends Context.Service<
  Logins,
  {
    readonly user: Effect.Effect<AuthenticatedUser, Unauthenticated, CurrentPrincipal>
    readonly logout: Effect.Effect<void, LogoutRefused, CurrentPrincipal>
    readonly logoutAll: Effect.Effect<void, LogoutRefused, CurrentPrincipal>
  }
>()("invoicing/identity/session/Logins") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const users = yield* Users
      const tokens = yield* Tokens
      const binding = yield* OrganizationBinding

      const user = Effect.gen(function* () {
        const { bound_organization_id: bound, user_id } = yield* CurrentPrincipal
        const found = user_id === null ? Option.none() : yield* users.find(user_id)
        if (Option.isNone(found)) return yield* Unauthenticated.of()
        const { email, id, name } = found.value
        const isSeen = (organization_id: number) => bound === null || organization_id === bound
        const organizations = (yield* binding.membershipsOf(id)).filter((membership) => isSeen(membership.id))
        const primary = Option.filter(yield* binding.primaryOf(id), isSeen)
        return { id, name, email, primary_organization_id: Option.getOrNull(primary), organizations }
      }).pipe(Effect.withSpan("Logins.user"))

      const revocable = Effect.gen(function* () {
        const { kind, token_id, user_id } = yield* CurrentPrincipal
        if (kind === "organization") return yield* InvalidTokenType.of()
        if (user_id === null) return yield* Unauthenticated.of()
        return { token_id, user_id }
      })

      const logout = Effect.gen(function* () {
        const { token_id, user_id } = yield* revocable
        if (!(yield* tokens.logout(user_id, token_id))) return yield* Unauthenticated.of()
      }).pipe(Effect.withSpan("Logins.logout"))

      const logoutAll = Effect.gen(function* () {
        const { user_id } = yield* revocable
        if (!(yield* tokens.logoutAll(user_id))) return yield* Unauthenticated.of()
      }).pipe(Effect.withSpan("Logins.logoutAll"))

      return Logins.of({ user, logout, logoutAll })
    })
  ).pipe(Layer.provide([Users.layer, Tokens.layer]))
}
