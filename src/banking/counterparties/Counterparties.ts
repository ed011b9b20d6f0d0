import { Context, Effect, Layer, Option, Struct } from "effect"
import type { BankMatchId, CounterpartyId } from "../../kernel/Ids.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { nameOf, similarity } from "../texts/Words.ts"
import { CounterpartiesRepo } from "./CounterpartiesRepo.ts"
import type { Counterparty, Party, ResolvedParty } from "./Counterparty.ts"

/** Minimum similarity (from 0 to 1) of two names that may mean the same party. */
const similarity_min = 0.6

interface OtherSide {
  readonly counterparty_name: string | null
  readonly counterparty_iban: string | null
}

export class Counterparties extends Context.Service<
  Counterparties,
  {
    readonly find: (id: CounterpartyId) => Effect.Effect<Option.Option<Counterparty>, never, CurrentOrganization>
    /**
     * Finds the party to which a line probably belongs. Among equally likely parties, one of the given type is
     * preferred.
     */
    readonly resolve: (
      side: OtherSide,
      type: Counterparty["type"]
    ) => Effect.Effect<ResolvedParty, never, CurrentOrganization>
    readonly vendorNamed: (name: string) => Effect.Effect<CounterpartyId, never, CurrentOrganization>
    /** Finds the only customer with exactly this name. */
    readonly customerNamed: (name: string) => Effect.Effect<Option.Option<CounterpartyId>, never, CurrentOrganization>
    /** Remembers the IBAN, so that later lines with this IBAN resolve to the party. */
    readonly keepIban: (id: CounterpartyId, iban: string) => Effect.Effect<void, never, CurrentOrganization>
    /** Removes the IBAN from each party that has it only because of the matches in `undone`. */
    readonly forgetIban: (
      iban: string | null,
      undone: ReadonlyArray<{ readonly id: BankMatchId; readonly created_money_record: boolean }>
    ) => Effect.Effect<void, never, CurrentOrganization>
    readonly categoryOf: (name: string) => Effect.Effect<string | null, never, CurrentOrganization>
  }
>()("invoicing/banking/counterparties/Counterparties") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* CounterpartiesRepo

      const find = Effect.fn("Counterparties.find")(function* (id: CounterpartyId) {
        return yield* repo.find({ organization_id: (yield* CurrentOrganization).id, id })
      })

      const resolve = Effect.fn("Counterparties.resolve")(function* (
        { counterparty_iban: iban, counterparty_name }: OtherSide,
        type: Counterparty["type"]
      ) {
        const { id: organization_id } = yield* CurrentOrganization
        const known = iban === null ? [] : yield* repo.owners(organization_id, [iban])
        const owner = known.find((party) => party.type === type) ?? known[0]
        if (owner !== undefined) return { ...Struct.omit(owner, ["iban"]), match: "iban" as const, confidence: 1 }
        const nobody = { id: null, type, name: counterparty_name, match: "none" as const, confidence: 0 }
        if (counterparty_name === null) return nobody
        const alike = likest(counterparty_name, type, yield* repo.all({ organization_id }))
        return alike === undefined ? nobody : { ...alike.party, match: "fuzzy" as const, confidence: alike.confidence }
      })

      const vendorNamed = Effect.fn("Counterparties.vendorNamed")(function* (name: string) {
        return yield* repo.vendorNamed({ organization_id: (yield* CurrentOrganization).id, name })
      })

      const customerNamed = Effect.fn("Counterparties.customerNamed")(function* (name: string) {
        const [first, ...others] = yield* repo.customersNamed({
          organization_id: (yield* CurrentOrganization).id,
          name
        })
        return others.length === 0 ? Option.fromNullishOr(first?.id) : Option.none()
      })

      const keepIban = Effect.fn("Counterparties.keepIban")(function* (id: CounterpartyId, iban: string) {
        yield* repo.keepIban({ organization_id: (yield* CurrentOrganization).id, id, iban })
      })

      const forgetIban = Effect.fn("Counterparties.forgetIban")(function* (
        iban: string | null,
        undone: ReadonlyArray<{ readonly id: BankMatchId; readonly created_money_record: boolean }>
      ) {
        // A document that a match created remains after the match is undone, so its party keeps the IBAN.
        const ids = undone.flatMap(({ created_money_record, id }) => (created_money_record ? [] : [id]))
        if (iban === null || ids.length === 0) return
        yield* repo.forgetIban({ organization_id: (yield* CurrentOrganization).id, iban, ids })
      })

      const categoryOf = Effect.fn("Counterparties.categoryOf")(function* (name: string) {
        const found = yield* repo.categoryOf({ organization_id: (yield* CurrentOrganization).id, name })
        return Option.match(found, { onNone: () => null, onSome: ({ category }) => category })
      })

      return Counterparties.of({ find, resolve, vendorNamed, customerNamed, keepIban, forgetIban, categoryOf })
    })
  ).pipe(Layer.provide(CounterpartiesRepo.layer))
}

/** Among equally similar names, the given type is preferred, and then the latest party. */
const likest = (name: string, type: Counterparty["type"], parties: ReadonlyArray<Party>) => {
  const wanted = nameOf(name)
  const scored = parties
    .map((party) => ({ party, confidence: similarity(wanted, nameOf(party.name)) }))
    .filter(({ confidence }) => confidence >= similarity_min)
  const [best] = scored.toSorted(
    (left, right) =>
      right.confidence - left.confidence || Number(right.party.type === type) - Number(left.party.type === type)
  )
  return best === undefined ? undefined : { ...best, confidence: Math.round(best.confidence * 100) / 100 }
}
