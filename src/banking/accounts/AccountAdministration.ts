import { BigDecimal, Context, Effect, Layer, Option } from "effect"
import type { PageRequest, PageRows } from "../../kernel/Envelope.ts"
import type { BankAccountId, OrganizationId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { Database } from "../../platform/sql/Database.ts"
import { IbanTaken } from "./AccountErrors.ts"
import type { BankAccount, BankAccountDraft, OpeningBalance, ProviderBalance } from "./BankAccount.ts"
import { BankAccountsRepo } from "./BankAccountsRepo.ts"

/** Manages the bank accounts of any organization; the public API only reads them (rules/banking.md, Accounts). */
export class AccountAdministration extends Context.Service<
  AccountAdministration,
  {
    readonly list: (organization_id: OrganizationId, request: PageRequest) => Effect.Effect<PageRows<BankAccount>>
    readonly find: (organization_id: OrganizationId, id: BankAccountId) => Effect.Effect<BankAccount, NotFound>
    readonly open: (
      organization_id: OrganizationId,
      draft: BankAccountDraft,
      actor: string
    ) => Effect.Effect<BankAccount, IbanTaken | ValidationFailed>
    /** Archives an account. It accepts no new statements, but its lines remain and can still be matched. */
    readonly archive: (
      organization_id: OrganizationId,
      id: BankAccountId,
      actor: string
    ) => Effect.Effect<BankAccount, NotFound>
    /** Undoes `archive`. */
    readonly reopen: (
      organization_id: OrganizationId,
      id: BankAccountId,
      actor: string
    ) => Effect.Effect<BankAccount, NotFound | IbanTaken>
    readonly setOpeningBalance: (
      organization_id: OrganizationId,
      id: BankAccountId,
      opening: OpeningBalance,
      actor: string
    ) => Effect.Effect<BankAccount, NotFound>
    readonly setProviderBalance: (
      organization_id: OrganizationId,
      id: BankAccountId,
      balance: ProviderBalance,
      actor: string
    ) => Effect.Effect<BankAccount, NotFound>
  }
>()("invoicing/banking/accounts/AccountAdministration") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* BankAccountsRepo
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const open = Effect.fn("AccountAdministration.open")(function* (
        organization_id: OrganizationId,
        draft: BankAccountDraft,
        actor: string
      ) {
        if (draft.bank_code !== undefined && draft.account_number === undefined) {
          return yield* ValidationFailed.field("account_number", "is required with a bank code.")
        }
        const row = { iban: null, account_number: null, bank_code: null, bic: null, ...draft }
        const made = yield* repo.insert({ organization_id, ...row })
        if (Option.isNone(made)) return yield* IbanTaken.of()
        const { account_number, bank_code, iban, id, name } = made.value
        yield* auditLog.append({
          organization_id,
          actor,
          action: "bank_account.created",
          data: { bank_account_id: id, name, iban, account_number, bank_code }
        })
        return made.value
      }, transaction)

      const archive = Effect.fn("AccountAdministration.archive")(function* (
        organization_id: OrganizationId,
        id: BankAccountId,
        actor: string
      ) {
        const account = yield* orNotFound(repo.lock({ organization_id, id }))
        if (account.status === "archived") return account
        yield* repo.archive({ organization_id, id })
        const data = { bank_account_id: id }
        yield* auditLog.append({ organization_id, actor, action: "bank_account.archived", data })
        return { ...account, status: "archived" as const }
      }, transaction)

      const reopen = Effect.fn("AccountAdministration.reopen")(function* (
        organization_id: OrganizationId,
        id: BankAccountId,
        actor: string
      ) {
        const account = yield* orNotFound(repo.lock({ organization_id, id }))
        if (account.status === "active") return account
        if (!(yield* repo.reopen({ organization_id, id }))) return yield* IbanTaken.of()
        const data = { bank_account_id: id }
        yield* auditLog.append({ organization_id, actor, action: "bank_account.reopened", data })
        return { ...account, status: "active" as const }
      }, transaction)

      const setOpeningBalance = Effect.fn("AccountAdministration.setOpeningBalance")(function* (
        organization_id: OrganizationId,
        id: BankAccountId,
        opening: OpeningBalance,
        actor: string
      ) {
        const account = yield* orNotFound(repo.lock({ organization_id, id }))
        const balance = BigDecimal.format(opening.opening_balance)
        const date = opening.opening_balance_date
        yield* repo.setOpeningBalance({ organization_id, id, balance, date })
        const data = { bank_account_id: id, balance, date }
        yield* auditLog.append({ organization_id, actor, action: "bank_account.opening_balance_set", data })
        return { ...account, ...opening }
      }, transaction)

      const setProviderBalance = Effect.fn("AccountAdministration.setProviderBalance")(function* (
        organization_id: OrganizationId,
        id: BankAccountId,
        { at, balance }: ProviderBalance,
        actor: string
      ) {
        const account = yield* orNotFound(repo.lock({ organization_id, id }))
        yield* repo.setProviderBalance({ organization_id, id, balance: BigDecimal.format(balance), at })
        const data = { bank_account_id: id, balance: BigDecimal.format(balance), at }
        yield* auditLog.append({ organization_id, actor, action: "bank_account.balance_set", data })
        return { ...account, provider_balance: balance, provider_balance_at: at }
      }, transaction)

      return AccountAdministration.of({
        list: repo.list,
        find: (organization_id, id) => orNotFound(repo.find({ organization_id, id })),
        open,
        archive,
        reopen,
        setOpeningBalance,
        setProviderBalance
      })
    })
  ).pipe(Layer.provide(BankAccountsRepo.layer))
}
