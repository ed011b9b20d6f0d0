import { Context, Data, Effect, Layer, Option, Redacted } from "effect"
import { Accounts } from "../identity/accounts/Accounts.ts"
import type { EmailTaken, PasswordUnacceptable } from "../identity/users/UserErrors.ts"
import { Users } from "../identity/users/Users.ts"
import type { ValidationFailed } from "../kernel/Refusal.ts"
import { AppConfig, publicUrl } from "../platform/config/AppConfig.ts"
import { hashToken, newToken } from "../platform/crypto/Opaque.ts"
import type { PasswordsBusy } from "../platform/crypto/Passwords.ts"
import { Database } from "../platform/sql/Database.ts"
import { AlreadySetUp } from "./AdministrationErrors.ts"
import type { Opening } from "./Opening.ts"
import { type Opened, OrganizationOpener } from "./OrganizationOpener.ts"
import { setup_hours, SetupLinksRepo } from "./SetupLinksRepo.ts"

/** The link is not valid: its token is unknown or expired, or the installation already has a user. */
class SetupGone extends Data.TaggedError("SetupGone") {}

interface SetupLink {
  readonly link: Redacted.Redacted
  readonly valid_hours: number
}

export class SetupLinks extends Context.Service<
  SetupLinks,
  {
    readonly issue: Effect.Effect<SetupLink, AlreadySetUp>
    readonly open: (token: string) => Effect.Effect<void, SetupGone>
    /** Creates the organization; its owner becomes a superadmin, because nobody else runs the installation. */
    readonly use: (
      token: string,
      opening: Opening
    ) => Effect.Effect<Opened, SetupGone | EmailTaken | PasswordUnacceptable | PasswordsBusy | ValidationFailed>
  }
>()("invoicing/administration/SetupLinks") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* SetupLinksRepo
      const accounts = yield* Accounts
      const users = yield* Users
      const opener = yield* OrganizationOpener
      const url = publicUrl(yield* AppConfig)
      const { transaction } = yield* Database
      const isEmpty = Effect.map(accounts.list({}), ({ total }) => total === 0)

      const issue = Effect.gen(function* () {
        if (!(yield* isEmpty)) return yield* AlreadySetUp.of()
        const token = yield* newToken("set")
        yield* repo.insert(hashToken(token))
        return { link: Redacted.make(`${url}/setup/${token}`), valid_hours: setup_hours }
      }).pipe(Effect.withSpan("SetupLinks.issue"))

      const open = Effect.fn("SetupLinks.open")(function* (token: string) {
        const link = yield* repo.find(hashToken(token))
        if (Option.isNone(link) || !(yield* isEmpty)) return yield* new SetupGone()
      })

      const use = Effect.fn("SetupLinks.use")(function* (token: string, opening: Opening) {
        yield* open(token)
        // Hashing takes long, so it comes before the transaction.
        return yield* store(token, opening, yield* opener.hash(opening))
      })

      const store = Effect.fnUntraced(function* (token: string, opening: Opening, password_hash: string | undefined) {
        yield* open(token)
        const ended = yield* repo.endAll()
        if (ended.length === 0 || !(yield* isEmpty)) return yield* new SetupGone()
        const opened = yield* opener.openWith(opening, password_hash, "setup")
        // The owner has just been created, so the account exists.
        const owner = yield* Effect.orDie(users.setSuperadmin(opened.owner.email, true))
        return { ...opened, owner }
      }, transaction)

      return SetupLinks.of({ issue, open, use })
    })
  ).pipe(Layer.provide([SetupLinksRepo.layer, Accounts.layer, Users.layer, OrganizationOpener.layer]))
}
