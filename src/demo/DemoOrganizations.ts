import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { TaxRates } from "../billing/taxes/TaxRates.ts"
import { everyScope, scopesKnown } from "../identity/Scope.ts"
import { ApiTokens } from "../identity/tokens/ApiTokens.ts"
import type { EmailTaken } from "../identity/users/UserErrors.ts"
import { Users } from "../identity/users/Users.ts"
import type { OrganizationId, TokenId, UserId } from "../kernel/Ids.ts"
import { Members } from "../organizations/members/Members.ts"
import { type Organization, OrganizationChanges, OrganizationDraft } from "../organizations/profile/Organization.ts"
import { Organizations } from "../organizations/Organizations.ts"
import { newToken } from "../platform/crypto/Opaque.ts"
import { CurrentOrganization, CurrentPrincipal } from "../platform/http/Security.ts"
import { DemoBank } from "./DemoBank.ts"
import { DemoBooks } from "./DemoBooks.ts"
import type { DemoFacts } from "./DemoFacts.ts"
import type { DemoOrganization, DemoPerson } from "./DemoOrganization.ts"

type DemoUser = DemoFacts["users"][number]

const actor = "admin"
/** This plan includes the archive. */
const plan = "business"

export class DemoOrganizations extends Context.Service<
  DemoOrganizations,
  {
    /** Opens the organization; the owner is the first of the returned users. */
    readonly open: (
      demo: DemoOrganization
    ) => Effect.Effect<
      { readonly organization: DemoFacts["organizations"][number]; readonly users: ReadonlyArray<DemoUser> },
      EmailTaken
    >
  }
>()("invoicing/demo/DemoOrganizations") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const users = yield* Users
      const members = yield* Members
      const organizations = yield* Organizations
      const tokens = yield* ApiTokens
      const taxRates = yield* TaxRates
      const books = yield* DemoBooks
      const bank = yield* DemoBank

      /** The password is random, because a known one would open every demo on the internet. */
      const register = Effect.fnUntraced(function* (person: DemoPerson) {
        const password = yield* newToken("demo")
        const { id } = yield* users
          .create(person, Redacted.make(password))
          .pipe(Effect.catchTags({ PasswordUnacceptable: Effect.die, PasswordsBusy: Effect.die }))
        const issued = tokens.issuePersonal(id, { name: "Demo", scopes: [everyScope] }, null)
        // Issuing the token cannot fail, because a user who has just been created is not disabled.
        const { secret, token } = yield* Effect.orDie(issued)
        const credentials = { id, ...person, password, token: Redacted.value(secret) }
        return { credentials, token_id: token.id }
      })

      const join = Effect.fnUntraced(function* (
        { role, ...person }: DemoOrganization["members"][number],
        organization_id: OrganizationId
      ) {
        const { credentials } = yield* register(person)
        yield* Effect.orDie(members.add({ organization_id, user_id: credentials.id, role }, actor))
        yield* users.setPrimaryOrganization(credentials.id, organization_id)
        return { ...credentials, organization_id, role }
      })

      const settle = Effect.fnUntraced(function* (demo: DemoOrganization, owner_id: UserId) {
        const draft = yield* decodeDraft({ ...demo.draft, owner_id })
        const created = yield* Effect.orDie(organizations.create(draft, actor))
        const { country, id } = created
        yield* organizations.setPlan(id, plan, actor)
        yield* taxRates.openUsual(id, country, actor)
        yield* users.setPrimaryOrganization(owner_id, id)
        const profile = yield* decodeProfile(demo.profile)
        return yield* organizations
          .update(id, profile)
          .pipe(Effect.provideService(CurrentOrganization, active(created)))
      }, Effect.orDie)

      const keepBooks = Effect.fnUntraced(function* (demo: DemoOrganization) {
        const customers = yield* Effect.forEach(demo.customers, books.addCustomer)
        const invoices = yield* Effect.forEach(demo.invoices, (invoice) =>
          Effect.flatMap(Effect.fromNullishOr(customers[invoice.customer]), ({ id }) => books.addInvoice(invoice, id))
        ).pipe(Effect.orDie)
        for (const quote of demo.quotes) {
          const customer = customers[quote.customer]
          if (customer !== undefined) yield* books.addQuote(quote, customer.id)
        }
        yield* Effect.forEach(demo.expenses, books.addExpense)
        yield* bank.open(demo.bank, invoices)
        return customers.map(({ id, name }) => ({ id, name }))
      })

      const open = Effect.fn("DemoOrganizations.open")(function* (demo: DemoOrganization) {
        const { credentials, token_id } = yield* register(demo.owner)
        const asOwner = Effect.provideService(CurrentPrincipal, principal(credentials.id, token_id))
        const organization = yield* asOwner(settle(demo, credentials.id))
        const { country, currency, id, name } = organization
        const { secret } = yield* tokens.issueOrganization(id, { name: "Demo", scopes: scopesKnown }, actor)
        const customers = yield* keepBooks(demo).pipe(
          asOwner,
          Effect.provideService(CurrentOrganization, active(organization))
        )
        const owner = { ...credentials, organization_id: id, role: "owner" as const }
        return {
          organization: { id, name, country, currency, token: Redacted.value(secret), customers },
          users: [owner, ...(yield* Effect.forEach(demo.members, (member) => join(member, id)))]
        }
      })

      return DemoOrganizations.of({ open })
    })
  ).pipe(
    Layer.provide([Users.layer, Members.layer, Organizations.layer, ApiTokens.layer, TaxRates.layer]),
    Layer.provide([DemoBooks.layer, DemoBank.layer])
  )
}

const decodeDraft = Schema.decodeEffect(OrganizationDraft)
const decodeProfile = Schema.decodeEffect(OrganizationChanges)

const principal = (user_id: UserId, token_id: TokenId) => ({
  token_id,
  kind: "personal" as const,
  user_id,
  client_id: null,
  scopes: new Set([everyScope]),
  bound_organization_id: null,
  actor: `user:${user_id}`
})

const active = (organization: Organization) => ({
  ...organization,
  currency_in_use: false,
  archived: false,
  role: "owner" as const
})
