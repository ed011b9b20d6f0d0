import { BigDecimal, Context, Effect, Layer, Option, Struct } from "effect"
import { InvoiceIssuer } from "../../billing/invoices/writing/InvoiceIssuer.ts"
import type { PaymentLocked } from "../../billing/payments/PaymentErrors.ts"
import type { PaymentDraft } from "../../billing/payments/Payment.ts"
import { now } from "../../kernel/Calendar.ts"
import { type BankTransactionId, CounterpartyId } from "../../kernel/Ids.ts"
import { zero } from "../../kernel/Money.ts"
import { NotFound, orNotFound, type PreconditionFailed } from "../../kernel/Refusal.ts"
import { AuditLog, callerEntry } from "../../platform/events/AuditLog.ts"
import { recordEvent } from "../../platform/events/RecordEvent.ts"
import { requireVersion } from "../../platform/http/Precondition.ts"
import { type Caller, CurrentOrganization, CurrentPrincipal } from "../../platform/http/Security.ts"
import { Database } from "../../platform/sql/Database.ts"
import { Counterparties } from "../counterparties/Counterparties.ts"
import { BankTransaction } from "../transactions/BankTransaction.ts"
import { BankTransactionsRepo } from "../transactions/BankTransactionsRepo.ts"
import type { Allocation, Match, MatchBody, UnmatchBody } from "./matches/Match.ts"
import { deductedOf, fits, signed } from "./Deductions.ts"
import { MatchesRepo } from "./matches/MatchesRepo.ts"
import { type MatchFacts, no_target, partOf } from "../transactions/MatchFacts.ts"
import { matchedAmount, statedAmount } from "./targets/MatchedAmount.ts"
import { MatchTargets } from "./targets/MatchTargets.ts"
import { distinct } from "./targets/Target.ts"
import { TargetFinder } from "./targets/TargetFinder.ts"
import { heldBy, wasSuggested, withMatches } from "./LineState.ts"
import { AlreadyMatched, DirectionMismatch } from "./matches/ReconciliationErrors.ts"
import { type MatchRefused, NotMatched, UnmatchTogether } from "./matches/ReconciliationErrors.ts"
import type { BooksLocked } from "../../kernel/BooksLocked.ts"
import { requireOpenBooks } from "../../organizations/BookLock.ts"

export interface MadeDocument {
  readonly allocation: Allocation
  readonly payment_method: PaymentDraft["payment_method"]
}

interface Origin {
  /** True if the request divides the amount of the line among several documents or other targets. */
  readonly is_divided?: boolean
  /** Default: the signals of the line's suggestion, if it proposed the match. */
  readonly explanation?: MatchFacts["explanation"] | undefined
  /** True if no invoice may be overpaid, even if the organization allows it. */
  readonly is_within_balance?: boolean
  readonly made?: MadeDocument
  readonly operation?: string | undefined
}

interface Change {
  readonly made: ReadonlyArray<MatchFacts>
  readonly undone: ReadonlyArray<MatchFacts>
}

/**
 * To avoid deadlocks, the line is locked first, then the documents in the order of their ids, and the audit log last.
 * The second of two requests for one line finds it matched.
 */
export class Reconciliation extends Context.Service<
  Reconciliation,
  {
    readonly match: (
      id: BankTransactionId,
      body: MatchBody,
      origin?: Pick<Origin, "explanation" | "is_within_balance">
    ) => Effect.Effect<Match, MatchRefused, Caller>
    /**
     * Creates a document and matches the line's remaining amount with it, in one transaction. If an earlier attempt of
     * the operation has done so, its match is returned.
     */
    readonly matchMade: <E, R>(
      id: BankTransactionId,
      make: (line: BankTransaction) => Effect.Effect<MadeDocument, E, R>,
      operation?: string
    ) => Effect.Effect<Match, MatchRefused | E, Caller | R>
    /** Undoes one match of a line, or all of them: the payment is deleted, the document stays. */
    readonly unmatch: (
      id: BankTransactionId,
      body: UnmatchBody
    ) => Effect.Effect<
      BankTransaction,
      NotFound | NotMatched | UnmatchTogether | PaymentLocked | PreconditionFailed | BooksLocked,
      Caller
    >
  }
>()("invoicing/banking/reconciliation/Reconciliation") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const lines = yield* BankTransactionsRepo
      const matches = yield* MatchesRepo
      const finder = yield* TargetFinder
      const targets = yield* MatchTargets
      const issuing = yield* InvoiceIssuer
      const counterparties = yield* Counterparties
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const lock = Effect.fnUntraced(function* (
        id: BankTransactionId,
        others: ReadonlyArray<BankTransactionId | null | undefined>
      ) {
        yield* Effect.annotateCurrentSpan({ "bank_transaction.id": id })
        const { id: organization_id } = yield* CurrentOrganization
        yield* lines.hold({ organization_id, ids: distinct([id, ...others]) })
        const line = yield* orNotFound(lines.find({ organization_id, id }))
        yield* requireVersion(line.version)
        yield* requireOpenBooks(line.booking_date)
        return line
      })

      const lockOpen = Effect.fnUntraced(function* (id: BankTransactionId, allocations: ReadonlyArray<Allocation>) {
        const line = yield* lock(
          id,
          allocations.map(({ transfer_transaction_id }) => transfer_transaction_id)
        )
        if (line.status === "matched" || line.status === "excluded") return yield* AlreadyMatched.of()
        return line
      })

      /**
       * After the first booking has locked the audit log, nothing may wait for a lock. So this function takes all locks
       * first, and also stores the IBAN of the line's counterparty.
       */
      const prepare = Effect.fnUntraced(function* (line: BankTransaction, asked: ReadonlyArray<Allocation>) {
        yield* targets.hold(asked)
        const parts = yield* Effect.forEach(asked, (allocation) =>
          Effect.map(finder.find(line, allocation), (target) => ({ allocation, target }))
        )
        const allocations = yield* signed(line, parts)
        const expenses = parts.flatMap(({ target }) => target.expense ?? [])
        const invoices = parts.flatMap(({ target }) => target.invoice ?? [])
        if (line.counterparty_iban !== null) {
          // Sorting prevents a deadlock between requests for two lines with the same parties.
          const vendors = distinct(expenses.map(({ vendor }) => vendor)).toSorted()
          const known = yield* Effect.forEach(vendors, counterparties.vendorNamed)
          const customers = invoices.map(({ customer_id }) => CounterpartyId.make(customer_id))
          for (const id of distinct([...known, ...customers]).toSorted((left, right) => left - right)) {
            yield* counterparties.keepIban(id, line.counterparty_iban)
          }
        }
        const drafts = invoices.filter(({ issued_at }) => issued_at === null)
        yield* issuing.hold({
          customer_ids: distinct(drafts.map(({ customer_id }) => customer_id)),
          issue_dates: drafts.map(({ issue_date }) => issue_date)
        })
        return allocations
      })

      const store = Effect.fnUntraced(function* (facts: Omit<MatchFacts, "id">, operation?: string) {
        const { id: organization_id } = yield* CurrentOrganization
        const { user_id } = yield* CurrentPrincipal
        return { ...facts, id: yield* matches.insert(organization_id, facts, user_id, operation ?? null) }
      })

      const book = Effect.fnUntraced(function* (
        line: BankTransaction,
        allocation: Allocation,
        left: BigDecimal.BigDecimal,
        { explanation, is_divided = false, is_within_balance = false, made, operation }: Origin
      ) {
        const found = yield* finder.find(line, allocation)
        // A named payment has an amount, and a document of a divided line for which none is stated is paid in full.
        const expected = statedAmount(allocation) ?? (is_divided || allocation.payment_id ? undefined : left)
        const target = yield* targets.recorded(line, found, allocation, expected)
        const rest = { currency: line.currency, left, is_divided, is_within_balance }
        const amount = yield* matchedAmount(target, allocation, rest)
        const booked = yield* targets.book(line, target, amount, made?.payment_method)
        const facts = {
          bank_transaction_id: line.id,
          ...no_target,
          ...Struct.pick(target, target_names),
          ...booked,
          amount: target.is_deducted ? BigDecimal.negate(amount) : amount,
          created_money_record: made !== undefined
        }
        const { suggestion } = line
        const reasons = explanation ?? (wasSuggested(line, facts) ? (suggestion?.signals ?? []) : [])
        const stored = yield* store({ ...facts, explanation: reasons }, operation)
        if (target.other !== undefined) yield* mirror(target.other, stored, line)
        return stored
      })

      /** Stores the match of a transfer's other side, which has the same amount if the currency is the same. */
      const mirror = Effect.fnUntraced(function* (other: BankTransaction, facts: MatchFacts, line: BankTransaction) {
        const amount = other.currency === line.currency ? facts.amount : other.remaining_amount
        const mirrored = { bank_transaction_id: other.id, transfer_transaction_id: line.id, amount }
        yield* settle(other, { made: [yield* store({ ...Struct.omit(facts, ["id"]), ...mirrored })], undone: [] })
      })

      const match = Effect.fn("Reconciliation.match")(function* (
        id: BankTransactionId,
        body: MatchBody,
        asked_by: Pick<Origin, "explanation" | "is_within_balance"> = {}
      ) {
        const asked = body.allocations ?? [body]
        const line = yield* lockOpen(id, asked)
        const allocations = yield* prepare(line, asked)
        // Deducted amounts add to what is left for the other allocations, whatever their order in the request.
        let left = BigDecimal.sum(line.remaining_amount, deductedOf(allocations))
        const origin = { ...asked_by, is_divided: allocations.length > 1 }
        const made: Array<MatchFacts> = []
        for (const allocation of allocations) {
          const facts = yield* book({ ...line, remaining_amount: left }, allocation, left, origin)
          left = BigDecimal.subtract(left, BigDecimal.max(facts.amount, zero))
          made.push(facts)
        }
        if (!fits(line, made)) return yield* DirectionMismatch.deducted()
        return yield* confirmed(line, made)
      }, transaction)

      const matchMade = Effect.fn("Reconciliation.matchMade")(function* <E, R>(
        id: BankTransactionId,
        make: (line: BankTransaction) => Effect.Effect<MadeDocument, E, R>,
        operation?: string
      ) {
        const done = operation === undefined ? undefined : yield* madeBefore(id, operation)
        if (done !== undefined) return done
        const line = yield* lockOpen(id, [])
        const made = yield* make(line)
        const facts = yield* book(line, made.allocation, line.remaining_amount, { explanation: [], made, operation })
        return yield* confirmed(line, [facts])
      }, transaction)

      const madeBefore = Effect.fnUntraced(function* (id: BankTransactionId, operation: string) {
        const { id: organization_id } = yield* CurrentOrganization
        // The lock makes a repetition wait for an earlier attempt that is still running.
        yield* lines.hold({ organization_id, ids: [id] })
        const found = yield* matches.findOperation({ organization_id, bank_transaction_id: id, operation })
        if (Option.isNone(found)) return undefined
        const { status } = yield* orNotFound(lines.find({ organization_id, id }))
        const part = partOf(found.value)
        return { ...part, transaction_status: status, matches: [part] }
      })

      const confirmed = Effect.fnUntraced(function* (line: BankTransaction, made: ReadonlyArray<MatchFacts>) {
        const { status } = yield* settle(line, { made, undone: [] })
        const parts = made.map(partOf)
        const [first] = parts
        // The body's schema guarantees at least one allocation.
        return first === undefined ? yield* NotFound.of() : { ...first, transaction_status: status, matches: parts }
      })

      /** Updates the line according to its active matches, and writes the audit entry. */
      const settle = Effect.fnUntraced(function* (line: BankTransaction, { made, undone }: Change) {
        const { id: organization_id } = yield* CurrentOrganization
        const active = yield* matches.active({ organization_id, bank_transaction_id: line.id })
        const moved = { ...withMatches(line, active, undone), updated_at: yield* now }
        if (!(yield* matches.move(organization_id, moved))) return yield* AlreadyMatched.of()
        const action = made.length > 0 ? "bank_transaction.matched" : "bank_transaction.unmatched"
        const data = { bank_transaction_id: line.id, match_ids: [...made, ...undone].map(({ id }) => id) }
        yield* auditLog.append(yield* callerEntry(action, data, [yield* lineEvent(action, moved, line.status)]))
        return moved
      })

      const unmatch = Effect.fn("Reconciliation.unmatch")(function* (id: BankTransactionId, body: UnmatchBody) {
        const { id: organization_id } = yield* CurrentOrganization
        const before = yield* matches.active({ organization_id, bank_transaction_id: id })
        const line = yield* lock(
          id,
          before.map(({ transfer_transaction_id }) => transfer_transaction_id)
        )
        const active = yield* matches.active({ organization_id, bank_transaction_id: id })
        const undone = active.filter((match) => body.match_id === undefined || match.id === body.match_id)
        if (body.match_id !== undefined && undone.length === 0) return yield* NotFound.of()
        if (undone.length === 0) return yield* NotMatched.of()
        const kept = active.filter((match) => !undone.includes(match))
        if (!fits(line, kept)) return yield* UnmatchTogether.of()
        yield* targets.hold(undone.map(heldBy))
        yield* counterparties.forgetIban(line.counterparty_iban, undone)
        // In reverse order, because a refund of one match may return the payment of an earlier match.
        for (const match of undone.toReversed()) yield* targets.undo(match)
        for (const { transfer_transaction_id } of undone) {
          if (transfer_transaction_id !== null) yield* unmirror(transfer_transaction_id, id)
        }
        return yield* reopen(line, undone)
      }, transaction)

      /** The line is locked, so no other request can have changed it. */
      const reopen = (line: BankTransaction, undone: ReadonlyArray<MatchFacts>) =>
        settle(line, { made: [], undone }).pipe(Effect.catchTag("AlreadyMatched", Effect.die))

      const unmirror = Effect.fnUntraced(function* (other_id: BankTransactionId, id: BankTransactionId) {
        const { id: organization_id } = yield* CurrentOrganization
        const other = yield* orNotFound(lines.find({ organization_id, id: other_id }))
        yield* requireOpenBooks(other.booking_date)
        const active = yield* matches.active({ organization_id, bank_transaction_id: other_id })
        const undone = active.filter(({ transfer_transaction_id }) => transfer_transaction_id === id)
        for (const match of undone) yield* matches.undo({ organization_id, id: match.id })
        yield* reopen(other, undone)
      })

      return Reconciliation.of({ match, matchMade, unmatch })
    })
  ).pipe(
    Layer.provide([BankTransactionsRepo.layer, MatchesRepo.layer, TargetFinder.layer, MatchTargets.layer]),
    Layer.provide([Counterparties.layer, InvoiceIssuer.layer])
  )
}

const lineEvent = recordEvent("bank_transaction", BankTransaction)

const target_names = Struct.keys(no_target)
