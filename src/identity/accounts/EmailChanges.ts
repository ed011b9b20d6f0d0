import { Context, Data, Effect, Layer, Option } from "effect"
import { isEmailAddress } from "../../kernel/EmailAddress.ts"
import { hashToken, newToken } from "../../platform/crypto/Opaque.ts"
import { readableAddress } from "../../platform/mail/AddressSpelling.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { Database } from "../../platform/sql/Database.ts"
import { AccountMail } from "../mail/AccountMail.ts"
import { EmailChangesRepo } from "../users/EmailChangesRepo.ts"
import { LinkGone } from "../users/MailedLink.ts"
import type { User } from "../users/User.ts"
import { EmailTaken } from "../users/UserErrors.ts"
import { Users } from "../users/Users.ts"
import { UsersRepo } from "../users/UsersRepo.ts"

/** The text is not an email address or is the present address (`invalid`), or the user requested too many links. */
class ChangeRefused extends Data.TaggedError("ChangeRefused")<{ readonly reason: "invalid" | "too_many" }> {}

interface Confirmed {
  readonly user: User
  readonly email: string
}

/** Changes the address with which a user logs in, after a link that was mailed to the new address was opened. */
export class EmailChanges extends Context.Service<
  EmailChanges,
  {
    /** Mails the link. The answer does not reveal whether another account has the address. */
    readonly ask: (user: User, email: string, language: PageLanguage) => Effect.Effect<void, ChangeRefused>
    readonly open: (token: string) => Effect.Effect<Confirmed, LinkGone>
    /** Stores the address and notifies the former one. Sessions and tokens stay. */
    readonly use: (token: string, language: PageLanguage) => Effect.Effect<Confirmed, LinkGone | EmailTaken>
  }
>()("invoicing/identity/accounts/EmailChanges") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* EmailChangesRepo
      const users = yield* Users
      const usersRepo = yield* UsersRepo
      const mail = yield* AccountMail
      const { transaction } = yield* Database

      const ask = Effect.fn("EmailChanges.ask")(function* (user: User, typed: string, language: PageLanguage) {
        const email = readableAddress(typed)
        const isSame = email.toLowerCase() === user.email.toLowerCase()
        if (isSame || !isEmailAddress(email)) return yield* new ChangeRefused({ reason: "invalid" })
        yield* usersRepo.lock(user.id)
        const token = yield* newToken("eml")
        const inserted = yield* repo.insert({ hash: hashToken(token), user_id: user.id, email })
        if (Option.isNone(inserted)) return yield* new ChangeRefused({ reason: "too_many" })
        yield* mail.enqueueLink(user.id, language, token, email)
      }, transaction)

      const open = Effect.fn("EmailChanges.open")(function* (token: string) {
        const change = Option.getOrUndefined(yield* repo.find(hashToken(token)))
        if (change === undefined) return yield* new LinkGone({ reason: "unknown" })
        if (change.state !== "open") return yield* new LinkGone({ reason: change.state })
        const user = Option.getOrThrow(yield* users.find(change.user_id))
        if (user.disabled_at !== null) return yield* new LinkGone({ reason: "unknown" })
        return { user, email: change.email }
      })

      const use = Effect.fn("EmailChanges.use")(function* (token: string, language: PageLanguage) {
        const { user } = yield* open(token)
        yield* usersRepo.lock(user.id)
        const confirmed = yield* open(token)
        const { email } = confirmed
        if (Option.isNone(yield* repo.apply({ id: user.id, email, hash: hashToken(token) })))
          return yield* EmailTaken.of()
        yield* mail.enqueueNotice(user.id, "email_changed", { language, detail: email, to: confirmed.user.email })
        return confirmed
      }, transaction)

      return EmailChanges.of({ ask, open, use })
    })
  ).pipe(Layer.provide([EmailChangesRepo.layer, Users.layer, UsersRepo.layer, AccountMail.layer]))
}
