import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { InvoiceLocked } from "../billing/invoices/InvoiceErrors.ts"
import { created, data, removed } from "../kernel/Envelope.ts"
import { ExpenseId, inText } from "../kernel/Ids.ts"
import { listing, orDeletion } from "../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../kernel/Refusal.ts"
import { optionalBody } from "../platform/http/Contract.ts"
import { Forbidden } from "../platform/http/Refusals.ts"
import { RequestValidation } from "../platform/http/RequestValidation.ts"
import { Authorization } from "../platform/http/Security.ts"
import {
  ConvertToInvoiceItem,
  Expense,
  ExpenseChanges,
  ExpenseDraft,
  expensesQuery,
  LinkToInvoice,
  MarkExpensePaid
} from "./Expense.ts"
import { AlreadyInvoiced, CurrencyMismatch, ExpenseLocked, ExpensePaid } from "./ExpenseErrors.ts"
import { BooksLocked } from "../organizations/BookLock.ts"

const params = { id: inText(ExpenseId) }

/** Implements the spec's "Endpoints: Expenses and receipts" for expenses. */
export class ExpensesApi extends HttpApiGroup.make("expenses")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: expensesQuery,
      success: listing(orDeletion(Expense)),
      error: ValidationFailed
    }),
    HttpApiEndpoint.post("create", "/", {
      payload: ExpenseDraft,
      success: created(Expense),
      error: [ValidationFailed, BooksLocked]
    }),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Expense), error: NotFound }),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: ExpenseChanges,
      success: data(Expense),
      error: [NotFound, PreconditionFailed, ExpenseLocked, ValidationFailed, BooksLocked]
    }),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(ExpenseId),
      error: [NotFound, PreconditionFailed, ExpenseLocked, Forbidden, BooksLocked]
    }),
    HttpApiEndpoint.post("convertToInvoiceItem", "/:id/convert-to-invoice-item", {
      params,
      payload: ConvertToInvoiceItem,
      success: data(Expense),
      error: [NotFound, ValidationFailed, AlreadyInvoiced, CurrencyMismatch, InvoiceLocked, BooksLocked]
    }),
    HttpApiEndpoint.post("duplicate", "/:id/duplicate", {
      params,
      success: created(Expense),
      error: [NotFound, ValidationFailed, BooksLocked]
    }),
    HttpApiEndpoint.post("linkToInvoice", "/:id/link-to-invoice", {
      params,
      payload: LinkToInvoice,
      success: data(Expense),
      error: [NotFound, ValidationFailed, InvoiceLocked]
    }),
    HttpApiEndpoint.post("markBillable", "/:id/mark-billable", { params, success: data(Expense), error: NotFound }),
    HttpApiEndpoint.post("markPaid", "/:id/mark-paid", {
      params,
      payload: optionalBody(MarkExpensePaid),
      success: data(Expense),
      error: [NotFound, ExpensePaid, BooksLocked]
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/expenses") {}
