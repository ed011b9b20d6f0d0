import { Context, Effect, Layer } from "effect"
import type { BankAccountId, BankImportId, OrganizationId } from "../../kernel/Ids.ts"
import { transferSuggestion } from "../matching/StoredSuggestion.ts"
import { type TransferSide, TransferSuggestionsRepo } from "./TransferSuggestionsRepo.ts"

export class TransferSuggestions extends Context.Service<
  TransferSuggestions,
  {
    /**
     * Suggests transfers for the lines of an import. Returns the number of these lines that had no other suggestion
     * before.
     */
    readonly suggest: (
      organization_id: OrganizationId,
      bank_account_id: BankAccountId,
      import_session_id: BankImportId
    ) => Effect.Effect<number>
  }
>()("invoicing/banking/transfers/TransferSuggestions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* TransferSuggestionsRepo

      const suggest = Effect.fn("TransferSuggestions.suggest")(function* (
        organization_id: OrganizationId,
        bank_account_id: BankAccountId,
        import_session_id: BankImportId
      ) {
        yield* repo.lock(organization_id)
        const pairs = pairsIn(yield* repo.sides(organization_id, bank_account_id, import_session_id), bank_account_id)
        const suggestions = pairs.flatMap(({ named, other, side }) => [
          { id: side.id, suggestion: transferSuggestion(other.id, named, side.currency === other.currency) },
          { id: other.id, suggestion: transferSuggestion(side.id, named, side.currency === other.currency) }
        ])
        if (suggestions.length > 0) yield* repo.suggest(organization_id, suggestions)
        return pairs.filter(({ side }) => side.is_new && side.type === "none").length
      })

      return TransferSuggestions.of({ suggest })
    })
  ).pipe(Layer.provide(TransferSuggestionsRepo.layer))
}

interface Pair {
  readonly side: TransferSide
  readonly other: TransferSide
  /** Number of lines of the pair (0 to 2) that state the account number of the other line. */
  readonly named: number
}

/**
 * Pairs lines that have no other possible partner. A transfer replaces a suggested document only if one of the two
 * lines states the account of the other.
 */
const pairsIn = (sides: ReadonlyArray<TransferSide>, account: BankAccountId): ReadonlyArray<Pair> => {
  const byId = new Map(sides.map((side) => [side.id, side]))
  return sides.flatMap((side) => {
    const other = byId.get(side.other_id)
    if (side.bank_account_id !== account || other?.other_id !== side.id) return []
    if (!isOpenTo(side, other) || !isOpenTo(other, side)) return []
    const named = Number(names(side, other)) + Number(names(other, side))
    return named > 0 || (side.type === "none" && other.type === "none") ? [{ side, other, named }] : []
  })
}

const names = (side: TransferSide, other: TransferSide) =>
  side.counterparty_iban !== null && side.counterparty_iban === other.iban

const isOpenTo = (side: TransferSide, other: TransferSide) => side.counterparty_iban === null || names(side, other)
