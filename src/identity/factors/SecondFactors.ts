import { Clock, Context, Data, Effect, Layer, Option } from "effect"
import type { UserId } from "../../kernel/Ids.ts"
import { SecretBox } from "../../platform/crypto/SecretBox.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type LoginOrigin, LoginThrottle } from "../users/LoginThrottle.ts"
import { AccountMail } from "../mail/AccountMail.ts"
import type { User } from "../users/User.ts"
import type { LoginThrottled } from "../users/UserErrors.ts"
import { UsersRepo } from "../users/UsersRepo.ts"
import { isRecoveryCode, newRecoveryCode, recovery_codes_count, recoveryHash } from "./RecoveryCode.ts"
import { SecondFactorsRepo } from "./SecondFactorsRepo.ts"
import { enrolmentAddress, newSecret, stepOf } from "./Totp.ts"

/** The code is wrong, too old, or was used before. */
export class CodeWrong extends Data.TaggedError("CodeWrong") {}

interface Enrolment {
  /** Base32, for an app that cannot read the QR code. */
  readonly secret: string
  /** Content of the QR code. */
  readonly address: string
}

/** `recovery_codes` is the number of unused recovery codes. */
export type FactorState = { readonly on: false } | { readonly on: true; readonly recovery_codes: number }

type Checked<A> = Effect.Effect<A, CodeWrong | LoginThrottled>

/** The second step of a login: codes of an authenticator app (RFC 6238), or recovery codes if the app is lost. */
export class SecondFactors extends Context.Service<
  SecondFactors,
  {
    readonly state: (user_id: UserId) => Effect.Effect<FactorState>
    /** Makes a secret, which has no effect until `confirm`. None if the factor is on already. */
    readonly begin: (user: User) => Effect.Effect<Option.Option<Enrolment>>
    readonly pending: (user: User) => Effect.Effect<Option.Option<Enrolment>>
    /** Turns the factor on with its first code, and returns the recovery codes. */
    readonly confirm: (user: User, code: string, origin: LoginOrigin) => Checked<ReadonlyArray<string>>
    /** Accepts a code of the app or a recovery code; each works once. */
    readonly check: (user: User, code: string, origin: LoginOrigin) => Checked<void>
    readonly renewRecovery: (user: User) => Effect.Effect<ReadonlyArray<string>>
    /** False if the factor was not on. */
    readonly remove: (user_id: UserId) => Effect.Effect<boolean>
  }
>()("invoicing/identity/factors/SecondFactors") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* SecondFactorsRepo
      const users = yield* UsersRepo
      const box = yield* SecretBox
      const throttle = yield* LoginThrottle
      const mail = yield* AccountMail
      const { transaction } = yield* Database

      const state = Effect.fn("SecondFactors.state")(function* (user_id: UserId) {
        const factor = yield* repo.find(user_id)
        if (!Option.exists(factor, ({ confirmed }) => confirmed)) return { on: false } as const
        return { on: true, recovery_codes: (yield* repo.recoveryLeft(user_id)).codes } as const
      })

      const begin = Effect.fn("SecondFactors.begin")(function* ({ email, id }: User) {
        const secret = newSecret()
        const begun = yield* repo.begin({ user_id: id, sealed_secret: yield* box.seal(secret, sealedFor(id)) })
        return Option.as(begun, { secret, address: enrolmentAddress(secret, email) })
      })

      const pending = Effect.fn("SecondFactors.pending")(function* ({ email, id }: User) {
        const factor = Option.filter(yield* repo.find(id), ({ confirmed }) => !confirmed)
        if (Option.isNone(factor)) return Option.none()
        const secret = yield* box.open(factor.value.sealed_secret, sealedFor(id))
        return Option.some({ secret, address: enrolmentAddress(secret, email) })
      })

      /** Checks a code of an authenticator app. False if it is wrong, or not newer than the last accepted one. */
      const takeCode = Effect.fnUntraced(function* (user_id: UserId, code: string, isOn: boolean) {
        const factor = Option.filter(yield* repo.find(user_id), ({ confirmed }) => confirmed === isOn)
        if (Option.isNone(factor)) return false
        const secret = yield* box.open(factor.value.sealed_secret, sealedFor(user_id))
        const step = stepOf(secret, code.replace(/\s/g, ""), yield* Clock.currentTimeMillis)
        return step !== undefined && Option.isSome(yield* repo.take({ user_id, step }))
      })

      const takeRecovery = Effect.fnUntraced(function* (user_id: UserId, code: string) {
        const taken = Option.isSome(yield* repo.takeRecovery({ user_id, hash: recoveryHash(code) }))
        if (taken) yield* mail.enqueueNotice(user_id, "recovery_used")
        return taken
      })

      /**
       * Counts an attempt in its own transaction, because a wrong code rolls back the transaction that accepts codes.
       */
      const counted = Effect.fnUntraced(function* <A>(
        user: User,
        origin: LoginOrigin,
        take: Effect.Effect<A, CodeWrong>
      ) {
        const attempt = yield* throttle.attemptCode(user, origin)
        const taken = yield* transaction(take)
        yield* attempt.succeed
        return taken
      })

      const check = Effect.fn("SecondFactors.check")(function* (user: User, code: string, origin: LoginOrigin) {
        const take = isRecoveryCode(code) ? takeRecovery(user.id, code) : takeCode(user.id, code, true)
        yield* counted(user, origin, Effect.flatMap(take, orWrong))
      })

      const replaceRecovery = Effect.fnUntraced(function* (user_id: UserId) {
        const codes = Array.from({ length: recovery_codes_count }, newRecoveryCode)
        yield* repo.dropRecovery(user_id)
        yield* repo.insertRecovery({ user_id, hashes: codes.map(recoveryHash) })
        return codes
      })

      const confirm = Effect.fn("SecondFactors.confirm")(function* (user: User, code: string, origin: LoginOrigin) {
        const turnOn = Effect.gen(function* () {
          yield* orWrong(yield* takeCode(user.id, code, false))
          yield* mail.enqueueNotice(user.id, "factor_on")
          return yield* replaceRecovery(user.id)
        })
        return yield* counted(user, origin, turnOn)
      })

      const renewRecovery = Effect.fn("SecondFactors.renewRecovery")(function* ({ id }: User) {
        yield* users.lock(id)
        yield* mail.enqueueNotice(id, "recovery_renewed")
        return yield* replaceRecovery(id)
      }, transaction)

      const remove = Effect.fn("SecondFactors.remove")(function* (user_id: UserId) {
        yield* users.lock(user_id)
        yield* repo.dropRecovery(user_id)
        const removed = Option.isSome(yield* repo.remove(user_id))
        if (removed) yield* mail.enqueueNotice(user_id, "factor_off")
        return removed
      }, transaction)

      return SecondFactors.of({ state, begin, pending, confirm, check, renewRecovery, remove })
    })
  ).pipe(Layer.provide([SecondFactorsRepo.layer, UsersRepo.layer, LoginThrottle.layer, AccountMail.layer]))
}

const orWrong = (taken: boolean) => (taken ? Effect.void : Effect.fail(new CodeWrong()))

/** The context of the encryption, so that a secret can be decrypted only for its user. */
const sealedFor = (user_id: UserId) => `second factor:${user_id}`
