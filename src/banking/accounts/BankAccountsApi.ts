import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { created, data, page, removed } from "../../kernel/Envelope.ts"
import { BankAccountId, BankImportId, inText } from "../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { accepted, preferHeaders } from "../../operations/Operation.ts"
import { TooManyOperations } from "../../operations/OperationErrors.ts"
import { UsesOtherSystems } from "../../platform/http/Contract.ts"
import { MalformedMultipart } from "../../platform/http/Refusals.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { BankImport, bankImportsQuery } from "../imports/BankImport.ts"
import { AccountMismatch, BankAccountArchived, ImportMatched } from "../imports/ImportErrors.ts"
import { ImportSession } from "../imports/ImportSession.ts"
import { AmbiguousAmountFormat, AmbiguousDateFormat, InvalidStatement } from "../statements/StatementErrors.ts"
import { BankAccount, bankAccountsQuery, ReconciliationReport, reportQuery } from "./BankAccount.ts"
import { BooksLocked } from "../../organizations/BookLock.ts"

const params = { id: inText(BankAccountId) }
const importParams = { ...params, import_id: inText(BankImportId) }

/** The handler streams the file, which is in the part `file` or its alias `statement`. */
const fields = {
  format: Schema.optionalKey(Schema.String),
  mapping: Schema.optionalKey(Schema.String),
  strict: Schema.optionalKey(Schema.String),
  dry_run: Schema.optionalKey(Schema.String)
}
const Form = Schema.Union([
  Schema.Struct({ file: Multipart.SingleFileSchema, ...fields }),
  Schema.Struct({ statement: Multipart.SingleFileSchema, ...fields })
]).pipe(HttpApiSchema.asMultipartStream())

/** Implements the spec's "Endpoints: Banking" for bank accounts. */
export class BankAccountsApi extends HttpApiGroup.make("bankAccounts")
  .add(
    HttpApiEndpoint.get("list", "/", { query: bankAccountsQuery, success: page(BankAccount) }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(BankAccount), error: NotFound }),
    HttpApiEndpoint.post("importStatement", "/:id/import-statement", {
      params,
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
        BooksLocked,
        InvalidStatement,
        AmbiguousAmountFormat,
        AmbiguousDateFormat,
        StorageUnavailable
      ]
    }).annotate(UsesOtherSystems, true),
    HttpApiEndpoint.get("imports", "/:id/imports", {
      params,
      query: bankImportsQuery,
      success: page(BankImport),
      error: NotFound
    }),
    HttpApiEndpoint.get("import", "/:id/imports/:import_id", {
      params: importParams,
      success: data(BankImport),
      error: NotFound
    }),
    HttpApiEndpoint.delete("removeImport", "/:id/imports/:import_id", {
      params: importParams,
      success: removed(BankImportId),
      error: [NotFound, ImportMatched, BooksLocked]
    }),
    HttpApiEndpoint.get("reconciliationReport", "/:id/reconciliation-report", {
      params,
      query: reportQuery,
      success: data(ReconciliationReport),
      error: [NotFound, ValidationFailed]
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/bank-accounts") {}
