import { Context, Effect, Layer, Option } from "effect"
import type { BankTransactionId } from "../../kernel/Ids.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import type { Finding } from "../matching/Matcher.ts"
import { Suggestions } from "../matching/Suggestions.ts"
import type { BankTransaction } from "./BankTransaction.ts"
import { BankTransactionsRepo } from "./BankTransactionsRepo.ts"
import type { BulkConfirmation, BulkResult, Skip } from "./Match.ts"
import { type MatchRefused, Reconciliation } from "./Reconciliation.ts"

/** Confirms what the matcher is sure of, line by line: each in a transaction of its own, so that one cannot undo others. */
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
      const suggestions = yield* Suggestions
      const reconciliation = yield* Reconciliation

      const confirm = Effect.fnUntraced(function* (line: BankTransaction, finding: Finding) {
        const skipped = (reason: Skip): BulkResult => ({ transaction_id: line.id, status: "skipped", reason })
        if (finding._tag === "None") return skipped("no_suggestion")
        if (finding._tag === "Ambiguous") return skipped("ambiguous")
        // Several documents at once are for a person to look at.
        if (finding._tag === "Combined" || !finding.confirmable) return skipped("low_confidence")
        const { candidate, signals } = finding.best
        // All of the line or nothing: what was open when it was looked at may be open no more.
        const amount = line.remaining_amount
        const body =
          candidate.type === "invoice" ? { invoice_id: candidate.id, amount } : { expense_id: candidate.id, amount }
        return yield* reconciliation.match(line.id, body, signals).pipe(
          Effect.map((match): BulkResult => ({
            transaction_id: line.id,
            status: "confirmed",
            via: "document",
            match_id: match.id,
            invoice_id: match.invoice_id,
            expense_id: match.expense_id,
            created_money_record: match.created_money_record
          })),
          Effect.catch((refused) => Effect.succeed(skipped(reasonOf(refused))))
        )
      })

      const run = Effect.fn("BulkConfirm.run")(function* (asked: ReadonlyArray<BankTransactionId>) {
        const { id: organization_id } = yield* CurrentOrganization
        const ids = [...new Set(asked)]
        const isDeclined = yield* suggestions.declined(ids)
        const matchers = new Map<string, Effect.Success<ReturnType<typeof suggestions.matcher>>>()
        const results: Array<BulkResult> = []
        for (const id of ids) {
          const found = yield* lines.find({ organization_id, id })
          if (Option.isNone(found)) {
            results.push({ transaction_id: id, status: "skipped", reason: "not_found" })
            continue
          }
          const line = found.value
          if (line.status !== "unmatched" && line.status !== "suggested") {
            results.push({ transaction_id: id, status: "skipped", reason: "already_matched" })
            continue
          }
          const find = matchers.get(line.currency) ?? (yield* suggestions.matcher(line.currency))
          matchers.set(line.currency, find)
          const finding = find({ ...line, bank_id: null }, (candidate) => isDeclined(id, candidate))
          results.push(yield* confirm(line, finding))
        }
        const confirmed = results.filter(({ status }) => status === "confirmed").length
        return { requested: asked.length, confirmed, skipped: results.length - confirmed, failed: 0, results }
      })

      return BulkConfirm.of({ run })
    })
  ).pipe(Layer.provide([BankTransactionsRepo.layer, Suggestions.layer, Reconciliation.layer]))
}

/** Somebody was faster: with the line, or with the document that another line has paid meanwhile. */
const reasonOf = ({ _tag }: MatchRefused): Skip => {
  if (_tag === "AlreadyMatched") return "already_matched"
  if (_tag === "LineCurrencyMismatch") return "currency_mismatch"
  return _tag === "NotFound" ? "not_found" : "claimed"
}
