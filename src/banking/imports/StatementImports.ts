import { BigDecimal, Context, Effect, type FileSystem, Layer, Option, type Scope } from "effect"
import { now } from "../../kernel/Calendar.ts"
import type { BankAccountId, BankTransactionId, OrganizationId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../kernel/Refusal.ts"
import { callerEntry, AuditLog } from "../../platform/events/AuditLog.ts"
import { CurrentOperation } from "../../platform/http/CurrentOperation.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import type { Upload, UploadRefused } from "../../platform/http/Upload.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { BankAccount } from "../accounts/BankAccount.ts"
import { BankAccountsRepo } from "../accounts/BankAccountsRepo.ts"
import { Suggestions, suggestionOf } from "../matching/Suggestions.ts"
import { type AppliedRule, ruleBudgets, type Ruled, RuleMatcher } from "../rules/RuleMatcher.ts"
import type { CsvMapping } from "../csv/CsvMapping.ts"
import { lineKeys } from "../statements/LineKey.ts"
import { InvalidStatement, type StatementRefused } from "../records/StatementErrors.ts"
import { StatementParser } from "../statements/StatementParser.ts"
import { inTurns } from "../Turns.ts"
import { LineDocuments } from "../transactions/LineDocuments.ts"
import { BankImportsRepo } from "./BankImportsRepo.ts"
import { AccountMismatch, BankAccountArchived, OverlappingFormat } from "./ImportErrors.ts"
import { type ImportForm, readImport } from "./ImportForm.ts"
import type { ImportQuery } from "./ImportQuery.ts"
import { importEvent, type ImportSession } from "./ImportSession.ts"
import { finished, firstDayOf, readingOf, repeated, warningsOf } from "./ImportAnswer.ts"
import { numberIn, type Own, ownStatements, requireBalanced, summaryOf } from "./ImportSummary.ts"
import { type NewLine, StatementImportsRepo } from "./StatementImportsRepo.ts"
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

/** Imports statement files into the bank accounts of the current organization. */
export class StatementImports extends Context.Service<
  StatementImports,
  {
    /**
     * Imports the lines that the account does not have yet: all of them or none. Repeating a file changes nothing,
     * unless rows of it could not be read before: then a new mapping may add those rows. `imported` runs in the
     * transaction that inserts the lines.
     */
    readonly take: (
      id: BankAccountId,
      form: ImportForm,
      imported?: (session: ImportSession) => Effect.Effect<void>
    ) => Effect.Effect<ImportSession, Refused, Caller>
    /** Reads an upload for an account that accepts statements; the statement itself is not parsed yet. */
    readonly receive: <E, R>(
      id: BankAccountId,
      upload: Effect.Effect<Upload, E, R>,
      query: ImportQuery
    ) => Effect.Effect<ImportForm, Refused | E, Caller | FileSystem.FileSystem | Scope.Scope | R>
    /** Receives an upload and imports it. */
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
      const bankImports = yield* BankImportsRepo
      const accounts = yield* BankAccountsRepo
      const matching = yield* RuleMatcher
      const suggestions = yield* Suggestions
      const documents = yield* LineDocuments
      const reading = yield* StatementParser
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      /** Prepares the lines for storage, each with a suggestion of the document that it may belong to. */
      const prepared = Effect.fnUntraced(function* (account: BankAccount, { lines }: Own, { rules }: Ruled) {
        const { find } = yield* suggestions.matcher(account.currency, lines)
        const keyOf = lineKeys()
        return yield* inTurns(lines, (line, position) =>
          Effect.sync((): NewLine => {
            const own = { ...keyOf(line), position, rule: null }
            // A line of amount zero moves no money, so no document can match it.
            if (BigDecimal.isZero(line.amount)) return { ...own, status: "excluded", suggestion: null }
            const rule = rules[position]
            const finding = find(line)
            const suggestion = suggestionOf(finding, rule)
            if (suggestion === null) return { ...own, status: "unmatched", suggestion }
            // A rule books a line by itself only if no document matches the line (rules/banking.md, Rules).
            const books = finding._tag === "None" && rule?.auto_add === true ? rule : null
            return { ...own, status: "suggested", suggestion, rule: books }
          })
        )
      })

      /** Keeps the number that the first statement names, and the mapping that read the file. */
      const learn = Effect.fnUntraced(function* (organization_id: OrganizationId, account: BankAccount, own: Own) {
        const { id } = account
        const number = numberIn(account, own)
        const isFree = number === undefined || (yield* accounts.setNumber({ organization_id, id, ...number }))
        // Another account of the organization has this number, so the statement is that account's.
        if (!isFree) return yield* AccountMismatch.of([number.iban ?? number.account_number ?? ""])
        const mapping = own.reading?.mapping ?? null
        if (mapping !== null) yield* accounts.setMapping({ organization_id, id, mapping })
      })

      /** Refuses a file most of whose lines came in another format before, and warns when only some did. */
      const requireApart = Effect.fnUntraced(function* (
        organization_id: OrganizationId,
        id: BankAccountId,
        { accept_overlap }: ImportForm,
        { format, lines }: Own
      ) {
        const { formats, twins } = yield* repo.twins(organization_id, id, format, lines)
        if (twins >= lines.length * twins_share_max && twins > 0 && !accept_overlap) {
          return yield* OverlappingFormat.of({ lines: lines.length, twins, formats })
        }
        const message = `${twins} lines have the day and the amount of lines from a file of another format (${formats.join(", ")}).`
        return twins === 0 ? [] : [{ code: "possible_duplicates" as const, rule_id: null, message }]
      })

      /** The lock serializes the imports into one account, and prevents archiving the account meanwhile. */
      const store = Effect.fn("StatementImports.store")(function* (
        id: BankAccountId,
        form: ImportForm,
        { lines, own, ruled }: Prepared,
        imported: (session: ImportSession) => Effect.Effect<void>
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        const account = yield* orNotFound(accounts.lock({ organization_id, id }))
        if (account.status === "archived") return yield* BankAccountArchived.of()
        const operation = (yield* CurrentOperation) ?? null
        const file = { organization_id, bank_account_id: id, file_sha256: form.file_sha256, operation }
        const known = yield* repo.findFile(file)
        const done = finished(known)
        if (Option.isSome(done)) return { session: done.value, booking: [] }
        const created_at = yield* now
        const overlap = yield* requireApart(organization_id, id, form, own)
        const warnings = [...warningsOf(own, ruled), ...overlap]
        const facts = { account, form, own, lines, warnings, created_at }
        const session_id = form.dry_run ? null : yield* repo.nextId
        const inserted =
          session_id === null
            ? yield* repo.positionsNew(organization_id, id, lines)
            : yield* repo.insert(organization_id, id, session_id, lines)
        yield* requireOpenBooks(firstDayOf(lines, inserted))
        if (Option.isSome(known)) {
          const { created_at, id: known_id, lines_total } = known.value.summary
          if (lines.length - inserted.length < lines_total) return yield* InvalidStatement.of(read_otherwise)
          const session = { ...summaryOf(known_id, facts, inserted), created_at }
          if (inserted.length === 0) return { session: repeated(session), booking: [] }
        }
        if (session_id === null) {
          const auto_booked = bookingOf(lines, inserted).length
          const session = { ...summaryOf(null, facts, inserted), reading: readingOf(own) }
          return { session: { ...session, auto_booked, suggested: session.suggested - auto_booked }, booking: [] }
        }
        yield* learn(organization_id, account, own)
        const session = summaryOf(session_id, facts, inserted)
        yield* repo.save(organization_id, session_id, session, { created_by: user_id, operation })
        yield* bankImports.keepBalances({ organization_id, bank_account_id: id, id: session_id }, own.statements)
        const event = yield* importEvent("bank_statement.imported", { ...session, id: session_id })
        const data = {
          bank_account_id: id,
          import_session_id: session_id,
          file_sha256: session.file_sha256,
          imported: session.imported
        }
        yield* imported(session)
        yield* auditLog.append(yield* callerEntry("bank_statement.imported", data, [event]))
        return { session, booking: bookingOf(lines, inserted) }
      }, transaction)

      /**
       * Books the lines whose rules book automatically, each in its own transaction. A line that cannot be booked, or
       * that a crash leaves unbooked, stays a suggestion.
       */
      const bookAll = Effect.fn("StatementImports.bookAll")(function* (
        session: ImportSession,
        booking: ReadonlyArray<Booking>
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        if (booking.length === 0 || session.id === null) return session
        let auto_booked = 0
        for (const { id, rule } of booking.slice(0, auto_booked_max)) {
          yield* documents.createByRule(id, rule).pipe(
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
        if (Option.isSome(done)) return done.value
        const read = (mapping: CsvMapping | undefined) =>
          reading.read({ ...form, mapping, currency: account.currency, iban: account.iban }, organization_id)
        const kept = form.mapping ?? account.csv_mapping ?? undefined
        // The mapping of earlier files may not fit this one, which may then be read without any.
        const file = yield* read(kept).pipe(
          Effect.catch((refused) =>
            form.mapping === undefined && kept !== undefined ? read(undefined) : Effect.fail(refused)
          )
        )
        const [error] = file.errors
        // A table without any readable row is not stored, so that it can be sent again with a mapping.
        const isEmpty = file.statements.every(({ lines }) => lines.length === 0)
        if (error !== undefined && (form.strict || isEmpty)) {
          return yield* InvalidStatement.of(error.message.replace(/\.$/, ""), error.row)
        }
        const own = yield* Effect.fromResult(ownStatements(account, file))
        if (!form.accept_unbalanced) yield* Effect.fromResult(requireBalanced(own, account))
        // Rules and suggestions may take seconds, so they are found before the transaction, which locks the account.
        const { ruled } = yield* matching.start(ruleBudgets.import)
        const found = yield* ruled(own.lines.map((line) => ({ ...line, bank_account_id: id })))
        const lines = yield* prepared(account, own, found)
        const { booking, session } = yield* store(id, form, { own, ruled: found, lines }, imported)
        return yield* bookAll(session, booking)
      })

      const receive = Effect.fn("StatementImports.receive")(function* <E, R>(
        id: BankAccountId,
        upload: Effect.Effect<Upload, E, R>,
        query: ImportQuery
      ) {
        // The account is checked first, because receiving the file may take long.
        yield* requireOpen(id)
        return yield* readImport(yield* upload, query)
      })

      const run = Effect.fn("StatementImports.run")(function* <E, R>(
        id: BankAccountId,
        upload: Effect.Effect<Upload, E, R>,
        query: ImportQuery
      ) {
        return yield* take(id, yield* receive(id, upload, query))
      })

      return StatementImports.of({ take, receive, run })
    })
  ).pipe(
    Layer.provide([StatementImportsRepo.layer, BankImportsRepo.layer, BankAccountsRepo.layer]),
    Layer.provide([RuleMatcher.layer, Suggestions.layer]),
    Layer.provide([LineDocuments.layer, StatementParser.layer])
  )
}

/** A statement whose lines have their rules and suggestions. */
interface Prepared {
  readonly own: Own
  readonly ruled: Ruled
  readonly lines: ReadonlyArray<NewLine>
}

/** Share of lines with a twin of another format from which a file is refused. */
const twins_share_max = 0.8

/** Highest number of lines that rules book in one import, because the answer waits; bulk confirmation books more. */
const auto_booked_max = 500

/** A line that is new to the account, with the rule that books it. */
type Booking = { readonly id: BankTransactionId; readonly rule: AppliedRule }

const bookingOf = (
  lines: ReadonlyArray<NewLine>,
  inserted: ReadonlyArray<{ readonly id: BankTransactionId; readonly position: number }>
): ReadonlyArray<Booking> =>
  inserted.flatMap(({ id, position }) => {
    const rule = lines[position]?.rule ?? null
    return rule === null ? [] : [{ id, rule }]
  })

const read_otherwise =
  "some of its rows were imported before and were read differently then, so they would be imported twice"
