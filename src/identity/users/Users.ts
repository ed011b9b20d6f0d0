import { Context, Effect, Layer, Option, Redacted } from "effect"
import { isEmailAddress } from "../../kernel/EmailAddress.ts"
import type { OrganizationId, UserId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../kernel/Refusal.ts"
import { isAcceptablePassword, Passwords, type PasswordsBusy } from "../../platform/crypto/Passwords.ts"
import { Database } from "../../platform/sql/Database.ts"
import { readableAddress } from "../../platform/mail/AddressSpelling.ts"
import { commonPasswords } from "./CommonPasswords.ts"
import { type LoginOrigin, LoginThrottle } from "./LoginThrottle.ts"
import { CredentialsWrong, EmailTaken, type LoginThrottled, PasswordUnacceptable } from "./UserErrors.ts"
import type { User, UserDraft } from "./User.ts"
import { UsersRepo } from "./UsersRepo.ts"

/** A user whose password was checked, with the hash that it was checked against. */
export interface CheckedUser extends User {
  readonly checked_hash: string
}

export class Users extends Context.Service<
  Users,
  {
    /** Returns the hash to store for an acceptable password. */
    readonly hash: (
      password: Redacted.Redacted,
      email: string
    ) => Effect.Effect<string, PasswordUnacceptable | PasswordsBusy>
    readonly create: (
      draft: UserDraft,
      password: Redacted.Redacted
    ) => Effect.Effect<User, EmailTaken | PasswordUnacceptable | PasswordsBusy>
    /** Like `create`, for a password that was hashed before the transaction of the caller. */
    readonly createWith: (draft: UserDraft, password_hash: string) => Effect.Effect<User, EmailTaken>
    /** Finds the user with this address, or creates one without a password, who cannot log in yet. */
    readonly invite: (draft: UserDraft) => Effect.Effect<User>
    readonly find: (id: UserId) => Effect.Effect<Option.Option<User>>
    readonly findByEmail: (email: string) => Effect.Effect<Option.Option<User>>
    /** Locks the user until the transaction ends, against a change of the password and against being disabled. */
    readonly lock: (id: UserId) => Effect.Effect<void>
    readonly setName: (id: UserId, name: string) => Effect.Effect<void>
    /** Also ends the user's browser sessions. */
    readonly setPassword: (id: UserId, password_hash: string) => Effect.Effect<void>
    readonly setPrimaryOrganization: (id: UserId, organization_id: OrganizationId) => Effect.Effect<void>
    /** Grants or revokes a user's right to run this installation, from their next request on. */
    readonly setSuperadmin: (email: string, superadmin: boolean) => Effect.Effect<User, NotFound>
    /** Checks a password, unless there were too many wrong ones before. */
    readonly authenticate: (
      email: string,
      password: Redacted.Redacted,
      origin: LoginOrigin
    ) => Effect.Effect<CheckedUser, CredentialsWrong | LoginThrottled | PasswordsBusy>
    /**
     * Runs a use case in a transaction, unless the user was disabled or got another password since the check. Such a
     * change ends all sessions and tokens of the user, so none may start afterwards with the former password.
     */
    readonly whileChecked: <A, E, R>(
      user: CheckedUser,
      useCase: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | CredentialsWrong, R>
  }
>()("invoicing/identity/users/Users") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* UsersRepo
      const passwords = yield* Passwords
      const throttle = yield* LoginThrottle
      const { transaction } = yield* Database
      const isCommon = yield* commonPasswords

      const hash = Effect.fnUntraced(function* (password: Redacted.Redacted, email: string) {
        if (!isAcceptablePassword(Redacted.value(password))) return yield* PasswordUnacceptable.badLength()
        const isOwnAddress = Redacted.value(password).toLowerCase() === email.toLowerCase()
        if (isOwnAddress || (yield* isCommon(Redacted.value(password)))) return yield* PasswordUnacceptable.common()
        return yield* passwords.hash(password)
      })

      const createWith = Effect.fn("Users.createWith")(function* (draft: UserDraft, password_hash: string) {
        const user = yield* repo.insert(rowOf(draft, password_hash))
        if (Option.isNone(user)) return yield* EmailTaken.of()
        return user.value
      })

      const create = Effect.fn("Users.create")(function* (draft: UserDraft, password: Redacted.Redacted) {
        return yield* createWith(draft, yield* hash(password, draft.email))
      })

      const invite = Effect.fn("Users.invite")(function* (draft: UserDraft) {
        const insertOrFind = repo
          .insert(rowOf(draft, null))
          .pipe(Effect.filterOrElse(Option.isSome, () => repo.findByEmail(draft.email)))
        const user = yield* insertOrFind
        // The user who had the address may have changed it before it was looked for.
        return Option.getOrThrow(Option.isSome(user) ? user : yield* insertOrFind)
      })

      const authenticate = Effect.fn("Users.authenticate")(function* (
        email: string,
        password: Redacted.Redacted,
        origin: LoginOrigin
      ) {
        const attempt = yield* throttle.attempt(email, origin)
        const known = isEmailAddress(email) ? yield* repo.findLogin(email) : Option.none()
        const stored = Option.flatMap(known, ({ password_hash }) => Option.fromNullOr(password_hash))
        const correct = yield* passwords
          .verify(password, stored, attempt.isKnownDevice ? "known_device" : "anyone")
          .pipe(Effect.tapError(() => attempt.takeBack))
        if (!correct || Option.isNone(known) || Option.isNone(stored)) return yield* new CredentialsWrong()
        const { password_hash: _, ...user } = known.value
        if (user.disabled_at !== null) return yield* new CredentialsWrong()
        yield* attempt.succeed
        if (passwords.needsRehash(stored.value)) {
          const password_hash = yield* passwords.hash(password)
          const kept = yield* repo.rehash({ id: user.id, password_hash, stored: stored.value })
          if (Option.isNone(kept)) return yield* new CredentialsWrong()
          return { ...user, checked_hash: password_hash }
        }
        return { ...user, checked_hash: stored.value }
      })

      const whileChecked = <A, E, R>({ checked_hash, id }: CheckedUser, useCase: Effect.Effect<A, E, R>) =>
        Effect.gen(function* () {
          const { disabled, password_hash } = yield* repo.lock(id)
          if (disabled || password_hash !== checked_hash) return yield* new CredentialsWrong()
          return yield* useCase
        }).pipe(transaction)

      return Users.of({
        hash,
        create,
        createWith,
        invite,
        find: repo.find,
        findByEmail: (email) => (isEmailAddress(email) ? repo.findByEmail(email) : Effect.succeedNone),
        lock: (id) => Effect.asVoid(repo.lock(id)),
        setName: (id, name) => repo.setName({ id, name }),
        setPassword: (id, password_hash) => repo.setPassword({ id, password_hash }),
        setPrimaryOrganization: (id, organization_id) => repo.setPrimaryOrganization({ id, organization_id }),
        setSuperadmin: (email, superadmin) => orNotFound(repo.setSuperadmin({ email, superadmin })),
        authenticate,
        whileChecked
      })
    })
  ).pipe(Layer.provide([UsersRepo.layer, LoginThrottle.layer]))
}

const rowOf = (draft: UserDraft, password_hash: string | null) => ({
  superadmin: false,
  ...draft,
  email: readableAddress(draft.email),
  password_hash
})
