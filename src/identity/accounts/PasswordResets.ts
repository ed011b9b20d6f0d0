import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { UserId } from "../../kernel/Ids.ts"
import { NotFound, orNotFound } from "../../kernel/Refusal.ts"
import { AppConfig, publicUrl } from "../../platform/config/AppConfig.ts"
import { hashToken, newToken } from "../../platform/crypto/Opaque.ts"
import { PasswordsBusy } from "../../platform/crypto/Passwords.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { LoginOrigin } from "../users/LoginThrottle.ts"
import { AccountMail } from "../mail/AccountMail.ts"
import { Tokens } from "../tokens/Tokens.ts"
import type { User } from "../users/User.ts"
import type { CredentialsWrong, LoginThrottled, PasswordUnacceptable } from "../users/UserErrors.ts"
import { type CheckedUser, Users } from "../users/Users.ts"
import { UsersRepo } from "../users/UsersRepo.ts"
import { LinkGone } from "../users/MailedLink.ts"
import type { PasswordLink } from "./PasswordLink.ts"
import { PasswordResetsRepo, reset_minutes } from "../users/PasswordResetsRepo.ts"

/** Maximum number of requests for links that one process handles in the background; further requests get a 503. */
const working_max = 64

interface Change {
  readonly current: Redacted.Redacted
  readonly next: Redacted.Redacted
  readonly origin: LoginOrigin
  readonly language: PageLanguage
}

export class PasswordResets extends Context.Service<
  PasswordResets,
  {
    /** The answer does not wait for the mail, so that its time does not reveal whether the address is known. */
    readonly ask: (email: string, language: PageLanguage) => Effect.Effect<void, PasswordsBusy>
    /** Makes a link for the operator, who passes it to the user in another way than by mail. Fails for a disabled user. */
    readonly issue: (email: string) => Effect.Effect<PasswordLink, NotFound>
    readonly open: (token: string) => Effect.Effect<User, LinkGone>
    /** Sets the password, and logs the user out of every browser and application. */
    readonly use: (
      token: string,
      password: Redacted.Redacted,
      language: PageLanguage
    ) => Effect.Effect<CheckedUser, LinkGone | PasswordUnacceptable | PasswordsBusy>
    /** Sets the password of a user who knows the current one, and logs the user out of every browser. */
    readonly change: (
      user: User,
      change: Change
    ) => Effect.Effect<CheckedUser, CredentialsWrong | LoginThrottled | PasswordUnacceptable | PasswordsBusy>
  }
>()("invoicing/identity/accounts/PasswordResets") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* PasswordResetsRepo
      const users = yield* Users
      const usersRepo = yield* UsersRepo
      const tokens = yield* Tokens
      const mail = yield* AccountMail
      const { transaction } = yield* Database
      const scope = yield* Effect.scope
      const url = publicUrl(yield* AppConfig)
      let working = 0

      const store = Effect.fnUntraced(function* (user_id: UserId, is_mailed: boolean) {
        const token = yield* newToken("rst")
        yield* repo.insert({ hash: hashToken(token), user_id, is_mailed })
        return token
      })

      const issue = Effect.fn("PasswordResets.issue")(function* (email: string) {
        const user = yield* orNotFound(users.findByEmail(email))
        if (user.disabled_at !== null) return yield* NotFound.of()
        const link = Redacted.make(`${url}/reset/${yield* store(user.id, false)}`)
        return { user, link, valid_minutes: reset_minutes }
      })

      const mailLink = Effect.fn("PasswordResets.mailLink")(function* (email: string, language: PageLanguage) {
        const user = Option.getOrUndefined(yield* users.findByEmail(email))
        if (user === undefined || user.disabled_at !== null) return
        yield* usersRepo.lock(user.id)
        if (!(yield* repo.isDue(user.id)).is_due) return
        yield* mail.orderLink(user.id, language, yield* store(user.id, true))
      }, transaction)

      const ask = Effect.fn("PasswordResets.ask")(function* (email: string, language: PageLanguage) {
        if (working >= working_max) return yield* PasswordsBusy.of()
        working++
        yield* mailLink(email, language).pipe(
          Effect.tapCause((cause) =>
            Effect.logError("The mail with a link for a new password could not be enqueued", cause)
          ),
          Effect.ensuring(Effect.sync(() => working--)),
          Effect.forkIn(scope)
        )
      })

      const open = Effect.fn("PasswordResets.open")(function* (token: string) {
        const reset = Option.getOrUndefined(yield* repo.find(hashToken(token)))
        if (reset === undefined) return yield* new LinkGone({ reason: "unknown" })
        if (reset.state !== "open") return yield* new LinkGone({ reason: reset.state })
        const user = Option.getOrThrow(yield* users.find(reset.user_id))
        if (user.disabled_at !== null) return yield* new LinkGone({ reason: "unknown" })
        return user
      })

      const use = Effect.fn("PasswordResets.use")(function* (
        token: string,
        password: Redacted.Redacted,
        language: PageLanguage
      ) {
        // This check saves the expensive hashing of the password. The check that decides follows below, under the lock.
        const user = yield* open(token)
        const password_hash = yield* users.hash(password, user.email)
        yield* transaction(
          Effect.gen(function* () {
            yield* usersRepo.lock(user.id)
            yield* open(token)
            yield* repo.end({ user_id: user.id, used: hashToken(token) })
            yield* usersRepo.setPassword({ id: user.id, password_hash })
            yield* tokens.revokeClients(user.id, null)
            yield* mail.orderNotice(user.id, "password_changed", { language })
          })
        )
        return { ...user, checked_hash: password_hash }
      })

      const change = Effect.fn("PasswordResets.change")(function* (
        { email, id }: User,
        { current, language, next, origin }: Change
      ) {
        const user = yield* users.authenticate(email, current, origin)
        const password_hash = yield* users.hash(next, email)
        yield* users.whileChecked(
          user,
          Effect.gen(function* () {
            yield* repo.end({ user_id: id, used: null })
            yield* usersRepo.setPassword({ id, password_hash })
            yield* mail.orderNotice(id, "password_changed", { language })
          })
        )
        return { ...user, checked_hash: password_hash }
      })

      return PasswordResets.of({ ask, issue, open, use, change })
    })
  ).pipe(Layer.provide([PasswordResetsRepo.layer, Users.layer, UsersRepo.layer, Tokens.layer, AccountMail.layer]))
}
