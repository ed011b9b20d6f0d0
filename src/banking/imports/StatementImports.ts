import { Array as Arr, type BigDecimal, Context, Effect, type FileSystem, Layer, Option, type Scope } from "effect"
import { now, today as todayIn } from "../../kernel/Calendar.ts"
import { exponentOf } from "../../kernel/Currency.ts"
import type { BankAccountId, BankTransactionId, OrganizationId } from "../../kernel/Ids.ts"
import { formatAmount } from "../../kernel/Money.ts"
import { type NotFound, orNotFound } from "../../kernel/Refusal.ts"
import { callerEntry, AuditLog } from "../../platform/events/AuditLog.ts"
import { CurrentOperation } from "../../platform/http/CurrentOperation.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import type { Upload, UploadRefused } from "../../platform/http/Upload.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { BankAccount } from "../accounts/BankAccount.ts"
import { BankAccountsRepo } from "../accounts/BankAccountsRepo.ts"
import { type PreparedFile, Preparations } from "../preparation/Preparations.ts"
import { BankStatementsRepo } from "../records/BankStatementsRepo.ts"
import { AccountMismatch, InvalidStatement, type StatementRefused } from "../records/StatementErrors.ts"
import { doubtfulOpenings } from "../records/StatementGaps.ts"
import type { AppliedRule } from "../rules/RuleMatcher.ts"
import { LineDocuments } from "../reconciliation/LineDocuments.ts"
import { TransferSuggestions } from "../transfers/TransferSuggestions.ts"
import { BankAccountArchived, OverlappingFormat } from "./ImportErrors.ts"
import { contentOf, type ImportForm, readImport, type ReceivedImport } from "./ImportForm.ts"
import type { ImportQuery } from "./ImportQuery.ts"
import { importEvent, type ImportSession, type Warning } from "./ImportSession.ts"
import { finished, readingOf, repeated, warningsOf } from "./ImportAnswer.ts"
import { numberIn, summaryOf } from "./ImportSummary.ts"
import { type Stored, StatementImportsRepo } from "./StatementImportsRepo.ts"
import type { BooksLocked } from "../../kernel/BooksLocked.ts"
import { requireOpenBooks } from "../../organizations/BookLock.ts"

type Refused =
  | NotFound
  | UploadRefused
  | StatementRefused
  | BankAccountArchived
  | AccountMismatch
  | OverlappingFormat
  | BooksLocked

export class StatementImports extends Context.Service<
  StatementImports,
  {
    /**
     * Imports the lines that the account does not have yet: all of them or none. A file that was imported before
     * changes nothing, unless a new mapping reads more of its rows. `imported` runs in the transaction that inserts the
     * lines.
     */
    readonly take: (
      id: BankAccountId,
      form: ImportForm,
      imported?: (session: ImportSession) => Effect.Effect<void>
    ) => Effect.Effect<ImportSession, Refused, Caller>
    /** Receives an upload for an account, unless the account is archived. The statement is not parsed yet. */
    readonly receive: <E, R>(
      id: BankAccountId,
      upload: Effect.Effect<Upload, E, R>,
      query: ImportQuery
    ) => Effect.Effect<ReceivedImport, Refused | E, Caller | FileSystem.FileSystem | Scope.Scope | R>
    readonly run: <E, R>(
      id: BankAccountId,
      upload: Effect.Effect<Upload, E, R>,
      query: ImportQuery
    ) => Effect.Effect<ImportSession, Refused | E, Caller | FileSystem.FileSystem | Scope.Scope | R>
  }
>()("invoicing/banking/imports/StatementImports") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* StatementImportsRepo
      const bankStatements = yield* BankStatementsRepo
      const transfers = yield* TransferSuggestions
      const accounts = yield* BankAccountsRepo
      const preparations = yield* Preparations
      const documents = yield* LineDocuments
      const auditLog = yield* AuditLog
      const { underLatestLock } = auditLog
      const { transaction } = yield* Database

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

      /**
       * Refuses a file if most of its lines seem to be duplicates that no key shows; warns if only some do, and names
       * their positions. One line of the same format proves nothing, because a payment may be repeated on its day.
       */
      const requireApart = Effect.fnUntraced(function* (
        organization_id: OrganizationId,
        id: BankAccountId,
        { accept_overlap }: ImportForm,
        file: PreparedFile
      ) {
        const { formats, positions, twins } = yield* repo.twins(organization_id, id, file)
        if (twins === 0) return { warnings: [], unbooked: new Set<number>() }
        const isProved = twins > 1 || formats.some((format) => format !== file.format)
        if (twins >= file.lines_total * twins_share_max && isProved && !accept_overlap) {
          return yield* OverlappingFormat.of({ lines: file.lines_total, twins, formats })
        }
        const found = `${twins} lines have the day and the amount of earlier lines (${formats.join(", ")}) that the file lacks`
        const message = accept_overlap ? `${found}.` : `${found}; rules do not book such lines automatically.`
        const warnings: ReadonlyArray<Warning> = [{ code: "possible_duplicates", rule_id: null, message }]
        return { warnings, unbooked: new Set(accept_overlap ? [] : positions) }
      })

      /** Warns of statements that do not open with the closing balance before them, so that lines may be missing. */
      const gapWarnings = Effect.fnUntraced(function* (
        organization_id: OrganizationId,
        { currency, id: bank_account_id }: BankAccount,
        { statements }: PreparedFile
      ) {
        const text = (amount: BigDecimal.BigDecimal) => formatAmount(amount, exponentOf(currency))
        const gaps = yield* Effect.forEach(
          doubtfulOpenings(statements).slice(0, gaps_max),
          Effect.fnUntraced(function* ({ before, opening }) {
            const found = yield* bankStatements.gapBefore({ organization_id, bank_account_id, before, opening })
            return Option.map(found, ({ balance, date }): Warning => {
              const message =
                `A statement opens with ${text(opening.amount)}, but the statement before it closed with ` +
                `${text(balance)} on ${date}: a statement between the two may be missing.`
              return { code: "statement_gap", rule_id: null, message }
            })
          })
        )
        return Arr.getSomes(gaps)
      })

      /** The account is locked, so that nobody archives it, and its imports run one after another. */
      const store = Effect.fn("StatementImports.store")(function* (
        id: BankAccountId,
        form: ImportForm,
        file: PreparedFile,
        imported: (session: ImportSession) => Effect.Effect<void>
      ) {
        const { id: organization_id, timezone } = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        const account = yield* orNotFound(accounts.lock({ organization_id, id }))
        if (account.status === "archived") return yield* BankAccountArchived.of()
        const operation = (yield* CurrentOperation) ?? null
        const { file_sha256 } = form
        const known = yield* repo.findFile({ organization_id, bank_account_id: id, file_sha256, operation })
        const done = finished(known)
        if (Option.isSome(done) && !form.dry_run) return { session: done.value, booking: [] }
        const created_at = yield* now
        const overlap = yield* requireApart(organization_id, id, form, file)
        const gap = yield* gapWarnings(organization_id, account, file)
        const warnings = [...warningsOf(file, yield* todayIn(timezone)), ...overlap.warnings, ...gap]
        const facts = { account, form, file, warnings, created_at }
        const session_id = form.dry_run ? null : yield* repo.nextId
        const found =
          session_id === null
            ? yield* repo.countNew(organization_id, id, file.chunks)
            : yield* repo.insert(organization_id, id, session_id, file.chunks)
        const booking = found.booking.filter(({ position }) => !overlap.unbooked.has(position))
        const stored = { ...found, booking }
        yield* requireOpenBooks(stored.first_day)
        if (Option.isSome(known)) {
          const { created_at, id: known_id, lines_total } = known.value.summary
          if (file.lines_total - stored.imported < lines_total) return yield* InvalidStatement.of(read_otherwise)
          const session = { ...summaryOf(known_id, facts, stored), created_at }
          const reading = form.dry_run ? { reading: readingOf(file) } : {}
          if (stored.imported === 0) return { session: { ...repeated(session), ...reading }, booking: [] }
        }
        if (session_id === null) {
          const auto_booked = Math.min(stored.booking.length, auto_booked_max)
          const session = { ...summaryOf(null, facts, stored), reading: readingOf(file) }
          return { session: { ...session, auto_booked, suggested: session.suggested - auto_booked }, booking: [] }
        }
        yield* learn(organization_id, account, file)
        const in_transfers = yield* transfers.suggest(organization_id, id, session_id)
        const session = summaryOf(session_id, facts, { ...stored, suggested: stored.suggested + in_transfers })
        yield* repo.save(organization_id, session_id, session, {
          created_by: user_id,
          mapping: mappingOf(file),
          operation
        })
        const import_of = { organization_id, bank_account_id: id, import_id: session_id }
        yield* bankStatements.insert(import_of, file.statements)
        const event = yield* importEvent("bank_statement.imported", { ...session, id: session_id })
        const data = {
          bank_account_id: id,
          import_session_id: session_id,
          file_sha256: session.file_sha256,
          imported: session.imported
        }
        yield* imported(session)
        yield* auditLog.append(yield* callerEntry("bank_statement.imported", data, [event]))
        return { session, booking: bookingOf(file, stored) }
      }, transaction)

      /**
       * Books lines by automatic rules, each in its own transaction. A line that is not booked keeps its suggestion.
       */
      const bookAll = Effect.fn("StatementImports.bookAll")(function* (
        session: ImportSession,
        booking: ReadonlyArray<Booking>
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        if (booking.length === 0 || session.id === null) return session
        let auto_booked = 0
        for (const { id, rule } of booking.slice(0, auto_booked_max)) {
          yield* underLatestLock(documents.createByRule(id, rule)).pipe(
            Effect.tap(() => Effect.sync(() => auto_booked++)),
            Effect.catch(({ message }) => Effect.logInfo(`rule ${rule.id} does not book bank line ${id}: ${message}`))
          )
        }
        const booked = { auto_booked, suggested: session.suggested - auto_booked }
        yield* repo.noteBooked(organization_id, session.id, booked)
        return { ...session, ...booked }
      })

      const requireOpen = Effect.fnUntraced(function* (id: BankAccountId) {
        yield* Effect.annotateCurrentSpan({ "bank_account.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        const account = yield* orNotFound(accounts.find({ organization_id, id }))
        return account.status === "archived" ? yield* BankAccountArchived.of() : account
      })

      const take = Effect.fn("StatementImports.take")(function* (
        id: BankAccountId,
        form: ImportForm,
        imported: (session: ImportSession) => Effect.Effect<void> = () => Effect.void
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const account = yield* requireOpen(id)
        const { file_sha256 } = form
        const operation = (yield* CurrentOperation) ?? null
        const done = finished(yield* repo.findFile({ organization_id, bank_account_id: id, file_sha256, operation }))
        // A dry run also shows how a file is read that was imported before.
        if (Option.isSome(done) && !form.dry_run) return done.value
        // Rules and suggestions may take seconds, so the file is prepared before the transaction locks the account.
        const file = yield* preparations.prepare(form.content, { ...form, account })
        const { booking, session } = yield* store(id, form, file, imported)
        return yield* bookAll(session, booking)
      })

      const receive = Effect.fn("StatementImports.receive")(function* <E, R>(
        id: BankAccountId,
        upload: Effect.Effect<Upload, E, R>,
        query: ImportQuery
      ) {
        // An archived account is refused before the file is received, because receiving the file may take long.
        yield* requireOpen(id)
        return yield* readImport(yield* upload, query)
      })

      const run = Effect.fn("StatementImports.run")(function* <E, R>(
        id: BankAccountId,
        upload: Effect.Effect<Upload, E, R>,
        query: ImportQuery
      ) {
        const { file, ...form } = yield* receive(id, upload, query)
        return yield* take(id, { ...form, content: yield* contentOf(file) })
      })

      return StatementImports.of({ take, receive, run })
    })
  ).pipe(
    Layer.provide([StatementImportsRepo.layer, BankStatementsRepo.layer, BankAccountsRepo.layer]),
    Layer.provide([TransferSuggestions.layer, LineDocuments.layer, Preparations.layer])
  )
}

/** A file is refused if at least this share of its lines seems to be imported already. */
const twins_share_max = 0.8

/** Maximum number of warnings of missing statements. */
const gaps_max = 20

/**
 * Maximum number of lines that rules book in an import, while the client waits. A bulk confirmation can book the
 * others.
 */
const auto_booked_max = 500

const mappingOf = ({ reading }: PreparedFile) => reading?.mapping ?? null

type Booking = { readonly id: BankTransactionId; readonly rule: AppliedRule }

const bookingOf = ({ ruleOf }: PreparedFile, { booking }: Stored): ReadonlyArray<Booking> =>
  booking.flatMap(({ id, rule_id }) => {
    const rule = ruleOf(rule_id)
    return id === null || rule === undefined ? [] : [{ id, rule }]
  })

const read_otherwise =
  "some of its rows were imported before and were read differently then, so they would be imported twice"
