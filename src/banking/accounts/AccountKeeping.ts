import { BigDecimal, Context, Effect, Layer, Option } from "effect"
import type { PageRequest, Slice } from "../../kernel/Envelope.ts"
import type { BankAccountId, OrganizationId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../kernel/Refusal.ts"
import { Journal } from "../../platform/events/Journal.ts"
import { Database } from "../../platform/sql/Database.ts"
import { IbanTaken } from "./AccountErrors.ts"
import type { BankAccount, BankAccountDraft, ProviderBalance } from "./BankAccount.ts"
import { BankAccountsRepo } from "./BankAccountsRepo.ts"

/** Spec, Banking: bank accounts are managed outside the public API, by the administration RPC and its panel. */
export class AccountKeeping extends Context.Service<
  AccountKeeping,
  {
    readonly list: (organization_id: OrganizationId, request: PageRequest) => Effect.Effect<Slice<BankAccount>>
    readonly find: (organization_id: OrganizationId, id: BankAccountId) => Effect.Effect<BankAccount, NotFound>
    readonly open: (
      organization_id: OrganizationId,
      draft: BankAccountDraft,
      actor: string
    ) => Effect.Effect<BankAccount, IbanTaken>
    /** An archived account takes no new statements; its lines stay and can still be matched. */
    readonly archive: (
      organization_id: OrganizationId,
      id: BankAccountId,
      actor: string
    ) => Effect.Effect<BankAccount, NotFound>
    readonly setProviderBalance: (
      organization_id: OrganizationId,
      id: BankAccountId,
      balance: ProviderBalance,
      actor: string
    ) => Effect.Effect<BankAccount, NotFound>
  }
>()("invoicing/banking/accounts/AccountKeeping") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* BankAccountsRepo
      const journal = yield* Journal
      const { transaction } = yield* Database

      const open = Effect.fn("AccountKeeping.open")(function* (
        organization_id: OrganizationId,
        { bic, currency, iban, name }: BankAccountDraft,
        actor: string
      ) {
        const made = yield* repo.insert({ organization_id, name, iban: iban ?? null, bic: bic ?? null, currency })
        if (Option.isNone(made)) return yield* IbanTaken.of()
        const { id } = made.value
        yield* journal.append({
          organization_id,
          actor,
          action: "bank_account.created",
          data: { bank_account_id: id, name, iban: iban ?? null }
        })
        return made.value
      }, transaction)

      const archive = Effect.fn("AccountKeeping.archive")(function* (
        organization_id: OrganizationId,
        id: BankAccountId,
        actor: string
      ) {
        const account = yield* orNotFound(repo.lock({ organization_id, id }))
        if (account.status === "archived") return account
        yield* repo.archive({ organization_id, id })
        const data = { bank_account_id: id }
        yield* journal.append({ organization_id, actor, action: "bank_account.archived", data })
        return { ...account, status: "archived" as const }
      }, transaction)

      const setProviderBalance = Effect.fn("AccountKeeping.setProviderBalance")(function* (
        organization_id: OrganizationId,
        id: BankAccountId,
        { at, balance }: ProviderBalance,
        actor: string
      ) {
        const account = yield* orNotFound(repo.lock({ organization_id, id }))
        yield* repo.setProviderBalance({ organization_id, id, balance: BigDecimal.format(balance), at })
        const data = { bank_account_id: id, balance: BigDecimal.format(balance), at }
        yield* journal.append({ organization_id, actor, action: "bank_account.balance_set", data })
        return { ...account, provider_balance: balance, provider_balance_at: at }
      }, transaction)

      return AccountKeeping.of({
        list: repo.list,
        find: (organization_id, id) => orNotFound(repo.find({ organization_id, id })),
        open,
        archive,
        setProviderBalance
      })
    })
  ).pipe(Layer.provide(BankAccountsRepo.layer))
}
