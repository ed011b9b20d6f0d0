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
import { AccountMismatch, BankAccountArchived, ImportMatched, OverlappingFormat } from "../imports/ImportErrors.ts"
import { importQuery } from "../imports/ImportQuery.ts"
import { ImportSession } from "../imports/ImportSession.ts"
import { StatementRefused } from "../statements/StatementErrors.ts"
import { BankAccount, bankAccountsQuery, ReconciliationReport, reportQuery } from "./BankAccount.ts"
import { BooksLocked } from "../../kernel/BooksLocked.ts"

const params = { id: inText(BankAccountId) }
const importParams = { ...params, import_id: inText(BankImportId) }

/** The handler streams the file, which is in the part `file` or its alias `statement`. */
const fields = {
  format: Schema.optionalKey(Schema.String),
  mapping: Schema.optionalKey(Schema.String),
  strict: Schema.optionalKey(Schema.String),
  dry_run: Schema.optionalKey(Schema.String),
  accept_unbalanced: Schema.optionalKey(Schema.String),
  accept_overlap: Schema.optionalKey(Schema.String)
}
const Form = Schema.Union([
  Schema.Struct({ file: Multipart.SingleFileSchema, ...fields }),
  Schema.Struct({ statement: Multipart.SingleFileSchema, ...fields })
]).pipe(HttpApiSchema.asMultipartStream())

/** Implements the spec's "Endpoints: Banking" for bank accounts. */
export class BankAccountsApi extends HttpApiGroup.make("bankAccounts")
  .annotateMerge(
    tag("Bank accounts", "Bank accounts, which an administrator creates, and the import of their statements.")
  )
  .add(
    HttpApiEndpoint.get("list", "/", { query: bankAccountsQuery, success: page(BankAccount) }).annotateMerge(
      operation("List bank accounts", "Answers the bank accounts, with the number of their open transactions.")
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(BankAccount), error: NotFound }).annotateMerge(
      operation("Get a bank account", "Answers one bank account.")
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
          "Reads a CSV, CAMT.053, CODA or MT940 file, or a ZIP of one of them, in the part `file`, at most 64 MiB and 100,000 lines. Lines that " +
            "exist are not imported twice, and the same file changes nothing. Then every line is matched with " +
            "documents and rules. A file whose amounts or dates are ambiguous is refused with 422 until `mapping` " +
            "decides. `Prefer: respond-async` imports in the background.",
          "bank_statement.imported",
          "bank_transaction.matched"
        )
      )
      .annotate(UsesOtherSystems, true),
    HttpApiEndpoint.get("imports", "/:id/imports", {
      params,
      query: bankImportsQuery,
      success: page(BankImport),
      error: NotFound
    }).annotateMerge(operation("List the imports of a bank account", "Answers the imported statements, newest first.")),
    HttpApiEndpoint.get("import", "/:id/imports/:import_id", {
      params: importParams,
      success: data(BankImport),
      error: NotFound
    }).annotateMerge(
      operation("Get an import", "Answers one imported statement, with the number of its lines that are matched.")
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
