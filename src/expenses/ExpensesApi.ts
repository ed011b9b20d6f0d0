import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { InvoiceLocked } from "../billing/invoices/InvoiceErrors.ts"
import { created, data, removed } from "../kernel/Envelope.ts"
import { ExpenseId, inText } from "../kernel/Ids.ts"
import { listing, orDeletion } from "../kernel/Listing.ts"
import { NotFound, PreconditionFailed, ValidationFailed } from "../kernel/Refusal.ts"
import { operation, optionalBody, tag } from "../platform/http/Contract.ts"
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
import {
  AlreadyInvoiced,
  CurrencyMismatch,
  ExpenseLocked,
  ExpensePaid,
  ExpenseRejected,
  ReceiptBooked
} from "./ExpenseErrors.ts"
import { BooksLocked } from "../kernel/BooksLocked.ts"

const params = { id: inText(ExpenseId) }

export class ExpensesApi extends HttpApiGroup.make("expenses")
  .annotateMerge(tag("Expenses", "What the organization spends, with deductible taxes."))
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: expensesQuery,
      success: listing(orDeletion(Expense)),
      error: ValidationFailed
    }).annotateMerge(
      operation(
        "List expenses",
        "The list is sorted by date, newest first. Read it by page, or by `cursor` to sync it."
      )
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: ExpenseDraft,
      success: created(Expense),
      error: [ValidationFailed, ReceiptBooked, BooksLocked]
    }).annotateMerge(
      operation(
        "Create an expense",
        "Records an expense; `amount` includes taxes. A negative amount is a credit note of the supplier. " +
          "`receipt_path` adds an uploaded receipt; the same purchase of one receipt is booked only once (422 " +
          "`receipt_booked`).",
        "expense.created"
      )
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: data(Expense), error: NotFound }).annotateMerge(
      operation("Get an expense", "Returns one expense with the deductible tax.")
    ),
    HttpApiEndpoint.put("update", "/:id", {
      params,
      payload: ExpenseChanges,
      success: data(Expense),
      error: [
        NotFound,
        PreconditionFailed,
        ExpenseLocked,
        ExpenseRejected,
        ReceiptBooked,
        ValidationFailed,
        BooksLocked
      ]
    }).annotateMerge(
      operation(
        "Update an expense",
        "Changes the fields that the body has. 422 `expense_locked` refuses a new amount or currency of an expense that " +
          "is paid, on an invoice or matched with a bank transaction, a new net amount of one on an invoice, and a new " +
          "status of a matched one, except among `draft`, `pending` and `approved`. A billed expense cannot be rejected " +
          "(422 `expense_locked`), and a rejected one cannot become paid (422 `expense_rejected`).",
        "expense.updated"
      )
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params,
      success: removed(ExpenseId),
      error: [NotFound, PreconditionFailed, ExpenseLocked, Forbidden, BooksLocked]
    }).annotateMerge(
      operation(
        "Delete an expense",
        "Deletes the expense. A paid or billed one is refused with 422 `expense_locked`.",
        "expense.deleted"
      )
    ),
    HttpApiEndpoint.post("convertToInvoiceItem", "/:id/convert-to-invoice-item", {
      params,
      payload: ConvertToInvoiceItem,
      success: data(Expense),
      error: [
        NotFound,
        ValidationFailed,
        AlreadyInvoiced,
        ExpenseRejected,
        CurrencyMismatch,
        InvoiceLocked,
        BooksLocked
      ]
    }).annotateMerge(
      operation(
        "Bill an expense",
        "Adds a line for the expense to a draft invoice of the same currency, with an optional markup. An " +
          "expense is billed once (422 `already_invoiced`), and again after the invoice was credited as a whole.",
        "invoice.updated",
        "expense.updated"
      )
    ),
    HttpApiEndpoint.post("duplicate", "/:id/duplicate", {
      params,
      success: created(Expense),
      error: [NotFound, ValidationFailed, BooksLocked]
    }).annotateMerge(
      operation(
        "Duplicate an expense",
        "Creates a pending expense with the same fields, dated today. Reference and receipt are not copied.",
        "expense.created"
      )
    ),
    HttpApiEndpoint.post("linkToInvoice", "/:id/link-to-invoice", {
      params,
      payload: LinkToInvoice,
      success: data(Expense),
      error: [NotFound, ValidationFailed, InvoiceLocked]
    }).annotateMerge(
      operation(
        "Link an expense to an invoice",
        "Links the expense to an invoice without adding a line to it.",
        "expense.updated"
      )
    ),
    HttpApiEndpoint.post("markBillable", "/:id/mark-billable", {
      params,
      success: data(Expense),
      error: NotFound
    }).annotateMerge(
      operation("Mark an expense as billable", "Marks the expense as billable to a customer.", "expense.updated")
    ),
    HttpApiEndpoint.post("markPaid", "/:id/mark-paid", {
      params,
      payload: optionalBody(MarkExpensePaid),
      success: data(Expense),
      error: [NotFound, ExpensePaid, ExpenseRejected, BooksLocked]
    }).annotateMerge(
      operation(
        "Mark an expense as paid",
        "Records that the expense was paid. A paid one is refused with 422 `already_paid`.",
        "expense.updated"
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/expenses") {}
