import { Context, Effect, Layer, Option } from "effect"
import type { BankTransactionId } from "../../kernel/Ids.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import type { Finding, Suggestion } from "../matching/Matcher.ts"
import { Suggestions } from "../matching/Suggestions.ts"
import { type AppliedRule, ruleBudgets, RuleMatcher, type RuleRun } from "../rules/RuleMatcher.ts"
import type { BankTransaction } from "./BankTransaction.ts"
import { BankTransactionsRepo } from "./BankTransactionsRepo.ts"
import { LineDocuments } from "./LineDocuments.ts"
import type { BulkConfirmation, BulkResult, Match, Skip } from "./Match.ts"
import { MatchesRepo } from "./MatchesRepo.ts"
import { Reconciliation } from "./Reconciliation.ts"
import type { MatchRefused } from "./ReconciliationErrors.ts"

/** Confirms the certain suggestions of many lines, each in its own transaction, so that no failure undoes another. */
export class BulkConfirm extends Context.Service<
  BulkConfirm,
  {
    readonly run: (ids: ReadonlyArray<BankTransactionId>) => Effect.Effect<BulkConfirmation, never, Caller>
  }
>()("invoicing/banking/transactions/BulkConfirm") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const lines = yield* BankTransactionsRepo
      const matches = yield* MatchesRepo
      const suggestions = yield* Suggestions
      const matching = yield* RuleMatcher
      const reconciliation = yield* Reconciliation
      const documents = yield* LineDocuments

      const confirm = (line: BankTransaction, { candidate, signals }: Suggestion) => {
        // The whole remaining amount is booked or nothing, because the document's open amount may have changed
        // meanwhile.
        const amount = line.remaining_amount
        const body =
          candidate.type === "invoice" ? { invoice_id: candidate.id, amount } : { expense_id: candidate.id, amount }
        return reconciliation.match(line.id, body, signals).pipe(
          Effect.map((match) => confirmed(match, { via: "document" })),
          Effect.catch((refused) => Effect.succeed(skipped(line.id, reasonOf(refused))))
        )
      }

      const apply = ({ id }: BankTransaction, rule: AppliedRule) =>
        documents.createByRule(id, rule).pipe(
          Effect.map((match) => confirmed(match, { via: "rule", rule_id: rule.id })),
          Effect.catch(({ _tag, code, message }) => {
            if (_tag === "AlreadyMatched") return Effect.succeed(skipped(id, "already_matched"))
            const failed = { transaction_id: id, status: "failed" as const, rule_id: rule.id, reason: code, message }
            return Effect.succeed<BulkResult>(failed)
          })
        )

      /** Spec, Banking: a rule applies only if the matcher finds no document. */
      const decide = Effect.fnUntraced(function* (line: BankTransaction, finding: Finding, run: RuleRun | undefined) {
        switch (finding._tag) {
          case "None": {
            if (run === undefined) return skipped(line.id, "no_suggestion")
            const { rules } = yield* run.ruled([line])
            if (rules.length === 0) return skipped(line.id, "rule_budget_exceeded")
            const [rule] = rules
            return rule === undefined ? skipped(line.id, "no_suggestion") : yield* apply(line, rule)
          }
          case "Ambiguous":
            return skipped(line.id, "ambiguous")
          case "Combined":
            // A person must check combinations of several documents.
            return skipped(line.id, "low_confidence")
          case "Suggested":
            return finding.confirmable ? yield* confirm(line, finding.best) : skipped(line.id, "low_confidence")
        }
      })

      const run = Effect.fn("BulkConfirm.run")(function* (asked: ReadonlyArray<BankTransactionId>) {
        const { id: organization_id } = yield* CurrentOrganization
        const ids = [...new Set(asked)]
        const isDeclined = yield* suggestions.declined(ids)
        const ruleRun = yield* matching.start(ruleBudgets.many)
        const undone = yield* matches.undoneMade({ organization_id, ids })
        // A user who undid the match with a created document does not want a rule to create it again.
        const unruled = new Set(undone.map(({ bank_transaction_id }) => bank_transaction_id))
        const matchers = new Map<string, Effect.Success<ReturnType<typeof suggestions.matcher>>>()
        const results: Array<BulkResult> = []
        for (const id of ids) {
          const found = yield* lines.find({ organization_id, id })
          if (Option.isNone(found)) {
            results.push(skipped(id, "not_found"))
            continue
          }
          const line = found.value
          if (line.status !== "unmatched" && line.status !== "suggested") {
            results.push(skipped(id, "already_matched"))
            continue
          }
          const find = matchers.get(line.currency) ?? (yield* suggestions.matcher(line.currency))
          matchers.set(line.currency, find)
          const finding = find({ ...line, bank_id: null }, (candidate) => isDeclined(id, candidate))
          results.push(yield* decide(line, finding, unruled.has(id) ? undefined : ruleRun))
        }
        const count = (status: BulkResult["status"]) => results.filter((result) => result.status === status).length
        return {
          requested: asked.length,
          confirmed: count("confirmed"),
          skipped: count("skipped"),
          failed: count("failed"),
          results
        }
      })

      return BulkConfirm.of({ run })
    })
  ).pipe(
    Layer.provide([BankTransactionsRepo.layer, MatchesRepo.layer, Suggestions.layer, RuleMatcher.layer]),
    Layer.provide([Reconciliation.layer, LineDocuments.layer])
  )
}

const skipped = (transaction_id: BankTransactionId, reason: Skip): BulkResult => ({
  transaction_id,
  status: "skipped",
  reason
})

const confirmed = (
  { bank_transaction_id, created_money_record, expense_id, id, invoice_id }: Match,
  how: { readonly via: "document" } | { readonly via: "rule"; readonly rule_id: AppliedRule["id"] }
): BulkResult => ({
  transaction_id: bank_transaction_id,
  status: "confirmed",
  ...how,
  match_id: id,
  invoice_id,
  expense_id,
  created_money_record
})

/** The match was refused because another request was faster: it took the line, or settled the document. */
const reasonOf = ({ _tag }: MatchRefused): Skip => {
  if (_tag === "AlreadyMatched") return "already_matched"
  if (_tag === "LineCurrencyMismatch") return "currency_mismatch"
  return _tag === "NotFound" ? "not_found" : "claimed"
}
