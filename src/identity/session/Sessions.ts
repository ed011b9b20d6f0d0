import { Context, Effect, Layer, Option } from "effect"
import type { UserId } from "../../kernel/Ids.ts"
import { hashToken, newToken } from "../../platform/crypto/Opaque.ts"
import { networkOf } from "./Network.ts"
import type { Session, SessionId } from "./Session.ts"
import { SessionsRepo } from "./SessionsRepo.ts"

const user_agent_characters_max = 255

interface Start {
  readonly user_agent: string | undefined
  readonly address: string
  /** True if the user has completed all steps of the login, so that no code is needed. */
  readonly complete: boolean
}

interface Started {
  readonly token: string
  /** True if the user must still enter a code before any other page opens. */
  readonly second_step_due: boolean
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /** The token is always new, because an attacker may have planted the one that the browser had before the login. */
    readonly start: (user_id: UserId, start: Start) => Effect.Effect<Started>
    /** Finds a live session of a user who is not disabled. A session whose second step is due is found, too. */
    readonly find: (token: string) => Effect.Effect<Option.Option<Session>>
    readonly list: (user_id: UserId) => Effect.Effect<ReadonlyArray<Session>>
    /** Also revokes the user's unredeemed authorization codes. False if the session had ended already. */
    readonly revoke: (user_id: UserId, id: SessionId) => Effect.Effect<boolean>
    readonly revokeOthers: (user_id: UserId, id: SessionId) => Effect.Effect<void>
    /** Records that the user has just proved their identity again. */
    readonly refresh: (user_id: UserId, id: SessionId) => Effect.Effect<void>
  }
>()("invoicing/identity/session/Sessions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* SessionsRepo

      const start = Effect.fn("Sessions.start")(function* (user_id: UserId, { address, complete, user_agent }: Start) {
        const token = yield* newToken("ses")
        const { second_step_due } = yield* repo.insert({
          hash: hashToken(token),
          user_id,
          user_agent: user_agent?.slice(0, user_agent_characters_max) ?? null,
          network: networkOf(address),
          complete
        })
        return { token, second_step_due }
      })

      return Sessions.of({
        start,
        find: (token) => repo.find(hashToken(token)),
        list: repo.list,
        revoke: (user_id, id) =>
          repo.revoke({ user_id, id }).pipe(Effect.map(Option.isSome), Effect.tap(repo.revokeCodes(user_id))),
        revokeOthers: (user_id, id) => Effect.andThen(repo.revokeOthers({ user_id, id }), repo.revokeCodes(user_id)),
        refresh: (user_id, id) => repo.refresh({ user_id, id })
      })
    })
  ).pipe(Layer.provide(SessionsRepo.layer))
}
