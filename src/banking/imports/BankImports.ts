import { Context, Effect, Layer } from "effect"
import type { PageRows } from "../../kernel/Envelope.ts"
import type { BankAccountId, BankImportId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../kernel/Refusal.ts"
import { AuditLog, callerEntry } from "../../platform/events/AuditLog.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { BankAccountsRepo } from "../accounts/BankAccountsRepo.ts"
import type { BankImport, BankImportsQuery } from "./BankImport.ts"
import { BankImportsRepo } from "./BankImportsRepo.ts"
import { ImportMatched } from "./session/ImportErrors.ts"
import { importEvent } from "./session/ImportSession.ts"
import type { BooksLocked } from "../../kernel/BooksLocked.ts"
import { requireOpenBooks } from "../../organizations/BookLock.ts"

export class BankImports extends Context.Service<
  BankImports,
  {
    readonly list: (
      account: BankAccountId,
      query: BankImportsQuery
    ) => Effect.Effect<PageRows<BankImport>, NotFound, CurrentOrganization>
    readonly get: (account: BankAccountId, id: BankImportId) => Effect.Effect<BankImport, NotFound, CurrentOrganization>
    /** Deletes an import with its lines and balances, unless a line is matched. */
    readonly remove: (
      account: BankAccountId,
      id: BankImportId
    ) => Effect.Effect<Pick<BankImport, "id">, NotFound | ImportMatched | BooksLocked, Caller>
  }
>()("invoicing/banking/imports/BankImports") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* BankImportsRepo
      const accounts = yield* BankAccountsRepo
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const list = Effect.fn("BankImports.list")(function* (account: BankAccountId, query: BankImportsQuery) {
        const { id: organization_id } = yield* CurrentOrganization
        yield* orNotFound(accounts.find({ organization_id, id: account }))
        return yield* repo.list({ organization_id, bank_account_id: account }, query)
      })

      const get = Effect.fn("BankImports.get")(function* (account: BankAccountId, id: BankImportId) {
        const { id: organization_id } = yield* CurrentOrganization
        return yield* orNotFound(repo.find({ organization_id, bank_account_id: account, id }))
      })

      const remove = Effect.fn("BankImports.remove")(function* (account: BankAccountId, id: BankImportId) {
        yield* Effect.annotateCurrentSpan({ "bank_account.id": account, "bank_import.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        const key = { organization_id, bank_account_id: account, id }
        // The lock of the account blocks other imports into it. The locks of the lines block matches.
        yield* orNotFound(accounts.lock({ organization_id, id: account }))
        const { first_day, lines } = yield* repo.lockLines(key)
        yield* requireOpenBooks(first_day)
        const { matched, ...session } = yield* get(account, id)
        if (matched > 0) return yield* ImportMatched.of(matched)
        yield* repo.remove(key)
        const { file_sha256 } = session
        const data = { bank_account_id: account, import_session_id: id, file_sha256, lines }
        const event = yield* importEvent("bank_statement.deleted", session)
        yield* auditLog.append(yield* callerEntry("bank_statement.deleted", data, [event]))
        return { id }
      }, transaction)

      return BankImports.of({ list, get, remove })
    })
  ).pipe(Layer.provide([BankImportsRepo.layer, BankAccountsRepo.layer]))
}
