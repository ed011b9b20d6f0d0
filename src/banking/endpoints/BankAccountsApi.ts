import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { created, data, page, removed } from "../../kernel/Envelope.ts"
import { BankAccountId, BankImportId, inText } from "../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { accepted, preferHeaders } from "../../operations/Operation.ts"
import { TooManyOperations } from "../../operations/OperationErrors.ts"
import { operation, tag, UsesOtherSystems } from "../../platform/http/Contract.ts"
import { MalformedMultipart } from "../../platform/http/Refusals.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { BankImport, bankImportsQuery } from "../imports/BankImport.ts"
import { BankAccountArchived, ImportMatched, OverlappingFormat } from "../imports/session/ImportErrors.ts"
import { importQuery } from "../imports/session/ImportQuery.ts"
import { ImportSession } from "../imports/session/ImportSession.ts"
import { AccountMismatch, StatementRefused } from "../records/StatementErrors.ts"
import { BankAccount, bankAccountsQuery, ReconciliationReport, reportQuery } from "../accounts/BankAccount.ts"
import { documentEvents } from "../reconciliation/LineDocument.ts"
import { BooksLocked } from "../../kernel/BooksLocked.ts"
import { described } from "../../kernel/Described.ts"
import { Flag } from "../../kernel/Flag.ts"

const params = { id: inText(BankAccountId) }
const importParams = { ...params, import_id: inText(BankImportId) }

/** The form also has the file, in the part `file` or `statement`, which the handler streams. */
const fields = {
  format: described(
    Schema.optionalKey(Schema.String),
    "`auto`, `csv`, `camt053`, `coda`, `mt940` or `ofx`. Default: `auto`, which recognizes the format by the content."
  ),
  mapping: described(
    Schema.optionalKey(Schema.String),
    "How to read a CSV file, as JSON text; it is kept with the account. Default: the mapping of the account, else everything is detected."
  ),
  strict: described(
    Schema.optionalKey(Flag),
    "`true` refuses a CSV file if one of its rows is invalid, instead of reporting the row. Default: false."
  ),
  dry_run: described(
    Schema.optionalKey(Flag),
    "`true` returns how the file is read and stores nothing. Default: false."
  ),
  accept_unbalanced: described(
    Schema.optionalKey(Flag),
    "`true` imports a statement even if its lines do not lead from its opening to its closing balance. Default: false."
  ),
  accept_overlap: described(
    Schema.optionalKey(Flag),
    "`true` imports lines even if the account seems to have them from other files: most have the day and the amount of earlier lines. Default: false."
  )
}
const Form = Schema.Union([
  Schema.Struct({ file: Multipart.SingleFileSchema, ...fields }),
  Schema.Struct({ statement: Multipart.SingleFileSchema, ...fields })
]).pipe(HttpApiSchema.asMultipartStream())

export class BankAccountsApi extends HttpApiGroup.make("bankAccounts")
  .annotateMerge(
    tag("Bank accounts", "Bank accounts, which an administrator creates, and the import of their statements.")
  )
  .add(
    HttpApiEndpoint.get("list", "/", { query: bankAccountsQuery, success: page(BankAccount) }).annotateMerge(
      operation("List bank accounts", "Returns the bank accounts, with the number of their open transactions.")
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(BankAccount), error: NotFound }).annotateMerge(
      operation("Get a bank account", "Returns one bank account.")
    ),
    HttpApiEndpoint.post("importStatement", "/:id/import-statement", {
      params,
      query: importQuery,
      payload: Form,
      headers: preferHeaders,
      success: [created(ImportSession), accepted],
      error: [
        TooManyOperations,
        NotFound,
        MalformedMultipart,
        ValidationFailed,
        BankAccountArchived,
        AccountMismatch,
        OverlappingFormat,
        BooksLocked,
        ...StatementRefused.members,
        StorageUnavailable
      ]
    })
      .annotateMerge(
        operation(
          "Import a bank statement",
          "Reads a CSV, CAMT.053, CODA, MT940 or OFX file, or a ZIP of one of them, in the part `file`, at most 64 MiB and 100,000 lines. Lines that " +
            "exist are not imported twice, and the same file changes nothing. Then every line is matched with " +
            "documents and rules, and rules with `auto_add` book at most 500 lines (5,000 in the background). A file whose amounts or dates are ambiguous is refused with 422 until `mapping` " +
            "decides. `Prefer: respond-async` imports in the background.",
          "bank_statement.imported",
          ...documentEvents
        )
      )
      .annotate(UsesOtherSystems, true),
    HttpApiEndpoint.get("imports", "/:id/imports", {
      params,
      query: bankImportsQuery,
      success: page(BankImport),
      error: NotFound
    }).annotateMerge(operation("List the imports of a bank account", "Returns the imported statements, newest first.")),
    HttpApiEndpoint.get("import", "/:id/imports/:import_id", {
      params: importParams,
      success: data(BankImport),
      error: NotFound
    }).annotateMerge(
      operation("Get an import", "Returns one imported statement, with the number of its lines that are matched.")
    ),
    HttpApiEndpoint.delete("removeImport", "/:id/imports/:import_id", {
      params: importParams,
      success: removed(BankImportId),
      error: [NotFound, ImportMatched, BooksLocked]
    }).annotateMerge(
      operation(
        "Undo an import",
        "Deletes the import with all its lines, so that the file can be imported again, into another account, too. " +
          "While one of its lines is matched, the answer is 409 `import_matched`.",
        "bank_statement.deleted"
      )
    ),
    HttpApiEndpoint.get("reconciliationReport", "/:id/reconciliation-report", {
      params,
      query: reportQuery,
      success: data(ReconciliationReport),
      error: [NotFound, ValidationFailed]
    }).annotateMerge(
      operation(
        "Get the reconciliation report",
        "Counts and sums the transactions of a period by status, and compares the balance with that of the bank."
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/bank-accounts") {}
