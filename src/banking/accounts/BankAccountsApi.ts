import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { created, data, page } from "../../kernel/Envelope.ts"
import { BankAccountId, inText } from "../../kernel/Ids.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { accepted, preferHeaders } from "../../operations/Operation.ts"
import { TooManyOperations } from "../../operations/OperationErrors.ts"
import { UsesOtherSystems } from "../../platform/http/Contract.ts"
import { MalformedMultipart } from "../../platform/http/Refusals.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { AccountMismatch, BankAccountArchived, OverlappingFormat } from "../imports/ImportErrors.ts"
import { importQuery } from "../imports/ImportQuery.ts"
import { ImportSession } from "../imports/ImportSession.ts"
import { StatementRefused } from "../statements/StatementErrors.ts"
import { BankAccount, bankAccountsQuery, ReconciliationReport, reportQuery } from "./BankAccount.ts"

const params = { id: inText(BankAccountId) }

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
  .add(
    HttpApiEndpoint.get("list", "/", { query: bankAccountsQuery, success: page(BankAccount) }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(BankAccount), error: NotFound }),
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
        ...StatementRefused.members,
        StorageUnavailable
      ]
    }).annotate(UsesOtherSystems, true),
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
