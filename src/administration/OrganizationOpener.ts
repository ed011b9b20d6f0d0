import { Context, Effect, Layer, Option } from "effect"
import type { StoredTaxRate } from "../billing/taxes/TaxRate.ts"
import { TaxRates } from "../billing/taxes/TaxRates.ts"
import { OrganizationBinding } from "../identity/OrganizationBinding.ts"
import type { User } from "../identity/users/User.ts"
import type { EmailTaken, PasswordUnacceptable } from "../identity/users/UserErrors.ts"
import { Users } from "../identity/users/Users.ts"
import type { ValidationFailed } from "../kernel/Refusal.ts"
import type { Organization } from "../organizations/profile/Organization.ts"
import { OrganizationBindingLive } from "../organizations/OrganizationBindingLive.ts"
import { Organizations } from "../organizations/Organizations.ts"
import type { PasswordsBusy } from "../platform/crypto/Passwords.ts"
import { Database } from "../platform/sql/Database.ts"
import type { Opening } from "./Opening.ts"

export interface Opened {
  readonly organization: Organization
  readonly owner: User
  readonly tax_rates: ReadonlyArray<StoredTaxRate>
}

/** Creates organizations with their owner and the usual tax rates of their country. */
export class OrganizationOpener extends Context.Service<
  OrganizationOpener,
  {
    /** `actor` names the caller in the organization's audit chain. */
    readonly open: (
      opening: Opening,
      actor: string
    ) => Effect.Effect<Opened, EmailTaken | PasswordUnacceptable | PasswordsBusy | ValidationFailed>
    /** Returns the hash of the owner's password, if there is one, for `openWith`. */
    readonly hash: (opening: Opening) => Effect.Effect<string | undefined, PasswordUnacceptable | PasswordsBusy>
    /** Like `open`, for a password that was hashed before the transaction of the caller. */
    readonly openWith: (
      opening: Opening,
      password_hash: string | undefined,
      actor: string
    ) => Effect.Effect<Opened, EmailTaken | ValidationFailed>
  }
>()("invoicing/administration/OrganizationOpener") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const users = yield* Users
      const organizations = yield* Organizations
      const binding = yield* OrganizationBinding
      const taxRates = yield* TaxRates
      const { transaction } = yield* Database

      /** A password is set only for a new user, because it must not take over an existing account. */
      const ownerOf = ({ owner_email, owner_name }: Opening, password_hash: string | undefined) => {
        const draft = { name: owner_name ?? owner_email, email: owner_email }
        return password_hash === undefined ? users.invite(draft) : users.createWith(draft, password_hash)
      }

      const hash = Effect.fnUntraced(function* ({ owner_email, owner_password }: Opening) {
        return owner_password === undefined ? undefined : yield* users.hash(owner_password, owner_email)
      })

      const openWith = Effect.fn("OrganizationOpener.openWith")(function* (
        opening: Opening,
        password_hash: string | undefined,
        actor: string
      ) {
        const { country, currency, language, name, timezone } = opening
        const owner = yield* ownerOf(opening, password_hash)
        const primary = yield* binding.primaryOf(owner.id)
        const draft = { name, country, currency, timezone, language, owner_id: owner.id }
        const organization = yield* organizations.create(draft, actor)
        const tax_rates = yield* taxRates.openUsual(organization.id, country, actor)
        if (Option.isSome(primary)) return { organization, owner, tax_rates }
        yield* users.setPrimaryOrganization(owner.id, organization.id)
        return { organization, owner: { ...owner, primary_organization_id: organization.id }, tax_rates }
      }, transaction)

      const open = Effect.fn("OrganizationOpener.open")(function* (opening: Opening, actor: string) {
        // Hashing takes long, so it comes before the transaction.
        return yield* openWith(opening, yield* hash(opening), actor)
      })

      return OrganizationOpener.of({ open, hash, openWith })
    })
  ).pipe(Layer.provide([Users.layer, Organizations.layer, TaxRates.layer, OrganizationBindingLive]))
}
