import { Context, Effect, Layer } from "effect"
import { limitOf, offsetOf, type PageRequest, type PageRows } from "../../kernel/Envelope.ts"
import { type NotFound, orNotFound } from "../../kernel/Refusal.ts"
import { Database } from "../../platform/sql/Database.ts"
import { SecondFactors } from "../factors/SecondFactors.ts"
import { Tokens } from "../tokens/Tokens.ts"
import type { User } from "../users/User.ts"
import { OwnAccount } from "../users/UserErrors.ts"
import { Users } from "../users/Users.ts"
import { UsersRepo } from "../users/UsersRepo.ts"

interface UsersRequest extends PageRequest {
  readonly search?: string
}

/** Lets the operator of the installation see, disable and help its users. */
export class Accounts extends Context.Service<
  Accounts,
  {
    readonly list: (request: UsersRequest) => Effect.Effect<PageRows<User>>
    /** Logs the user out everywhere, and revokes tokens and password links for good. `actor` is `admin` or `user:7`. */
    readonly disable: (email: string, actor: string) => Effect.Effect<User, NotFound | OwnAccount>
    readonly enable: (email: string) => Effect.Effect<User, NotFound>
    readonly removeSecondFactor: (email: string) => Effect.Effect<User, NotFound>
  }
>()("invoicing/identity/accounts/Accounts") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* UsersRepo
      const users = yield* Users
      const tokens = yield* Tokens
      const factors = yield* SecondFactors
      const { transaction } = yield* Database
      const byEmail = (email: string) => orNotFound(users.findByEmail(email))

      const list = Effect.fn("Accounts.list")(function* (request: UsersRequest) {
        const search = request.search ?? ""
        const rows = yield* repo.list({ search, limit: limitOf(request), offset: offsetOf(request) })
        return { rows, total: (yield* repo.count({ search })).total }
      })

      const disable = Effect.fn("Accounts.disable")(function* (email: string, actor: string) {
        const { id } = yield* byEmail(email)
        if (actor === `user:${id}`) return yield* OwnAccount.of()
        yield* tokens.logoutAll(id)
        return yield* orNotFound(repo.setDisabled({ id, disabled: true }))
      }, transaction)

      const enable = Effect.fn("Accounts.enable")(function* (email: string) {
        const { id } = yield* byEmail(email)
        return yield* orNotFound(repo.setDisabled({ id, disabled: false }))
      })

      const removeSecondFactor = Effect.fn("Accounts.removeSecondFactor")(function* (email: string) {
        const user = yield* byEmail(email)
        yield* factors.remove(user.id)
        return { ...user, second_factor: false }
      })

      return Accounts.of({ list, disable, enable, removeSecondFactor })
    })
  ).pipe(Layer.provide([UsersRepo.layer, Users.layer, Tokens.layer, SecondFactors.layer]))
}
