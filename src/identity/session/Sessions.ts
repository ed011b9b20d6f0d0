import { Context, Effect, Layer, type Option } from "effect"
import type { UserId } from "../../kernel/Ids.ts"
import { hashToken, newToken } from "../../platform/crypto/Opaque.ts"
import type { Session } from "./Session.ts"
import { SessionsRepo } from "./SessionsRepo.ts"

const user_agent_characters_max = 255

/** Browser logins for the pages for people. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** The token is always new: an attacker may have planted the one that the browser had before the login. */
    readonly start: (user_id: UserId, user_agent: string | undefined) => Effect.Effect<string>
    readonly find: (token: string) => Effect.Effect<Option.Option<Session>>
    readonly list: (user_id: UserId) => Effect.Effect<ReadonlyArray<Session>>
    readonly revoke: (user_id: UserId, id: number) => Effect.Effect<void>
  }
>()("invoicing/identity/session/Sessions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* SessionsRepo

      const start = Effect.fn("Sessions.start")(function* (user_id: UserId, user_agent: string | undefined) {
        const token = yield* newToken("ses")
        const shown = user_agent?.slice(0, user_agent_characters_max) ?? null
        yield* repo.insert({ hash: hashToken(token), user_id, user_agent: shown })
        return token
      })

      return Sessions.of({
        start,
        find: (token) => repo.find(hashToken(token)),
        list: repo.list,
        revoke: (user_id, id) => repo.revoke({ user_id, id })
      })
    })
  ).pipe(Layer.provide(SessionsRepo.layer))
}
