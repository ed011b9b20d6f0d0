import { Context, Effect, FileSystem, Layer, Option, Schema, type Scope, Stream } from "effect"
import { BankAccountId } from "../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import type { Operation } from "../../operations/Operation.ts"
import type { TooManyOperations } from "../../operations/OperationErrors.ts"
import { stored } from "../../operations/Stored.ts"
import type { RunInput, Work } from "../../operations/OperationRunner.ts"
import { BooksLocked } from "../../kernel/BooksLocked.ts"
import { Operations } from "../../operations/Operations.ts"
import { MalformedMultipart } from "../../platform/http/Refusals.ts"
import type { Caller } from "../../platform/http/Security.ts"
import type { Upload } from "../../platform/http/Upload.ts"
import { Spool } from "../../platform/storage/Spool.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { CsvMapping } from "../csv/cells/CsvMapping.ts"
import { StatementFormat } from "../statements/formats/StatementFile.ts"
import { AccountMismatch, StatementRefused } from "../records/StatementErrors.ts"
import { BankAccountArchived, OverlappingFormat } from "./session/ImportErrors.ts"
import { bytesOf, contentOf } from "./session/ImportForm.ts"
import type { ImportQuery } from "./session/ImportQuery.ts"
import { ImportSession } from "./session/ImportSession.ts"
import { StatementImports } from "./StatementImports.ts"
import { auto_booked_max } from "./storing/AutoBooking.ts"

type Received<E, R> = ReturnType<typeof StatementImports.Service.receive<E, R>>

export class ImportOperations extends Context.Service<
  ImportOperations,
  {
    readonly enqueue: <E, R>(
      id: BankAccountId,
      upload: Effect.Effect<Upload, E, R>,
      query: ImportQuery
    ) => Effect.Effect<
      Operation,
      Effect.Error<Received<E, R>> | TooManyOperations,
      Caller | FileSystem.FileSystem | Scope.Scope | R
    >
  }
>()("invoicing/banking/imports/ImportOperations") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const imports = yield* StatementImports
      const operations = yield* Operations
      const enqueue = Effect.fn("ImportOperations.enqueue")(function* <E, R>(
        id: BankAccountId,
        upload: Effect.Effect<Upload, E, R>,
        query: ImportQuery
      ) {
        const { file, ...form } = yield* imports.receive(id, upload, query)
        const input = yield* Input.encode({ ...form, bank_account_id: id })
        return yield* operations.enqueue({ kind: "statement_import", total: 1, input, file: yield* bytesOf(file) })
      })
      return ImportOperations.of({ enqueue })
    })
  ).pipe(Layer.provide(Operations.layer))
}

const Input = stored(
  Schema.Struct({
    bank_account_id: BankAccountId,
    filename: Schema.String,
    file_sha256: Schema.String,
    format: Schema.optional(StatementFormat),
    mapping: Schema.optional(CsvMapping),
    strict: Schema.Boolean,
    dry_run: Schema.Boolean,
    accept_unbalanced: Schema.Boolean,
    accept_overlap: Schema.Boolean
  })
)
const Session = stored(ImportSession)

const refusals = Schema.Union([
  NotFound,
  ValidationFailed,
  MalformedMultipart,
  StorageUnavailable,
  ...StatementRefused.members,
  BankAccountArchived,
  AccountMismatch,
  OverlappingFormat,
  BooksLocked
])

/** Position of the result among the results of the operation; an import has only one. */
const position = 0

export const importWork = Effect.map(
  Effect.all([StatementImports, Spool, FileSystem.FileSystem]),
  ([{ resume, take }, spool, files]): Work<typeof refusals.Type> => ({
    kind: "statement_import",
    results: "one",
    refusals,
    run: Effect.fnUntraced(function* ({ file, input, isLast, record, recorded }: RunInput) {
      const { bank_account_id, ...form } = yield* Input.decode(input)
      const note = (session: ImportSession) =>
        Effect.flatMap(Session.encode(session), (result) => record(position, false, result))
      // An earlier run has stored a result together with the lines, so only its bookings may be left.
      if (recorded.has(position)) {
        const resumed = form.dry_run ? Option.none() : yield* resume(bank_account_id, form.file_sha256)
        return yield* Option.match(resumed, { onNone: () => Effect.void, onSome: note })
      }
      const options = { imported: note, auto_booked_max: auto_booked_max.operation }
      yield* Effect.gen(function* () {
        const spooled = yield* spool.keep(Stream.make(file ?? new Uint8Array()))
        const content = yield* contentOf(spooled).pipe(Effect.provideService(FileSystem.FileSystem, files))
        yield* note(yield* take(bank_account_id, { format: undefined, mapping: undefined, ...form, content }, options))
      }).pipe(
        // A refusal ends the operation. But an outage passes, so the run fails and is repeated.
        Effect.catchTag("StorageUnavailable", (outage) => (isLast ? Effect.fail(outage) : Effect.die(outage)))
      )
    }, Effect.scoped)
  })
)
