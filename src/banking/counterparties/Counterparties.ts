import { Context, Effect, Layer, Option } from "effect"
import type { CounterpartyId } from "../../kernel/Ids.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { nameTokens, similarity } from "../matching/Words.ts"
import { CounterpartiesRepo } from "./CounterpartiesRepo.ts"
import type { Counterparty, Party, ResolvedParty } from "./Counterparty.ts"

/** Below, two names have nothing to do with each other. */
const similarity_min = 0.6

/** The side of a bank line that is not ours. */
interface OtherSide {
  readonly counterparty_name: string | null
  readonly counterparty_iban: string | null
}

/** Customers and vendors as bank lines name them, of the current organization. */
export class Counterparties extends Context.Service<
  Counterparties,
  {
    readonly find: (id: CounterpartyId) => Effect.Effect<Option.Option<Counterparty>, never, CurrentOrganization>
    /** Of equally likely ones, one of the type that is asked for. */
    readonly resolve: (
      side: OtherSide,
      type: Counterparty["type"]
    ) => Effect.Effect<ResolvedParty, never, CurrentOrganization>
    /** The vendor of that name, whoever names it first. */
    readonly vendorNamed: (name: string) => Effect.Effect<CounterpartyId, never, CurrentOrganization>
    /** Knows the party by its IBAN from now on. */
    readonly keepIban: (id: CounterpartyId, iban: string) => Effect.Effect<void, never, CurrentOrganization>
    /** What was last bought of a vendor. */
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
        const known = iban === null ? [] : yield* repo.byIban({ organization_id, iban })
        const owner = known.find((party) => party.type === type) ?? known[0]
        if (owner !== undefined) return { ...owner, match: "iban" as const, confidence: 1 }
        const nobody = { id: null, type, name: counterparty_name, match: "none" as const, confidence: 0 }
        if (counterparty_name === null) return nobody
        const alike = likest(counterparty_name, type, yield* repo.all({ organization_id }))
        return alike === undefined ? nobody : { ...alike.party, match: "fuzzy" as const, confidence: alike.confidence }
      })

      const vendorNamed = Effect.fn("Counterparties.vendorNamed")(function* (name: string) {
        return yield* repo.vendorNamed({ organization_id: (yield* CurrentOrganization).id, name })
      })

      const keepIban = Effect.fn("Counterparties.keepIban")(function* (id: CounterpartyId, iban: string) {
        yield* repo.keepIban({ organization_id: (yield* CurrentOrganization).id, id, iban })
      })

      const categoryOf = Effect.fn("Counterparties.categoryOf")(function* (name: string) {
        const found = yield* repo.categoryOf({ organization_id: (yield* CurrentOrganization).id, name })
        return Option.match(found, { onNone: () => null, onSome: ({ category }) => category })
      })

      return Counterparties.of({ find, resolve, vendorNamed, keepIban, categoryOf })
    })
  ).pipe(Layer.provide(CounterpartiesRepo.layer))
}

/** The party whose name is the most alike; of equal ones the type that is asked for, then the youngest. */
const likest = (name: string, type: Counterparty["type"], parties: ReadonlyArray<Party>) => {
  const tokens = nameTokens(name)
  const scored = parties
    .map((party) => ({ party, confidence: similarity(tokens, nameTokens(party.name)) }))
    .filter(({ confidence }) => confidence >= similarity_min)
  const [best] = scored.toSorted(
    (left, right) =>
      right.confidence - left.confidence || Number(right.party.type === type) - Number(left.party.type === type)
  )
  return best === undefined ? undefined : { ...best, confidence: Math.round(best.confidence * 100) / 100 }
}
