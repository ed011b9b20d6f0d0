import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { ArchiveIncident } from "../../archive/ArchiveErrors.ts"
import { data } from "../../kernel/Envelope.ts"
import { inText, ReceivedId } from "../../kernel/Ids.ts"
import { listing } from "../../kernel/Listing.ts"
import { NotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { optionalBody, UsesOtherSystems } from "../../platform/http/Contract.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { StorageUnavailable } from "../../platform/storage/StorageUnavailable.ts"
import { NetworkDown } from "../directory/DirectoryErrors.ts"
import { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import { ExpenseChoice, Received, receivedQuery, Refusal } from "./Received.ts"
import { BooksLocked } from "../../kernel/BooksLocked.ts"
import { AlreadyAnswered, AlreadyExpensed, AnswerRefused, DocumentUnreadable } from "./ReceivedErrors.ts"

const params = { id: inText(ReceivedId) }
const answered = {
  success: data(Received),
  error: [NotFound, ValidationFailed, AlreadyAnswered, AnswerRefused, ProviderNotConfigured, NetworkDown]
}

/** Contract section 21, E-invoicing: the documents that arrived. */
export class ReceivedApi extends HttpApiGroup.make("receivedDocuments")
  .add(
    HttpApiEndpoint.get("list", "/", { query: receivedQuery, success: listing(Received), error: ValidationFailed }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Received), error: NotFound }),
    HttpApiEndpoint.get("document", "/:id/document", {
      params,
      success: HttpApiSchema.StreamUint8Array({ contentType: ["application/xml", "application/pdf"] }),
      error: [NotFound, ArchiveIncident, StorageUnavailable]
    }),
    HttpApiEndpoint.post("createExpense", "/:id/create-expense", {
      params,
      payload: optionalBody(ExpenseChoice),
      success: data(Received),
      error: [NotFound, ValidationFailed, DocumentUnreadable, AlreadyExpensed, BooksLocked]
    }),
    HttpApiEndpoint.post("accept", "/:id/accept", { params, ...answered }).annotate(UsesOtherSystems, true),
    HttpApiEndpoint.post("refuse", "/:id/refuse", { params, payload: Refusal, ...answered }).annotate(
      UsesOtherSystems,
      true
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/einvoicing/received") {}
