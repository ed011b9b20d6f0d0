import { Context, Effect, Layer, Option } from "effect"
import type { UserId } from "../../kernel/Ids.ts"
import { hashToken, newToken } from "../../platform/crypto/Opaque.ts"
import { DevicesRepo } from "./DevicesRepo.ts"

interface Remembered {
  readonly token: string
  /** True if the device has logged in to this account before. */
  readonly known: boolean
}

/**
 * Browsers that have logged in, recognised by a cookie (OWASP, "Slow Down Online Guessing Attacks with Device
 * Cookies"). A device is known to the account of one user only, and does not replace the password.
 */
export class Devices extends Context.Service<
  Devices,
  {
    /** Returns the device's token after a login: the one it sent if that is valid for the user, else a new one. */
    readonly remember: (user_id: UserId, token: string | undefined) => Effect.Effect<Remembered>
    /** Counts a failed login. Returns false if this account does not know the device or has revoked it. */
    readonly attempt: (email: string, token: string) => Effect.Effect<boolean>
    /** Undoes the count of `attempt`. */
    readonly takeBack: (token: string) => Effect.Effect<void>
  }
>()("invoicing/identity/users/Devices") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* DevicesRepo

      const remember = Effect.fn("Devices.remember")(function* (user_id: UserId, token: string | undefined) {
        if (token !== undefined && Option.isSome(yield* repo.renew({ hash: hashToken(token), user_id }))) {
          return { token, known: true }
        }
        const fresh = yield* newToken("dev")
        yield* repo.insert({ hash: hashToken(fresh), user_id })
        return { token: fresh, known: false }
      })

      return Devices.of({
        remember,
        attempt: (email, token) => Effect.map(repo.attempt({ email, hash: hashToken(token) }), Option.isSome),
        takeBack: (token) => repo.takeBack(hashToken(token))
      })
    })
  ).pipe(Layer.provide(DevicesRepo.layer))
}
