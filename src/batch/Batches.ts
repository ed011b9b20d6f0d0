import { Context, Effect, Layer, Option, Schema, Struct } from "effect"
import type { Invoice } from "../billing/invoices/Invoice.ts"
import { InvoiceIssuer } from "../billing/invoices/writing/InvoiceIssuer.ts"
import { BilledExpenses } from "../billing/invoices/writing/BilledExpenses.ts"
import { InvoiceRemover } from "../billing/invoices/writing/InvoiceRemover.ts"
import { Invoices } from "../billing/invoices/writing/Invoices.ts"
import { InvoiceChanges, InvoiceDraft } from "../billing/invoices/writing/InvoiceDraft.ts"
import { Payments } from "../billing/payments/Payments.ts"
import { Quotes } from "../billing/quotes/Quotes.ts"
import { Contacts } from "../customers/contacts/Contacts.ts"
import { Customers } from "../customers/Customers.ts"
import { Expenses } from "../expenses/Expenses.ts"
import { clientDataInput } from "../kernel/ClientData.ts"
import { ContactId, CustomerId, ExpenseId, InvoiceId, inText, PaymentId, QuoteId, WebhookId } from "../kernel/Ids.ts"
import { ValidationFailed } from "../kernel/Refusal.ts"
import { type Caller, CurrentOrganization } from "../platform/http/Security.ts"
import { Webhooks } from "../webhooks/Webhooks.ts"
import type { CreateInvoices, Outcome, Removable, UpdateInvoices } from "./Batch.ts"
import type { BatchFailed, BatchTooLarge } from "./BatchErrors.ts"
import { decodeElement, decodeTarget, idIn, type ItemRefusal, within } from "./BatchItems.ts"
import { BatchRunner, type Item, type Progress } from "./BatchRunner.ts"

type Refused = BatchTooLarge | BatchFailed

interface Removing {
  readonly remove: (id: number) => Effect.Effect<{ readonly id: number }, ItemRefusal, Caller>
  readonly hold: (ids: ReadonlyArray<number>) => Effect.Effect<void, never, CurrentOrganization>
}

interface Removal {
  readonly resource: Removable
  readonly ids: ReadonlyArray<string>
  readonly atomic: boolean
}

/** Changes many records in one request; each item follows the rules of its own endpoint and has its own result. */
export class Batches extends Context.Service<
  Batches,
  {
    readonly createInvoices: (
      body: CreateInvoices,
      progress?: Progress<Invoice>
    ) => Effect.Effect<Outcome<Invoice>, Refused, Caller>
    readonly updateInvoices: (body: typeof UpdateInvoices.Type) => Effect.Effect<Outcome<Invoice>, Refused, Caller>
    readonly remove: (
      removal: Removal
    ) => Effect.Effect<Outcome<{ readonly id: number }>, Refused | ValidationFailed, Caller>
  }
>()("invoicing/batch/Batches") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const invoices = yield* Invoices
      const removing = yield* InvoiceRemover
      const issuing = yield* InvoiceIssuer
      const payments = yield* Payments
      const quotes = yield* Quotes
      const customers = yield* Customers
      const contacts = yield* Contacts
      const webhooks = yield* Webhooks
      const expenses = yield* Expenses
      const billedExpenses = yield* BilledExpenses
      const runner = yield* BatchRunner

      /** Locks the invoices and the expenses billed on them, because removing an invoice line updates its expense. */
      const holdInvoices = (ids: ReadonlyArray<InvoiceId>) =>
        Effect.andThen(invoices.hold(ids), billedExpenses.hold(ids))

      /**
       * Begins and locks the number series of the dates of well-formed invoices, if invoices are numbered when they are
       * created. If two batches both began the series of a year with their items, they would wait for each other.
       */
      const holdSeries = Effect.fnUntraced(function* (elements: CreateInvoices["invoices"]) {
        const { settings } = yield* CurrentOrganization
        if (settings.invoice_number_on === "issue") return
        const drafts = yield* Effect.forEach(elements, (element) => Effect.option(decodeDraft(element)))
        const issue_dates = drafts.flatMap((draft) => Option.toArray(draft).map(({ issue_date }) => issue_date))
        yield* issuing.hold({ customer_ids: [], issue_dates })
      })

      const createInvoices = Effect.fn("Batches.createInvoices")(function* (
        { atomic, invoices: elements }: CreateInvoices,
        progress?: Progress<Invoice>
      ) {
        const items = elements.map((element, index) => {
          const create = Effect.gen(function* () {
            return { data: yield* invoices.create(yield* decodeDraft(element)) }
          })
          return { id: null, external_id: labelOf(element), run: within(`invoices.${index}`, create) }
        })
        const transaction = atomic === true ? "all" : "each"
        const mode = { http_status: 201, transaction, begin: holdSeries(elements) } as const
        return yield* runner.run(items, mode, progress)
      })

      const updateInvoices = Effect.fn("Batches.updateInvoices")(function* ({
        atomic,
        updates
      }: typeof UpdateInvoices.Type) {
        const items = updates.map((element, index) => {
          const id = idIn(element)
          const update = Effect.gen(function* () {
            const target = yield* decodeTarget(element)
            return { data: yield* invoices.update(target.id, yield* decodeChanges(element)) }
          })
          return { id, external_id: labelOf(element), run: within(`updates.${index}`, update) }
        })
        const hold = holdInvoices(items.flatMap(({ id }) => id ?? []))
        return yield* runner.run(items, { http_status: 200, transaction: atomic === true ? "all" : "each", hold })
      })

      const removals: Readonly<Record<Removable, Removing>> = {
        invoices: {
          remove: (id) => removing.remove(InvoiceId.make(id)),
          hold: (ids) => holdInvoices(ids.map((id) => InvoiceId.make(id)))
        },
        quotes: {
          remove: (id) => quotes.remove(QuoteId.make(id)),
          hold: (ids) => quotes.hold(ids.map((id) => QuoteId.make(id)))
        },
        customers: {
          remove: (id) => customers.remove(CustomerId.make(id)),
          hold: (ids) => customers.hold(ids.map((id) => CustomerId.make(id)))
        },
        contacts: {
          remove: (id) => contacts.remove(ContactId.make(id)),
          hold: (ids) => contacts.hold(ids.map((id) => ContactId.make(id)))
        },
        payments: {
          remove: (id) => payments.remove(PaymentId.make(id)),
          hold: (ids) => payments.hold(ids.map((id) => PaymentId.make(id)))
        },
        webhooks: {
          remove: (id) => webhooks.remove(WebhookId.make(id)),
          hold: (ids) => webhooks.hold(ids.map((id) => WebhookId.make(id)))
        },
        expenses: {
          remove: (id) => expenses.remove(ExpenseId.make(id)),
          hold: (ids) => expenses.holdForRemoval(ids.map((id) => ExpenseId.make(id)))
        }
      }

      const remove = Effect.fn("Batches.remove")(function* ({ atomic, ids, resource }: Removal) {
        if (ids.length === 0) return yield* ValidationFailed.of({ ids: ["The ids field is required."] })
        const items = ids.map((text, index): Item<{ readonly id: number }, Caller> => {
          const id = Option.getOrNull(decodeIdText(text))
          const removal = Effect.gen(function* () {
            if (id === null) return yield* ValidationFailed.of({ "": ["The id must be a whole number above 0."] })
            return { data: yield* removals[resource].remove(id) }
          })
          return { id, external_id: null, run: within(`ids.${index}`, removal) }
        })
        const hold = removals[resource].hold(items.flatMap(({ id }) => id ?? []))
        return yield* runner.run(items, { http_status: 200, transaction: atomic ? "all" : "each", hold })
      })

      return Batches.of({ createInvoices, updateInvoices, remove })
    })
  ).pipe(
    Layer.provide([
      BatchRunner.layer,
      Invoices.layer,
      InvoiceRemover.layer,
      InvoiceIssuer.layer,
      Payments.layer,
      Quotes.layer,
      Customers.layer,
      Contacts.layer,
      Webhooks.layer,
      Expenses.layer
    ])
  )
}

const Label = Schema.Struct(Struct.pick(clientDataInput, ["external_id"]))

const decodeDraft = decodeElement(InvoiceDraft)
const decodeChanges = decodeElement(InvoiceChanges)
/** Decodes the text of any id, because the ids of all resources have the same format. */
const decodeIdText = Schema.decodeOption(inText(InvoiceId))

const labelled = Schema.decodeUnknownOption(Label)

const labelOf = (element: unknown) =>
  Option.match(labelled(element), { onNone: () => null, onSome: ({ external_id }) => external_id ?? null })
