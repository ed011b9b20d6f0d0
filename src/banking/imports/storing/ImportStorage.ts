import { Context, Effect, Layer, Option } from "effect"
import type { BooksLocked } from "../../../kernel/BooksLocked.ts"
import { now } from "../../../kernel/Calendar.ts"
import type { BankAccountId, BankImportId, OrganizationId } from "../../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../../kernel/Refusal.ts"
import { requireOpenBooks } from "../../../organizations/BookLock.ts"
import { AuditLog, callerEntry } from "../../../platform/events/AuditLog.ts"
import { CurrentOperation } from "../../../platform/http/CurrentOperation.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../../platform/http/Security.ts"
import { todayHere } from "../../../platform/http/Today.ts"
import { Database } from "../../../platform/sql/Database.ts"
import type { BankAccount } from "../../accounts/BankAccount.ts"
import { BankAccountsRepo } from "../../accounts/BankAccountsRepo.ts"
import { requireNamed } from "../../preparation/OwnStatements.ts"
import type { PreparedFile } from "../../preparation/Preparations.ts"
import { BankStatementsRepo } from "../../records/BankStatementsRepo.ts"
import { AccountMismatch, InvalidStatement } from "../../records/StatementErrors.ts"
import { TransferSuggestions } from "../../transfers/TransferSuggestions.ts"
import { finished, type Known, limitWarnings, readingOf, repeated, warningsOf } from "./ImportAnswer.ts"
import { BankAccountArchived, type OverlappingFormat } from "../session/ImportErrors.ts"
import type { ImportForm } from "../session/ImportForm.ts"
import { importEvent, type ImportSession } from "../session/ImportSession.ts"
import { ImportChecks } from "./ImportChecks.ts"
import { type Facts, numberIn, summaryOf } from "./ImportSummary.ts"
import { type Stored, StatementImportsRepo } from "./StatementImportsRepo.ts"

export type StorageRefused =
  | NotFound
  | BankAccountArchived
  | OverlappingFormat
  | InvalidStatement
  | AccountMismatch
  | BooksLocked

export interface StorageOptions {
  /** Runs in the transaction that inserts the lines. */
  readonly imported: (session: ImportSession) => Effect.Effect<void>
  /** Maximum number of lines that are left to rules with `auto_add`. */
  readonly auto_booked_max: number
}

/** Stores prepared statement files. */
export class ImportStorage extends Context.Service<
  ImportStorage,
  {
    /** Stores all new lines of a file, or none if it is refused. A dry run stores nothing. */
    readonly store: (
      id: BankAccountId,
      form: ImportForm,
      file: PreparedFile,
      options: StorageOptions
    ) => Effect.Effect<ImportSession, StorageRefused, Caller>
    /** Finds the result of the same file, unless another mapping may read more of it. */
    readonly findFinished: (
      id: BankAccountId,
      file_sha256: string
    ) => Effect.Effect<Option.Option<ImportSession>, never, CurrentOrganization>
  }
>()("invoicing/banking/imports/storing/ImportStorage") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* StatementImportsRepo
      const checks = yield* ImportChecks
      const bankStatements = yield* BankStatementsRepo
      const transfers = yield* TransferSuggestions
      const accounts = yield* BankAccountsRepo
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const findKnown = Effect.fnUntraced(function* (bank_account_id: BankAccountId, file_sha256: string) {
        const { id: organization_id } = yield* CurrentOrganization
        const operation = (yield* CurrentOperation) ?? null
        return yield* repo.findFile({ organization_id, bank_account_id, file_sha256, operation })
      })

      /** The account is locked, so that nobody archives it, and its imports run one after another. */
      const lockOpen = Effect.fnUntraced(function* (id: BankAccountId) {
        const { id: organization_id } = yield* CurrentOrganization
        const account = yield* orNotFound(accounts.lock({ organization_id, id }))
        return account.status === "archived" ? yield* BankAccountArchived.of() : account
      })

      /** Stores the account number of the first statement, if the account has none, and the mapping of the file. */
      const learn = Effect.fnUntraced(function* (
        organization_id: OrganizationId,
        account: BankAccount,
        file: PreparedFile
      ) {
        const { id } = account
        const number = numberIn(account, file)
        const isFree = number === undefined || (yield* accounts.setNumber({ organization_id, id, ...number }))
        // Another account of the organization has this number, so the statement belongs to that account.
        if (!isFree) return yield* AccountMismatch.of([number.iban ?? number.account_number ?? ""])
        const mapping = mappingOf(file)
        if (mapping !== null) yield* accounts.setMapping({ organization_id, id, mapping })
      })

      /** Stores what an import adds besides the lines: their transfers, balances, audit entry and event. */
      const record = Effect.fnUntraced(function* (
        import_id: BankImportId,
        facts: Facts,
        stored: Stored,
        imported: StorageOptions["imported"]
      ) {
        const { account, file } = facts
        const { id: organization_id } = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        yield* learn(organization_id, account, file)
        const in_transfers = yield* transfers.suggest(organization_id, account.id, import_id)
        const session = summaryOf(import_id, facts, { ...stored, suggested: stored.suggested + in_transfers })
        yield* repo.save(organization_id, import_id, session, {
          created_by: user_id,
          mapping: mappingOf(file),
          operation: (yield* CurrentOperation) ?? null,
          unbooked: stored.booking.flatMap(({ id }) => id ?? [])
        })
        yield* bankStatements.insert({ organization_id, bank_account_id: account.id, import_id }, file.statements)
        yield* imported(session)
        const { bank_account_id, file_sha256 } = session
        const data = { bank_account_id, import_session_id: import_id, file_sha256, imported: session.imported }
        const event = yield* importEvent("bank_statement.imported", { ...session, id: import_id })
        yield* auditLog.append(yield* callerEntry("bank_statement.imported", data, [event]))
        return session
      })

      const store = Effect.fn("ImportStorage.store")(function* (
        id: BankAccountId,
        form: ImportForm,
        file: PreparedFile,
        { auto_booked_max, imported }: StorageOptions
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const account = yield* lockOpen(id)
        const known = yield* findKnown(id, form.file_sha256)
        const done = finished(known)
        if (Option.isSome(done) && !form.dry_run) return done.value
        yield* Effect.fromResult(requireNamed(account, file.statements))

        const created_at = yield* now
        const { doubtful, warnings } = yield* checks.check(account, form, file)
        const import_id = form.dry_run ? null : yield* repo.nextId
        const found =
          import_id === null
            ? yield* repo.countNew(organization_id, id, file.chunks)
            : yield* repo.insert(organization_id, id, import_id, file.chunks)
        yield* requireOpenBooks(found.first_day)

        const certain = found.booking.filter(({ position }) => !doubtful.has(position))
        const stored = { ...found, booking: certain.slice(0, auto_booked_max) }
        const unbooked = certain.length - stored.booking.length
        const all = [...warningsOf(file, yield* todayHere), ...warnings, ...limitWarnings(unbooked)]
        const facts = { account, form, file, warnings: all, created_at }
        if (Option.isSome(known)) {
          const same = yield* withoutNewRows(known.value, facts, stored)
          if (Option.isSome(same)) return same.value
        }
        return import_id === null ? tried(facts, stored) : yield* record(import_id, facts, stored, imported)
      }, transaction)

      const findFinished = Effect.fn("ImportStorage.findFinished")(function* (id: BankAccountId, file_sha256: string) {
        return finished(yield* findKnown(id, file_sha256))
      })

      return ImportStorage.of({ store, findFinished })
    })
  ).pipe(
    Layer.provide([StatementImportsRepo.layer, ImportChecks.layer, BankStatementsRepo.layer]),
    Layer.provide([BankAccountsRepo.layer, TransferSuggestions.layer])
  )
}

const mappingOf = ({ reading }: PreparedFile) => reading?.mapping ?? null

const read_otherwise =
  "some of its rows were imported before and were read differently then, so they would be imported twice"

/** Returns the result of a file that was imported before, unless it has new rows, which another mapping reads. */
const withoutNewRows = Effect.fnUntraced(function* ({ summary }: Known, facts: Facts, stored: Stored) {
  const { file, form } = facts
  if (file.lines_total - stored.imported < summary.lines_total) return yield* InvalidStatement.of(read_otherwise)
  if (stored.imported > 0) return Option.none()
  const session = { ...summaryOf(summary.id, facts, stored), created_at: summary.created_at }
  return Option.some({ ...repeated(session), ...(form.dry_run ? { reading: readingOf(file) } : {}) })
})

/** Returns the result of a dry run, with the lines that rules would book. */
const tried = (facts: Facts, stored: Stored): ImportSession => {
  const auto_booked = stored.booking.length
  const session = summaryOf(null, facts, { ...stored, suggested: stored.suggested - auto_booked })
  return { ...session, auto_booked, reading: readingOf(facts.file) }
}
