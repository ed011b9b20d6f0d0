import { BigDecimal, Context, Effect, Layer } from "effect"
import { BankTransactionId } from "../../kernel/Ids.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { withoutPrecondition } from "../../platform/http/Precondition.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { type BatchLine, byConfidence, rivalsIn } from "../matching/Rivals.ts"
import type { Matcher, Suggested, Suggestion } from "../matching/Matcher.ts"
import { isCertainTransfer } from "../matching/StoredSuggestion.ts"
import { Suggestions } from "../matching/Suggestions.ts"
import { RuleCheckUnavailable } from "../rules/RuleErrors.ts"
import { type AppliedRule, ruleBudgets, RuleMatcher, type RuleRun } from "../rules/RuleMatcher.ts"
import type { BankTransaction } from "../transactions/BankTransaction.ts"
import { BankTransactionsRepo } from "../transactions/BankTransactionsRepo.ts"
import { LineDocuments } from "./LineDocuments.ts"
import type { BulkConfirmation, BulkResult, Match, Skip } from "./matches/Match.ts"
import { Reconciliation } from "./Reconciliation.ts"
import type { MatchRefused } from "./matches/ReconciliationErrors.ts"

/** Each line is confirmed in a separate transaction, so that the failure of one line does not undo the others. */
export class BulkConfirm extends Context.Service<
  BulkConfirm,
  {
    readonly run: (ids: ReadonlyArray<BankTransactionId>) => Effect.Effect<BulkConfirmation, never, Caller>
  }
>()("invoicing/banking/reconciliation/BulkConfirm") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const lines = yield* BankTransactionsRepo
      const suggestions = yield* Suggestions
      const matching = yield* RuleMatcher
      const reconciliation = yield* Reconciliation
      const documents = yield* LineDocuments
      const { underLatestLock } = yield* AuditLog

      const confirm = (line: BankTransaction, { documents, signals }: Suggestion, { take }: Matcher) => {
        // Books the whole remaining amount or nothing, because the documents' open amounts may have changed.
        const [first, ...others] = documents
        const amount = line.remaining_amount
        const body =
          others.length === 0
            ? { ...named(first), amount }
            : { allocations: documents.map((each) => ({ ...named(each), amount: each.open })) }
        // Another request may have paid the invoice since it was found. Then this line is no further payment of it.
        return reconciliation.match(line.id, body, { explanation: signals, is_within_balance: true }).pipe(
          Effect.tap((match) =>
            Effect.sync(() => {
              for (const [index, { candidate }] of documents.entries())
                take(candidate, match.matches[index]?.amount ?? amount)
            })
          ),
          Effect.map((match) => confirmed(match, { via: "document" })),
          Effect.catch((refused) => Effect.succeed(unconfirmed(line.id, refused)))
        )
      }

      const transfer = ({ id, suggestion }: BankTransaction, other: BankTransactionId) =>
        reconciliation.match(id, { transfer_transaction_id: other }, { explanation: suggestion?.signals }).pipe(
          Effect.map((match) => confirmed(match, { via: "transfer" })),
          Effect.catch((refused) => Effect.succeed(unconfirmed(id, refused)))
        )

      const apply = ({ id }: BankTransaction, rule: AppliedRule, otherwise: BulkResult) =>
        documents.createByRule(id, rule).pipe(
          Effect.map((match) => confirmed(match, { via: "rule", rule_id: rule.id })),
          Effect.catchTags({
            AlreadyMatched: () => Effect.succeed(skipped(id, "already_matched")),
            RuleOutdated: () => Effect.succeed(otherwise)
          }),
          Effect.catch((refused) => Effect.succeed({ ...failed(id, refused), rule_id: rule.id }))
        )

      /** Applies the rule of a line for which the matcher finds no document (rules/banking.md, Rules). */
      const ruled = Effect.fnUntraced(function* (line: BankTransaction, run: RuleRun | undefined) {
        const is_doubtful = line.suggestion?.type === "transfer" || line.suggestion?.type === "fee"
        const otherwise = skipped(line.id, is_doubtful ? "low_confidence" : "no_suggestion")
        if (run === undefined) return otherwise
        const { rules, stopped } = yield* run.ruled([line])
        if (stopped === "slow") return skipped(line.id, "rule_budget_exceeded")
        if (stopped === "busy") return failed(line.id, RuleCheckUnavailable.of())
        const [rule] = rules
        return rule === undefined ? otherwise : yield* apply(line, rule, otherwise)
      })

      const decide = Effect.fnUntraced(function* (asked: Asked, isSettled: IsSettled, run: RuleRun | undefined) {
        const { finding: before, found, line } = asked
        const { settings } = yield* CurrentOrganization
        const { suggestion } = line
        const isSure = (suggestion?.score ?? 0) >= settings.reconciliation_auto_threshold
        if (suggestion !== null && isSure && isCertainTransfer(suggestion) && !isPartial(line)) {
          return yield* transfer(line, BankTransactionId.make(suggestion.id))
        }
        // The documents are searched again, because a line that was confirmed meanwhile may have paid this line's
        // document.
        const finding = found.find(line, (candidate) => isSettled(line.id, candidate))
        switch (finding._tag) {
          case "None":
            return before._tag === "None" ? yield* ruled(line, run) : skipped(line.id, "claimed")
          case "Ambiguous":
            return skipped(line.id, "ambiguous")
          case "Suggested":
            return finding.confirmable ? yield* confirm(line, finding.best, found) : skipped(line.id, "low_confidence")
        }
      })

      /** Finds the documents of all lines before any line is confirmed. */
      const examined = Effect.fnUntraced(function* (open: ReadonlyArray<BankTransaction>, isSettled: IsSettled) {
        const asked: Array<Asked> = []
        for (const [currency, lines] of Map.groupBy(open, (line) => line.currency)) {
          const found = yield* suggestions.matcher(currency, lines)
          for (const line of lines) {
            const finding = found.find(line, (candidate) => isSettled(line.id, candidate))
            asked.push({ line, found, finding })
          }
        }
        return asked
      })

      const run = Effect.fn("BulkConfirm.run")(function* (asked: ReadonlyArray<BankTransactionId>) {
        const { id: organization_id } = yield* CurrentOrganization
        const ids = [...new Set(asked)]
        const isSettled = yield* suggestions.settled(ids)
        const ruleRun = yield* matching.start(ruleBudgets.many)
        const known = new Map((yield* lines.some({ organization_id, ids })).map((line) => [line.id, line]))
        const open = ids
          .flatMap((id) => known.get(id) ?? [])
          .filter(isOpen)
          .map(restOf)
        const results = new Map<BankTransactionId, BulkResult>()
        const batch = yield* examined(open, isSettled)
        const rivals = rivalsIn(batch)
        for (const each of byConfidence(batch)) {
          const { id } = each.line
          const applied = isPartial(each.line) ? undefined : ruleRun
          results.set(
            id,
            rivals.has(each) ? skipped(id, "ambiguous") : yield* underLatestLock(decide(each, isSettled, applied))
          )
        }
        const inOrder = ids.map(
          (id): BulkResult => results.get(id) ?? skipped(id, known.has(id) ? "already_matched" : "not_found")
        )
        const count = (status: BulkResult["status"]) => inOrder.filter((result) => result.status === status).length
        return {
          requested: ids.length,
          confirmed: count("confirmed"),
          skipped: count("skipped"),
          failed: count("failed"),
          results: inOrder
        }
      }, withoutPrecondition)

      return BulkConfirm.of({ run })
    })
  ).pipe(
    Layer.provide([BankTransactionsRepo.layer, Suggestions.layer, RuleMatcher.layer]),
    Layer.provide([Reconciliation.layer, LineDocuments.layer])
  )
}

type IsSettled = Effect.Success<ReturnType<Suggestions["Service"]["settled"]>>

interface Asked extends BatchLine {
  readonly line: BankTransaction
  readonly found: Matcher
}

const isPartial = ({ status }: BankTransaction): boolean => status === "partially_matched"

const isOpen = (line: BankTransaction): boolean =>
  line.status === "unmatched" || line.status === "suggested" || isPartial(line)

/** A partially matched line is compared by what remains of it. Rules and transfers apply to whole lines only. */
const restOf = (line: BankTransaction): BankTransaction => ({
  ...line,
  amount: BigDecimal.isNegative(line.amount) ? BigDecimal.negate(line.remaining_amount) : line.remaining_amount
})

const named = ({ candidate }: Suggested) => {
  if (candidate.type === "credit_note") return { credit_note_id: candidate.id }
  if (candidate.type === "expense") return { expense_id: candidate.id }
  if (candidate.type === "refund") return { payment_refund_id: candidate.id }
  // Null records a new payment, so that the match never links another payment than the one that was found.
  return { invoice_id: candidate.id, payment_id: candidate.recorded?.payment_id ?? null }
}

const skipped = (transaction_id: BankTransactionId, reason: Skip): BulkResult => ({
  transaction_id,
  status: "skipped",
  reason
})

interface Refused {
  readonly code: string
  readonly message: string
}

const failed = (transaction_id: BankTransactionId, { code, message }: Refused) => ({
  transaction_id,
  status: "failed" as const,
  reason: code,
  message
})

const confirmed = (
  {
    bank_transaction_id,
    created_money_record,
    credit_note_id,
    expense_id,
    id,
    invoice_id,
    matches,
    payment_refund_id
  }: Match,
  how: { readonly via: "document" | "transfer" } | { readonly via: "rule"; readonly rule_id: AppliedRule["id"] }
): BulkResult => ({
  transaction_id: bank_transaction_id,
  status: "confirmed",
  ...how,
  match_id: id,
  invoice_id,
  expense_id,
  credit_note_id,
  payment_refund_id,
  created_money_record,
  matches
})

const reasons: { readonly [Tag in MatchRefused["_tag"]]?: Skip } = {
  AlreadyMatched: "already_matched",
  SeveralPayments: "ambiguous",
  LineCurrencyMismatch: "currency_mismatch",
  NotFound: "not_found",
  // The document was open for the line when it was found, and has been paid or matched since.
  AlreadyPaid: "claimed",
  ExpensePaid: "claimed",
  AmountExceedsBalance: "claimed",
  AmountExceedsRefundable: "claimed",
  AmountExceedsRemaining: "claimed",
  // The recorded payment is linked with another line.
  ValidationFailed: "claimed"
}

/** Skips a line if its document is no longer open for it. Any other refusal is a failure. */
const unconfirmed = (id: BankTransactionId, refused: MatchRefused): BulkResult => {
  const reason = reasons[refused._tag]
  return reason === undefined ? failed(id, refused) : skipped(id, reason)
}
