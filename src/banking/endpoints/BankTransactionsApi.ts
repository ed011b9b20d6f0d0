import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { created, data } from "../../kernel/Envelope.ts"
import { BankTransactionId, inText } from "../../kernel/Ids.ts"
import { listing, orDeletion } from "../../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../../kernel/Refusal.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { PaymentLocked } from "../../billing/payments/PaymentErrors.ts"
import { operation, optionalBody, tag, UsesOtherSystems } from "../../platform/http/Contract.ts"
import { RuleBudgetExceeded, RuleCheckUnavailable } from "../rules/RuleErrors.ts"
import { BankTransaction, bankTransactionsQuery } from "../transactions/BankTransaction.ts"
import { CreateDocumentBody, documentEvents, DocumentPrefill } from "../reconciliation/LineDocument.ts"
import { BulkConfirmation, BulkConfirmBody, Match, MatchBody, UnmatchBody } from "../reconciliation/matches/Match.ts"
import {
  CustomerRequired,
  matchRefused,
  NotMatched,
  UnmatchTogether
} from "../reconciliation/matches/ReconciliationErrors.ts"
import { BooksLocked } from "../../kernel/BooksLocked.ts"

const params = { id: inText(BankTransactionId) }

export class BankTransactionsApi extends HttpApiGroup.make("bankTransactions")
  .annotateMerge(tag("Bank transactions", "Lines of imported bank statements and their matches with documents."))
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: bankTransactionsQuery,
      success: listing(orDeletion(BankTransaction)),
      error: [NotFound, ValidationFailed]
    }).annotateMerge(
      operation(
        "List bank transactions",
        "The list is sorted by booking date, newest first. Read it by page, or by `cursor` to sync it."
      )
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(BankTransaction), error: NotFound }).annotateMerge(
      operation("Get a bank transaction", "Returns one transaction with its suggestion and its matches.")
    ),
    HttpApiEndpoint.post("bulkConfirm", "/bulk-confirm", {
      payload: BulkConfirmBody,
      success: data(BulkConfirmation),
      error: ValidationFailed
    })
      // Each line is confirmed in a separate transaction, also with an `Idempotency-Key`. A repeat after a crash skips
      // the lines that are matched.
      .annotate(UsesOtherSystems, true)
      .annotateMerge(
        operation(
          "Confirm suggestions",
          "Confirms the best suggestion of up to 200 transactions. One that is uncertain, ambiguous or matched " +
            "already is skipped with the reason. If the same line is confirmed twice at the same time, one confirmation is " +
            "skipped. Lines that a broken request with the same `Idempotency-Key` had confirmed are skipped as " +
            "`already_matched`. `If-Match` is ignored.",
          ...documentEvents,
          "payment.refunded",
          "invoice.partially_paid",
          "invoice.updated"
        )
      ),
    HttpApiEndpoint.post("match", "/:id/match", {
      params,
      payload: MatchBody,
      success: data(Match),
      error: matchRefused
    }).annotateMerge(
      operation(
        "Match a bank transaction",
        "Matches the line with documents and records the payments. In `allocations`, a document whose money goes the " +
          "other way is deducted: a credit note from the invoice that it reduces, a fee from a payout. The wrong " +
          "direction, another currency, more than the line or than a balance is refused with 422; a line that " +
          "somebody else has just matched with 422 `already_matched`.",
        "bank_transaction.matched",
        "expense.updated",
        "payment.created",
        "payment.updated",
        "payment.refunded",
        "invoice.paid",
        "invoice.partially_paid",
        "invoice.updated"
      )
    ),
    HttpApiEndpoint.post("createDocument", "/:id/create-document", {
      params,
      payload: optionalBody(CreateDocumentBody),
      success: created(Match),
      error: [...matchRefused, CustomerRequired, RuleBudgetExceeded, RuleCheckUnavailable]
    })
      .annotate(UsesOtherSystems, true)
      .annotateMerge(
        operation(
          "Create a document from a bank transaction",
          "Creates an expense for a debit or a paid invoice for a credit, and matches the line with it in the " +
            "same transaction. `document_type` `expense` makes a supplier's refund a negative expense.",
          ...documentEvents
        )
      ),
    HttpApiEndpoint.get("documentPrefill", "/:id/document-prefill", {
      params,
      success: data(DocumentPrefill),
      error: [NotFound, RuleBudgetExceeded, RuleCheckUnavailable]
    }).annotateMerge(
      operation(
        "Propose a document for a bank transaction",
        "Returns what a new document would contain: counterparty, category, date and amount, as rules and " +
          "earlier documents suggest."
      )
    ),
    HttpApiEndpoint.post("unmatch", "/:id/unmatch", {
      params,
      payload: optionalBody(UnmatchBody),
      success: data(BankTransaction),
      error: [NotFound, NotMatched, UnmatchTogether, PaymentLocked, PreconditionFailed, BooksLocked]
    }).annotateMerge(
      operation(
        "Unmatch a bank transaction",
        "Undoes one match or all of them, with the payments that they recorded. Documents are kept. A payment that " +
          "was refunded is refused with 422 `payment_locked`, which names the refunds to be reversed first.",
        "bank_transaction.unmatched",
        "expense.updated",
        "payment.updated",
        "payment.deleted",
        "payment.refund_reversed",
        "invoice.updated",
        "invoice.paid"
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/bank-transactions") {}
