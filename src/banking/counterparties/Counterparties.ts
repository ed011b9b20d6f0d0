import { Context, Effect, Layer, Option, Struct } from "effect"
import type { BankMatchId, CounterpartyId } from "../../kernel/Ids.ts"
import { CurrentOrganization } from "../../platform/http/Security.ts"
import { folded, type Name, name_same_min, nameOf, similarity } from "../texts/Words.ts"
import { CounterpartiesRepo } from "./CounterpartiesRepo.ts"
import type { Counterparty, Party, ResolvedParty } from "./Counterparty.ts"

/** Minimum similarity (from 0 to 1) of two names that may mean the same party. */
const similarity_min = 0.6

/** Number of trigrams of two legal forms, by which a similar name may be longer. */
const legal_forms_trigrams = 12
/** Number of characters of a word that also a truncated word has. */
const beginning_characters = 2
/** Maximum number of words that are compared by their beginnings; PostgreSQL keeps only 32 compiled patterns. */
const beginnings_max = 20

interface Resolution {
  readonly party: ResolvedParty
  /**
   * True if several customers are equally likely, and the name is too similar to be another one: none of them is
   * returned. Vendors with one name differ in little that matters, so the latest of them is returned.
   */
  readonly is_ambiguous: boolean
}

interface OtherSide {
  readonly counterparty_name: string | null
  readonly counterparty_iban: string | null
}

export class Counterparties extends Context.Service<
  Counterparties,
  {
    readonly find: (id: CounterpartyId) => Effect.Effect<Option.Option<Counterparty>, never, CurrentOrganization>
    /**
     * Finds the party to which a line probably belongs, by the IBAN or else by a similar name. If the IBAN is known only
     * for a party of the other type, this party is returned only if no party of the given type has almost the same name. Among
     * equally similar names, the given type is preferred.
     */
    readonly resolve: (
      side: OtherSide,
      type: Counterparty["type"]
    ) => Effect.Effect<Resolution, never, CurrentOrganization>
    readonly vendorNamed: (name: string) => Effect.Effect<CounterpartyId, never, CurrentOrganization>
    /** Finds the customers with exactly this name, at most two of them. */
    readonly customersNamed: (name: string) => Effect.Effect<ReadonlyArray<CounterpartyId>, never, CurrentOrganization>
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
        const owner = known.find((party) => party.type === type)
        if (owner !== undefined) return owned(owner)
        const [other] = known
        if (other === undefined) return yield* named(counterparty_name, type, ["customer", "vendor"])
        // A firm that is both customer and vendor has two ids, and its IBAN may be known only for the other one.
        const alike = yield* named(counterparty_name, type, [type])
        return alike.is_ambiguous || alike.party.confidence >= name_same_min ? alike : owned(other)
      })

      const named = Effect.fnUntraced(function* (
        counterparty_name: string | null,
        type: Counterparty["type"],
        types: ReadonlyArray<Counterparty["type"]>
      ): Effect.fn.Return<Resolution, never, CurrentOrganization> {
        const { id: organization_id } = yield* CurrentOrganization
        const nobody = { id: null, type, name: counterparty_name, match: "none" as const, confidence: 0 }
        if (counterparty_name === null) return { party: nobody, is_ambiguous: false }
        const wanted = nameOf(counterparty_name)
        const found = yield* repo.alike({ organization_id, ...wantedOf(counterparty_name, wanted) })
        const parties = found.filter((party) => types.includes(party.type))
        const [best, ...rivals] = likest(counterparty_name, wanted, type, parties)
        if (best === undefined) return { party: nobody, is_ambiguous: false }
        if (rivals.length > 0 && best.party.type === "customer" && best.confidence >= name_same_min) {
          return { party: { ...nobody, type: best.party.type }, is_ambiguous: true }
        }
        return { party: { ...best.party, match: "fuzzy" as const, confidence: best.confidence }, is_ambiguous: false }
      })

      const vendorNamed = Effect.fn("Counterparties.vendorNamed")(function* (name: string) {
        return yield* repo.vendorNamed({ organization_id: (yield* CurrentOrganization).id, name })
      })

      const customersNamed = Effect.fn("Counterparties.customersNamed")(function* (name: string) {
        const found = yield* repo.customersNamed({ organization_id: (yield* CurrentOrganization).id, name })
        return found.map(({ id }) => id)
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

      return Counterparties.of({ find, resolve, vendorNamed, customersNamed, keepIban, forgetIban, categoryOf })
    })
  ).pipe(Layer.provide(CounterpartiesRepo.layer))
}

const owned = (owner: Counterparty): Resolution => ({
  party: { ...Struct.pick(owner, ["id", "name", "type"]), match: "iban", confidence: 1 },
  is_ambiguous: false
})

/**
 * Returns what the database compares of a name. A similar name shares at least the part `similarity_min` of its own and
 * the wanted trigrams, also if it has legal forms besides.
 */
const wantedOf = (name: string, { digits, trigrams, words }: Name) => ({
  exact: folded(name),
  words: [...words].join(" "),
  // Words with the same beginning stay several: De Decker has two of them.
  beginnings: [...words]
    .slice(0, beginnings_max)
    .map((word) => Array.from(word).slice(0, beginning_characters).join("")),
  digits: digits === "" ? [] : digits.split(" "),
  similarity_min: (similarity_min * trigrams.size) / (trigrams.size + legal_forms_trigrams)
})

/**
 * Returns the parties with the most similar names, of which none is likelier than the others; the latest is the first.
 * Among equally similar names, the given type is preferred, and then exactly the wanted name.
 */
const likest = (name: string, wanted: Name, type: Counterparty["type"], parties: ReadonlyArray<Party>) => {
  const rankOf = (party: Party) => ({
    party,
    confidence: similarity(wanted, nameOf(party.name)),
    is_exact: folded(party.name) === folded(name)
  })
  const scored = parties.map(rankOf).filter(({ confidence }) => confidence >= similarity_min)
  const inOrder = scored.toSorted(
    (left, right) =>
      right.confidence - left.confidence ||
      Number(right.party.type === type) - Number(left.party.type === type) ||
      Number(right.is_exact) - Number(left.is_exact) ||
      (right.party.id ?? 0) - (left.party.id ?? 0)
  )
  const [best] = inOrder
  const isEqual = ({ confidence, is_exact, party }: ReturnType<typeof rankOf>) =>
    confidence === best?.confidence && party.type === best.party.type && is_exact === best.is_exact
  return inOrder.filter(isEqual).map((each) => ({ ...each, confidence: Math.round(each.confidence * 100) / 100 }))
}
