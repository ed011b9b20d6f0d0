import { BigDecimal, Context, Effect, Layer, Option, Struct } from "effect"
import { InvoiceIssuer } from "../../billing/invoices/writing/InvoiceIssuer.ts"
import { Invoices } from "../../billing/invoices/writing/Invoices.ts"
import { TaxRates } from "../../billing/taxes/TaxRates.ts"
import { Customers } from "../../customers/Customers.ts"
import { category_default } from "../../expenses/Expense.ts"
import { Expenses } from "../../expenses/Expenses.ts"
import type { Day } from "../../kernel/Calendar.ts"
import { type BankTransactionId, CounterpartyId, CustomerId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { CurrentOperation } from "../../platform/http/CurrentOperation.ts"
import { withoutPrecondition } from "../../platform/http/Precondition.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { Counterparties } from "../counterparties/Counterparties.ts"
import type { ResolvedParty } from "../counterparties/Counterparty.ts"
import type { Actions, BankRule } from "../rules/BankRule.ts"
import { type RuleBudgetExceeded, type RuleCheckUnavailable, requireRuled, RuleOutdated } from "../rules/RuleErrors.ts"
import { ruleBudgets, RuleMatcher } from "../rules/RuleMatcher.ts"
import { name_same_min } from "../texts/Words.ts"
import type { BankTransaction } from "../transactions/BankTransaction.ts"
import { BankTransactionsRepo } from "../transactions/BankTransactionsRepo.ts"
import { taxOfGross } from "./ExpenseTax.ts"
import type { CreateDocumentBody, DocumentPrefill } from "./LineDocument.ts"
import type { Match } from "./matches/Match.ts"
import { MatchesRepo } from "./matches/MatchesRepo.ts"
import { match_payment_method } from "./targets/RecordedMoney.ts"
import { type MadeDocument, Reconciliation } from "./Reconciliation.ts"
import { AmountExceedsRemaining, CustomerRequired, type MatchRefused } from "./matches/ReconciliationErrors.ts"

/** The requested fields of a document: from a client's body, or from the actions of a rule. */
type Wish = Partial<Actions> & {
  readonly date?: Day | null
  readonly amount?: BigDecimal.BigDecimal | null
  readonly is_rule?: true
}

type Refused = MatchRefused | CustomerRequired
type Unruled = RuleBudgetExceeded | RuleCheckUnavailable

/** Creates documents from bank lines: expenses from debits and from refunds of suppliers, invoices from credits. */
export class LineDocuments extends Context.Service<
  LineDocuments,
  {
    readonly prefill: (id: BankTransactionId) => Effect.Effect<DocumentPrefill, NotFound | Unruled, CurrentOrganization>
    /** Creates the document and matches the line with it, in one transaction. */
    readonly create: (
      id: BankTransactionId,
      body: CreateDocumentBody
    ) => Effect.Effect<Match, Refused | Unruled, Caller>
    /**
     * Rules apply to whole lines only, and never again to a line whose document a user has unmatched. If `version` is
     * given, the line must not have changed since it had this version.
     */
    readonly createByRule: (
      id: BankTransactionId,
      rule: Pick<BankRule, "actions">,
      version?: number
    ) => Effect.Effect<Match, Refused | RuleOutdated, Caller>
  }
>()("invoicing/banking/reconciliation/LineDocuments") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const lines = yield* BankTransactionsRepo
      const matches = yield* MatchesRepo
      const reconciliation = yield* Reconciliation
      const counterparties = yield* Counterparties
      const matching = yield* RuleMatcher
      const customers = yield* Customers
      const organizations = yield* Organizations
      const issuing = yield* InvoiceIssuer
      const invoices = yield* Invoices
      const expenses = yield* Expenses
      const taxRates = yield* TaxRates

      /** Rules apply to whole lines only. */
      const categoryByRule = Effect.fnUntraced(function* (line: BankTransaction) {
        if (!BigDecimal.isNegative(line.amount) || line.status === "partially_matched") return undefined
        const { ruled } = yield* matching.start(ruleBudgets.one)
        const { rules } = yield* Effect.tap(ruled([line]), requireRuled)
        return said(rules[0]?.actions.category)
      })

      const categoryUsual = Effect.fnUntraced(function* (vendor: string | null) {
        const usual = vendor === null ? null : yield* counterparties.categoryOf(vendor)
        return usual ?? category_default
      })

      const prefill = Effect.fn("LineDocuments.prefill")(function* (id: BankTransactionId) {
        yield* Effect.annotateCurrentSpan({ "bank_transaction.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        const line = yield* orNotFound(lines.find({ organization_id, id }))
        const isDebit = BigDecimal.isNegative(line.amount)
        const { party: counterparty } = yield* counterparties.resolve(line, isDebit ? "vendor" : "customer")
        return {
          transaction_id: id,
          document_type: isDebit ? ("expense" as const) : ("invoice" as const),
          amount: BigDecimal.isZero(line.remaining_amount) ? BigDecimal.abs(line.amount) : line.remaining_amount,
          currency: line.currency,
          date: line.booking_date,
          description: descriptionOf(line, {}),
          counterparty,
          counterparty_name: line.counterparty_name,
          category: isDebit ? ((yield* categoryByRule(line)) ?? (yield* categoryUsual(counterparty.name))) : null
        }
      })

      const keepIban = (line: BankTransaction, id: CounterpartyId) =>
        line.counterparty_iban === null ? Effect.void : counterparties.keepIban(id, line.counterparty_iban)

      const requireOwn = Effect.fnUntraced(function* (id: CounterpartyId) {
        const found = yield* counterparties.find(id)
        if (Option.isSome(found)) return found.value
        return yield* ValidationFailed.of({
          counterparty_id: ["The counterparty_id field must name a counterparty of the organization."]
        })
      })

      /** Finds the vendor that a debit paid; undefined if neither the request nor the bank names one. */
      const vendorOf = Effect.fnUntraced(function* (line: BankTransaction, wish: Wish) {
        if (wish.counterparty_id) return yield* requireOwn(wish.counterparty_id)
        const named = said(wish.counterparty_name)
        const likely = named === undefined ? certain((yield* counterparties.resolve(line, "vendor")).party) : undefined
        if (likely?.id) return { id: likely.id, name: likely.name }
        const name = named ?? likely?.name ?? line.counterparty_name
        return name === null ? undefined : { id: yield* counterparties.vendorNamed(name), name }
      })

      /**
       * In a request, a name without an id means a new customer (rules/banking.md, Documents from lines). A rule applies
       * to many lines, so its name means a new customer only if no customer has the line's IBAN or exactly this name.
       */
      const customerKnown = Effect.fnUntraced(function* (line: BankTransaction, wish: Wish) {
        if (wish.counterparty_id) {
          const { id, type } = yield* requireOwn(wish.counterparty_id)
          return type === "customer" ? CustomerId.make(id) : yield* CustomerRequired.ofVendor()
        }
        const named = said(wish.counterparty_name)
        if (named !== undefined && wish.is_rule !== true) return undefined
        const side = named === undefined ? line : { ...line, counterparty_name: null }
        const { is_ambiguous, party } = yield* counterparties.resolve(side, "customer")
        if (is_ambiguous) return yield* CustomerRequired.ofNamesakes()
        const likely = certain(party)
        if (likely?.id && likely.type === "customer") return CustomerId.make(likely.id)
        if (named === undefined) return undefined
        const [first, ...namesakes] = yield* counterparties.customersNamed(named)
        if (namesakes.length > 0) return yield* CustomerRequired.ofNamesakes()
        return first === undefined ? undefined : CustomerId.make(first)
      })

      /** Finds the customer of the invoice that is about to be issued, or creates a new customer. */
      const customerOf = Effect.fnUntraced(function* (line: BankTransaction, wish: Wish, issue_date: Day) {
        const known = yield* customerKnown(line, wish)
        if (known !== undefined) yield* keepIban(line, CounterpartyId.make(known))
        yield* issuing.hold({ customer_ids: known === undefined ? [] : [known], issue_dates: [issue_date] })
        if (known !== undefined) return known
        const name = said(wish.counterparty_name) ?? line.counterparty_name
        if (name === null) return yield* CustomerRequired.of()
        const { id } = yield* customers.create({ name })
        yield* keepIban(line, CounterpartyId.make(id))
        return id
      })

      const expenseOf = Effect.fnUntraced(function* (line: BankTransaction, wish: Wish) {
        const { id: organization_id } = yield* CurrentOrganization
        const vendor = yield* vendorOf(line, wish)
        if (vendor !== undefined) yield* keepIban(line, vendor.id)
        const { currency, remaining_amount } = line
        // A supplier's refund is an expense with a negative amount.
        const amount = BigDecimal.isNegative(line.amount) ? remaining_amount : BigDecimal.negate(remaining_amount)
        const rates = yield* taxRates.named(organization_id, wish.tax_rate_ids ?? [], "tax_rate_ids")
        const expense = expenses.create({
          expense_date: wish.date ?? line.booking_date,
          category: said(wish.category) ?? (yield* categoryUsual(vendor?.name ?? null)),
          amount,
          currency,
          description: descriptionOf(line, wish),
          vendor: vendor?.name ?? null,
          reference: line.reference,
          is_vat_deductible: wish.is_vat_deductible ?? false,
          vat_deductible_percentage: wish.vat_deductible_percentage ?? null,
          tax_rates: taxOfGross({ currency, gross: amount }, rates)
        })
        // The expense has no receipt, so this error cannot occur.
        const { id: expense_id } = yield* Effect.catchTag(expense, "ReceiptBooked", Effect.die)
        return { expense_id }
      })

      /** The invoice is issued and marked as sent manually: it is already paid, so nobody needs a mail. */
      const invoiceOf = Effect.fnUntraced(function* (line: BankTransaction, wish: Wish) {
        const issue_date = wish.date ?? line.booking_date
        const customer_id = yield* customerOf(line, wish, issue_date)
        const sold = {
          customer_id,
          currency: line.currency,
          description: descriptionOf(line, wish),
          tax_rate_ids: wish.tax_rate_ids ?? [],
          tax_exempt: wish.tax_exempt ?? false,
          tax_exemption_reason: wish.tax_exemption_reason ?? null,
          gross: line.remaining_amount
        }
        const { id: invoice_id } = yield* invoices.createGross(sold, issue_date)
        yield* invoices
          .markSent(invoice_id, { sent_method: "manual" })
          .pipe(Effect.catchTag("InvoiceLocked", Effect.die))
        return { invoice_id }
      })

      const made = (wish: Wish, document_type: CreateDocumentBody["document_type"]) =>
        Effect.fnUntraced(function* (line: BankTransaction): Effect.fn.Return<MadeDocument, Refused, Caller> {
          const payment_method = wish.payment_method ?? match_payment_method
          const part = wish.amount ?? line.remaining_amount
          if (BigDecimal.isGreaterThan(part, line.remaining_amount)) {
            return yield* AmountExceedsRemaining.of(line.remaining_amount)
          }
          const share = { ...line, remaining_amount: part }
          const isDebit = BigDecimal.isNegative(line.amount)
          if (isDebit && document_type === "invoice") {
            return yield* ValidationFailed.of({
              document_type: ["The document_type field must be expense for a debit."]
            })
          }
          const isExpense = isDebit || document_type === "expense"
          const document = isExpense ? expenseOf(share, wish) : invoiceOf(share, wish)
          // Marking the currency as in use locks the organization. This comes before the document is created, because
          // the audit log is locked last.
          const { currency_in_use, id } = yield* CurrentOrganization
          if (!currency_in_use) yield* organizations.markCurrencyInUse(id)
          return { allocation: yield* document, payment_method }
        })

      const create = Effect.fn("LineDocuments.create")(function* (id: BankTransactionId, body: CreateDocumentBody) {
        const { id: organization_id } = yield* CurrentOrganization
        const line = yield* orNotFound(lines.find({ organization_id, id }))
        // Rules may take a second, so they run before the transaction that locks the line.
        const category = said(body.category) ?? (yield* categoryByRule(line)) ?? null
        return yield* reconciliation.matchMade(
          id,
          made({ ...Struct.omit(body, ["document_type"]), category }, body.document_type),
          yield* CurrentOperation
        )
      })

      const requireLeft = Effect.fnUntraced(function* (line: BankTransaction, version = line.version) {
        const { id: organization_id } = yield* CurrentOrganization
        const { is_declined } = yield* matches.declined({ organization_id, bank_transaction_id: line.id })
        const is_whole = BigDecimal.isZero(line.matched_amount)
        if (is_declined || !is_whole || line.version !== version) return yield* new RuleOutdated()
      })

      const createByRule = Effect.fn("LineDocuments.createByRule")(
        (id: BankTransactionId, { actions }: Pick<BankRule, "actions">, version?: number) =>
          reconciliation.matchMade(
            id,
            // The direction of the line decides what a rule creates.
            (line) => Effect.andThen(requireLeft(line, version), made({ ...actions, is_rule: true }, undefined)(line))
          ),
        withoutPrecondition
      )

      return LineDocuments.of({ prefill, create, createByRule })
    })
  ).pipe(
    Layer.provide([BankTransactionsRepo.layer, Reconciliation.layer, Counterparties.layer, RuleMatcher.layer]),
    Layer.provide([MatchesRepo.layer, Customers.layer, Organizations.layer, InvoiceIssuer.layer]),
    Layer.provide([Invoices.layer, Expenses.layer, TaxRates.layer])
  )
}

const said = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text.trim() === "" ? undefined : text

/** A party that was found by IBAN or by a very similar name is used without a person's check. */
const certain = (party: ResolvedParty): ResolvedParty | undefined =>
  party.match === "iban" || (party.match === "fuzzy" && party.confidence >= name_same_min) ? party : undefined

const descriptionOf = (line: BankTransaction, wish: Wish): string =>
  said(wish.description) ??
  said(line.remittance_text) ??
  said(line.reference) ??
  said(line.counterparty_name) ??
  `Bank transaction ${line.id}`
