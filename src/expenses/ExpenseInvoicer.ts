import { BigDecimal, Context, Effect, Layer } from "effect"
import type { ExpenseId, InvoiceId } from "../kernel/Ids.ts"
import { InvoiceLocked, unknownInvoice } from "../billing/invoices/InvoiceErrors.ts"
import { Invoices } from "../billing/invoices/writing/Invoices.ts"
import type { LineItemInput } from "../billing/lines/LineItem.ts"
import { percentOf, roundHalfAwayFromZero, zero } from "../kernel/Money.ts"
import { type NotFound, orNotFound, type ValidationFailed } from "../kernel/Refusal.ts"
import { type Caller, CurrentOrganization } from "../platform/http/Security.ts"
import { Database } from "../platform/sql/Database.ts"
import {
  complete,
  type ConvertToInvoiceItem,
  type Expense,
  type ExpenseFacts,
  type LinkToInvoice,
  netOf
} from "./Expense.ts"
import { AlreadyInvoiced, CurrencyMismatch, ExpenseRejected } from "./ExpenseErrors.ts"
import { auditedSave } from "./ExpenseAudit.ts"
import { changed } from "./ExpenseRules.ts"
import { ExpensesRepo } from "./ExpensesRepo.ts"
import type { BooksLocked } from "../kernel/BooksLocked.ts"

/** Charges expenses to customers. Invoices are locked before expenses, in the same order as when a line is removed. */
export class ExpenseInvoicer extends Context.Service<
  ExpenseInvoicer,
  {
    /** Adds the expense to a draft invoice as a line: net, with a markup, and with the organization's default taxes. */
    readonly convertToInvoiceItem: (
      id: ExpenseId,
      body: ConvertToInvoiceItem
    ) => Effect.Effect<
      Expense,
      NotFound | ValidationFailed | AlreadyInvoiced | ExpenseRejected | CurrencyMismatch | InvoiceLocked | BooksLocked,
      Caller
    >
    /** Stores a reference to the invoice, without billing anything; deleting the invoice removes the reference. */
    readonly linkToInvoice: (
      id: ExpenseId,
      body: LinkToInvoice
    ) => Effect.Effect<Expense, NotFound | ValidationFailed | InvoiceLocked, Caller>
  }
>()("invoicing/expenses/ExpenseInvoicer") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ExpensesRepo
      const invoices = yield* Invoices
      const { transaction } = yield* Database
      const save = auditedSave(repo)

      const lock = Effect.fnUntraced(function* (id: ExpenseId, invoice_id: InvoiceId) {
        yield* Effect.annotateCurrentSpan({ "expense.id": id, "invoice.id": invoice_id })
        const { id: organization_id } = yield* CurrentOrganization
        yield* invoices.hold([invoice_id])
        // A trigger locks the invoice's expenses when the invoice gets a line. They are locked here together with the new
        // one, because every request locks expenses in the order of their ids.
        yield* repo.holdNaming({ organization_id, invoice_ids: [invoice_id], ids: [id] })
        return yield* orNotFound(repo.lock({ organization_id, id }))
      })

      /** Until 2026-11-30, an invoice kept its expenses when it was credited as a whole. */
      const requireUnbilled = Effect.fnUntraced(function* (invoice_id: InvoiceId | null) {
        if (invoice_id === null) return
        const { status } = yield* Effect.orDie(invoices.get(invoice_id))
        if (status !== "credited") return yield* AlreadyInvoiced.of(invoice_id)
      })

      const convertToInvoiceItem = Effect.fn("ExpenseInvoicer.convertToInvoiceItem")(function* (
        id: ExpenseId,
        { invoice_id, markup_percentage }: ConvertToInvoiceItem
      ) {
        const stored = yield* lock(id, invoice_id)
        yield* requireUnbilled(stored.billed_invoice_id)
        if (stored.status === "rejected") return yield* ExpenseRejected.of()
        const { currency } = yield* invoices.get(invoice_id).pipe(Effect.catchTag("NotFound", unknownInvoice))
        if (currency !== stored.currency) return yield* CurrencyMismatch.of(stored.currency, currency)
        const { items } = yield* invoices
          .addItem(invoice_id, lineOf(stored, markup_percentage ?? zero))
          .pipe(Effect.catchTag("NotFound", unknownInvoice))
        const billed_item_id = items.at(-1)?.id ?? null
        const facts = yield* changed(stored, {})
        return yield* save("expense.billed", { ...facts, billed_invoice_id: invoice_id, billed_item_id }, stored.status)
      }, transaction)

      const linkToInvoice = Effect.fn("ExpenseInvoicer.linkToInvoice")(function* (
        id: ExpenseId,
        { invoice_id }: LinkToInvoice
      ) {
        const stored = yield* lock(id, invoice_id)
        const invoice = yield* invoices.get(invoice_id).pipe(Effect.catchTag("NotFound", unknownInvoice))
        if (invoice.status === "void") return yield* InvoiceLocked.change(invoice)
        if (stored.linked_invoice_id === invoice_id) return complete(stored)
        const facts = yield* changed(stored, {})
        return yield* save("expense.linked", { ...facts, linked_invoice_id: invoice_id }, stored.status)
      }, transaction)

      return ExpenseInvoicer.of({ convertToInvoiceItem, linkToInvoice })
    })
  ).pipe(Layer.provide([ExpensesRepo.layer, Invoices.layer]))
}

const unit_price_decimals = 6

/** The unit price is the net amount × (1 + markup / 100). */
const lineOf = (expense: ExpenseFacts, markup_percentage: BigDecimal.BigDecimal): LineItemInput => {
  const net = netOf(expense)
  const price = BigDecimal.sum(net, percentOf(net, markup_percentage))
  return {
    description: expense.description,
    quantity: BigDecimal.fromBigInt(1n),
    unit: "C62",
    unit_price: roundHalfAwayFromZero(price, unit_price_decimals),
    discount: zero,
    discount_type: "percent",
    tax_exempt: false,
    tax_rate_ids: [],
    tax_exemption_reason: null
  }
}
