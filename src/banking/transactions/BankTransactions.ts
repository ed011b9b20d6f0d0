import { Context, Effect, Layer } from "effect"
import type { BankTransactionId } from "../../kernel/Ids.ts"
import type { Deletion, Listing } from "../../kernel/Listing.ts"
import { type NotFound, orNotFound } from "../../kernel/Refusal.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { BankAccounts } from "../accounts/BankAccounts.ts"
import type { BankTransaction, BankTransactionsQuery } from "./BankTransaction.ts"
import { BankTransactionsRepo } from "./BankTransactionsRepo.ts"

/** Reads the imported bank lines of the current organization; `Reconciliation` matches them with documents. */
export class BankTransactions extends Context.Service<
  BankTransactions,
  {
    /** Another organization's account is answered with 404, not with an empty list (rules/banking.md, Accounts). */
    readonly list: (
      query: BankTransactionsQuery
    ) => Effect.Effect<Listing<BankTransaction | Deletion>, NotFound, CurrentOrganization>
    readonly get: (id: BankTransactionId) => Effect.Effect<BankTransaction, NotFound, CurrentOrganization>
  }
>()("invoicing/banking/transactions/BankTransactions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* BankTransactionsRepo
      const accounts = yield* BankAccounts

      const list = Effect.fn("BankTransactions.list")(function* (query: BankTransactionsQuery) {
        const { id: organization_id } = yield* CurrentOrganization
        if (query.bank_account_id !== undefined) yield* accounts.get(query.bank_account_id)
        return yield* repo.list(organization_id, query)
      })

      const get = Effect.fn("BankTransactions.get")(function* (id: BankTransactionId) {
        yield* Effect.annotateCurrentSpan({ "bank_transaction.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id, id }))
      })

      return BankTransactions.of({ list, get })
    })
  ).pipe(Layer.provide([BankTransactionsRepo.layer, BankAccounts.layer]))
}
