import { Context, Effect, type FileSystem, Layer, Option, type Scope } from "effect"
import type { BankAccountId } from "../../kernel/Ids.ts"
import { orNotFound } from "../../kernel/Refusal.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import type { Upload, UploadRefused } from "../../platform/http/Upload.ts"
import { BankAccountsRepo } from "../accounts/BankAccountsRepo.ts"
import { Preparations } from "../preparation/Preparations.ts"
import type { StatementRefused } from "../records/StatementErrors.ts"
import { withBooked } from "./storing/ImportAnswer.ts"
import { BankAccountArchived } from "./session/ImportErrors.ts"
import { contentOf, type ImportForm, readImport, type ReceivedImport } from "./session/ImportForm.ts"
import type { ImportQuery } from "./session/ImportQuery.ts"
import type { ImportSession } from "./session/ImportSession.ts"
import { auto_booked_max, AutoBooking } from "./storing/AutoBooking.ts"
import { ImportStorage, type StorageOptions, type StorageRefused } from "./storing/ImportStorage.ts"

type Refused = UploadRefused | StatementRefused | StorageRefused

export class StatementImports extends Context.Service<
  StatementImports,
  {
    /**
     * Imports the lines that the account does not have yet: all of them or none. Then rules with `auto_add` book some
     * of them. A file that was imported before changes nothing, unless a new mapping reads more of its rows, or a crash
     * kept the rules from booking some of its lines.
     */
    readonly take: (
      id: BankAccountId,
      form: ImportForm,
      options?: StorageOptions
    ) => Effect.Effect<ImportSession, Refused, Caller>
    /** Returns the result of a file that was imported before, after the rules have booked what a crash left. */
    readonly resume: (
      id: BankAccountId,
      file_sha256: string
    ) => Effect.Effect<Option.Option<ImportSession>, never, Caller>
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
      const accounts = yield* BankAccountsRepo
      const preparations = yield* Preparations
      const storage = yield* ImportStorage
      const booking = yield* AutoBooking

      const requireOpen = Effect.fnUntraced(function* (id: BankAccountId) {
        yield* Effect.annotateCurrentSpan({ "bank_account.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        const account = yield* orNotFound(accounts.find({ organization_id, id }))
        return account.status === "archived" ? yield* BankAccountArchived.of() : account
      })

      /** Books the lines that the import left to rules. */
      const booked = Effect.fnUntraced(function* (session: ImportSession) {
        return session.id === null ? session : withBooked(session, yield* booking.book(session.id))
      })

      const resume = Effect.fn("StatementImports.resume")(function* (id: BankAccountId, file_sha256: string) {
        const done = yield* storage.findFinished(id, file_sha256)
        return Option.isSome(done) ? Option.some(yield* booked(done.value)) : Option.none<ImportSession>()
      })

      const take = Effect.fn("StatementImports.take")(function* (
        id: BankAccountId,
        form: ImportForm,
        options: StorageOptions = { imported: () => Effect.void, auto_booked_max: auto_booked_max.waiting }
      ) {
        const account = yield* requireOpen(id)
        // A dry run also shows how a file is read that was imported before.
        const done = form.dry_run ? Option.none() : yield* resume(id, form.file_sha256)
        if (Option.isSome(done)) return done.value
        // Rules and suggestions may take seconds, so the file is prepared before the transaction locks the account.
        const file = yield* preparations.prepare(form.content, { ...form, account })
        const session = yield* storage.store(id, form, file, options)
        return form.dry_run ? session : yield* booked(session)
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

      return StatementImports.of({ take, resume, receive, run })
    })
  ).pipe(Layer.provide([BankAccountsRepo.layer, Preparations.layer, ImportStorage.layer, AutoBooking.layer]))
}
