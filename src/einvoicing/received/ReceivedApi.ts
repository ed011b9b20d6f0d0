import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { ArchiveIncident } from "../../archive/ArchiveErrors.ts"
import { Expense } from "../../expenses/Expense.ts"
import { created, data } from "../../kernel/Envelope.ts"
import { inText, ReceivedId } from "../../kernel/Ids.ts"
import { listing } from "../../kernel/Listing.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { operation, optionalBody, tag, UsesOtherSystems } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { NetworkDown } from "../directory/DirectoryErrors.ts"
import { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import { ExpenseChoice, Received, receivedQuery, Refusal } from "./Received.ts"
import { BooksLocked } from "../../kernel/BooksLocked.ts"
import {
  AlreadyAnswered,
  AlreadyExpensed,
  AnswerInProgress,
  AnswerRefused,
  DocumentRefused,
  DocumentSelfBilled,
  DocumentUnreadable
} from "./ReceivedErrors.ts"

const params = { id: inText(ReceivedId) }
const answered = {
  success: data(Received),
  error: [
    NotFound,
    ValidationFailed,
    AlreadyAnswered,
    AnswerInProgress,
    AnswerRefused,
    DocumentSelfBilled,
    ProviderNotConfigured,
    NetworkDown,
    StorageUnavailable
  ]
}

export class ReceivedApi extends HttpApiGroup.make("receivedDocuments")
  .annotateMerge(
    tag("Received e-invoices", "Invoices and credit notes that suppliers sent over an e-invoicing network.")
  )
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: receivedQuery,
      success: listing(Received),
      error: ValidationFailed
    }).annotateMerge(operation("List received documents", "The list is sorted by arrival, newest first.")),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Received), error: NotFound }).annotateMerge(
      operation(
        "Show a received document",
        "Returns the document's content and status, and its expense if there is one."
      )
    ),
    HttpApiEndpoint.get("document", "/:id/document", {
      params,
      success: HttpApiSchema.StreamUint8Array({ contentType: ["application/xml", "application/pdf"] }),
      error: [NotFound, ArchiveIncident, StorageUnavailable]
    }).annotateMerge(
      operation("Download a received document", "Returns the bytes as they arrived: XML or a hybrid PDF.")
    ),
    HttpApiEndpoint.post("createExpense", "/:id/create-expense", {
      params,
      payload: optionalBody(ExpenseChoice),
      success: created(Expense),
      error: [
        NotFound,
        ValidationFailed,
        DocumentSelfBilled,
        DocumentUnreadable,
        DocumentRefused,
        AlreadyExpensed,
        BooksLocked
      ]
    }).annotateMerge(
      operation(
        "Create an expense from a received document",
        "Returns the expense, which has the exact amounts of the document; a credit note becomes a negative expense. " +
          "A document can only become one expense: a second request is refused with 422 `already_expensed`.",
        "expense.created",
        "received_document.updated"
      )
    ),
    HttpApiEndpoint.post("accept", "/:id/accept", { params, ...answered })
      .annotate(UsesOtherSystems, true)
      .annotateMerge(
        operation(
          "Accept a received document",
          "Tells the supplier over the network. A document is answered once: a second answer is refused with 422 " +
            "`already_answered`, or with 409 `answer_in_progress` while the first one is under way or its outcome is " +
            "unknown.",
          "received_document.updated"
        )
      ),
    HttpApiEndpoint.post("refuse", "/:id/refuse", { params, payload: Refusal, ...answered })
      .annotate(UsesOtherSystems, true)
      .annotateMerge(
        operation(
          "Refuse a received document",
          "Tells the supplier the reason over the network. A document is answered once.",
          "received_document.updated"
        )
      )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/einvoicing/received") {}
