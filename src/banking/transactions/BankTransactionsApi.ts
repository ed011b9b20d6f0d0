import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data } from "../../kernel/Envelope.ts"
import { BankTransactionId, inText } from "../../kernel/Ids.ts"
import { listing } from "../../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { PaymentLocked } from "../../billing/payments/PaymentErrors.ts"
import { optionalBody } from "../../platform/http/Contract.ts"
import { RuleBudgetExceeded } from "../rules/RuleErrors.ts"
import { BankTransaction, bankTransactionsQuery } from "./BankTransaction.ts"
import { CreateDocumentBody, DocumentPrefill } from "./LineDocument.ts"
import { BulkConfirmation, BulkConfirmBody, Match, MatchBody, UnmatchBody } from "./Match.ts"
import { CustomerRequired, matchRefused, NotMatched } from "./ReconciliationErrors.ts"
import { BooksLocked } from "../../organizations/BookLock.ts"

const params = { id: inText(BankTransactionId) }

/** Implements the spec's "Endpoints: Banking" for bank lines. */
export class BankTransactionsApi extends HttpApiGroup.make("bankTransactions")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: bankTransactionsQuery,
      success: listing(BankTransaction),
      error: [NotFound, ValidationFailed]
    }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(BankTransaction), error: NotFound }),
    HttpApiEndpoint.post("bulkConfirm", "/bulk-confirm", {
      payload: BulkConfirmBody,
      success: data(BulkConfirmation),
      error: ValidationFailed
    }),
    HttpApiEndpoint.post("match", "/:id/match", {
      params,
      payload: MatchBody,
      success: data(Match),
      error: matchRefused
    }),
    HttpApiEndpoint.post("createDocument", "/:id/create-document", {
      params,
      payload: optionalBody(CreateDocumentBody),
      success: created(Match),
      error: [...matchRefused, CustomerRequired, RuleBudgetExceeded]
    }),
    HttpApiEndpoint.get("documentPrefill", "/:id/document-prefill", {
      params,
      success: data(DocumentPrefill),
      error: [NotFound, RuleBudgetExceeded]
    }),
    HttpApiEndpoint.post("unmatch", "/:id/unmatch", {
      params,
      payload: optionalBody(UnmatchBody),
      success: data(BankTransaction),
      error: [NotFound, NotMatched, PaymentLocked, PreconditionFailed, BooksLocked]
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/bank-transactions") {}
