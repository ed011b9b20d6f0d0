import { Context, Effect, Layer, Option, Schedule } from "effect"
import { Hex } from "effect/encoding"
import { hashToken } from "../platform/crypto/Opaque.ts"
import { LoginThrottleRepo } from "./LoginThrottleRepo.ts"
import { LoginThrottled } from "./UserErrors.ts"

/** Wrong passwords before each further one costs a delay: 1 s, doubling up to 15 minutes, never a lock. */
const account_attempts_free = 10
/** An office behind one address shares this count. */
const address_attempts_free = 100
/** A delay this short is waited for here: somebody who logs in at many places at once is not turned away. */
const patience_seconds = 1
const waits_max = 3

/** What typed addresses are counted under: nobody's mail address is kept for having been mistyped. */
const accountKey = (email: string) => `account:${Hex.encode(hashToken(email.toLowerCase()))}`
const addressKey = (address: string) => `address:${address}`

/** Slows guessing of passwords per account and per network address, whatever the number of processes. */
export class LoginThrottle extends Context.Service<
  LoginThrottle,
  {
    /** Counts as a failure until it is known to be none, so that parallel guesses cannot slip through together. */
    readonly attempt: (email: string, address: string) => Effect.Effect<void, LoginThrottled>
    /** The password was not looked at. */
    readonly takeBack: (email: string, address: string) => Effect.Effect<void>
    readonly succeed: (email: string, address: string) => Effect.Effect<void>
  }
>()("invoicing/identity/LoginThrottle") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* LoginThrottleRepo

      const count = Effect.fnUntraced(
        function* (key: string, free_attempts: number) {
          if (Option.isSome(yield* repo.attempt({ key, free_attempts }))) return
          const { seconds } = yield* repo.secondsLeft(key)
          return yield* new LoginThrottled({ retry_after_seconds: seconds })
        },
        Effect.retry({
          while: ({ retry_after_seconds }) => retry_after_seconds <= patience_seconds,
          schedule: Schedule.spaced(`${patience_seconds} seconds`),
          times: waits_max
        })
      )

      const attempt = Effect.fn("LoginThrottle.attempt")(function* (email: string, address: string) {
        yield* count(addressKey(address), address_attempts_free)
        yield* count(accountKey(email), account_attempts_free)
      })

      const takeBack = Effect.fn("LoginThrottle.takeBack")(function* (email: string, address: string) {
        yield* repo.takeBack(accountKey(email))
        yield* repo.takeBack(addressKey(address))
      })

      const succeed = Effect.fn("LoginThrottle.succeed")(function* (email: string, address: string) {
        // Only the account starts afresh: a login of one's own must not buy guesses at the accounts of others.
        yield* repo.forget(accountKey(email))
        yield* repo.takeBack(addressKey(address))
      })

      return LoginThrottle.of({ attempt, takeBack, succeed })
    })
  ).pipe(Layer.provide(LoginThrottleRepo.layer))
}
