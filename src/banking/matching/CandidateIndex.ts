import { BigDecimal, Effect } from "effect"
import { inTurns } from "../Turns.ts"
import type { Candidate } from "./Candidate.ts"
import { nameIndex, push } from "./NameIndex.ts"
import { numberKey, type Subject } from "./Score.ts"
import { nameTokens } from "./Words.ts"

/** Highest number of documents of one party that are combined to a sum; parties with more are left out. */
const combined_candidates_max = 40
/** Highest number of parties that share a name before the name identifies none of them. */
const namesakes_max = 20
/** Highest number of documents with one amount and IBAN; beyond, amount and IBAN do not identify a document. */
const same_amount_max = 500

/** A party with its documents, and the IBANs and name by which bank lines identify it. */
interface Party {
  readonly documents: Array<Candidate>
  readonly ibans: ReadonlyArray<string>
  readonly name: ReadonlySet<string>
}

/**
 * Indexes candidates by what bank lines say about them, so that a line is compared with few candidates, not with all.
 */
export const candidateIndex = Effect.fnUntraced(function* (candidates: ReadonlyArray<Candidate>) {
  const byReference = new Map<string, Array<Candidate>>()
  const byNumber = new Map<string, Array<Candidate>>()
  const byAmountAndIban = new Map<string, Array<Candidate>>()
  const byAmountAndName = nameIndex<Candidate>()
  const parties = new Map<string, Party>()
  const add = (candidate: Candidate) => {
    const party = parties.get(partyKey(candidate)) ?? partyOf(candidate)
    parties.set(partyKey(candidate), party)
    party.documents.push(candidate)
    const reference = candidate.reference?.toUpperCase().replaceAll(/[^0-9A-Z]/g, "")
    const number = numberKey(candidate)
    if (reference !== undefined) push(byReference, reference, candidate)
    if (number !== undefined) push(byNumber, number, candidate)
    for (const amount of new Set([amountKey(candidate.open), amountKey(candidate.total)])) {
      for (const iban of party.ibans) push(byAmountAndIban, `${amount} ${iban}`, candidate)
      byAmountAndName.add(amount, party.name, candidate)
    }
  }
  yield* inTurns(candidates, (candidate) => Effect.sync(() => add(candidate)))

  const byIban = new Map<string, Array<Party>>()
  const byName = nameIndex<Party>()
  const addParty = (party: Party) => {
    if (party.documents.length > combined_candidates_max) return
    for (const iban of party.ibans) push(byIban, iban, party)
    byName.add("party", party.name, party)
  }
  yield* inTurns([...parties.values()], (party) => Effect.sync(() => addParty(party)))

  return {
    /**
     * Answers the candidates that can reach the points of a suggestion: those with the line's reference or number,
     * and those with its amount whose party has the line's IBAN or name.
     */
    possible: ({ line, name, references, tokens }: Subject): ReadonlySet<Candidate> => {
      const amount = amountKey(line.amount)
      const paid = byAmountAndIban.get(`${amount} ${line.counterparty_iban ?? ""}`) ?? []
      const found = new Set(byAmountAndName.like(amount, name))
      if (paid.length <= same_amount_max) for (const each of paid) found.add(each)
      for (const reference of references) for (const each of byReference.get(reference) ?? []) found.add(each)
      for (const token of tokens) for (const each of byNumber.get(token) ?? []) found.add(each)
      return found
    },
    /** Answers the documents of each party that the line's IBAN or name identifies. */
    ofParties: ({ line, name }: Subject): ReadonlyArray<ReadonlyArray<Candidate>> => {
      const known = byIban.get(line.counterparty_iban ?? "") ?? []
      const namesakes = byName.like("party", name)
      const found = new Set([...known, ...(namesakes.size > namesakes_max ? [] : namesakes)])
      return [...found].map(({ documents }) => documents)
    }
  }
})

const amountKey = (amount: BigDecimal.BigDecimal): string => BigDecimal.format(BigDecimal.abs(amount))

const partyOf = ({ counterparty_name, ibans }: Candidate): Party => ({
  documents: [],
  ibans,
  name: nameTokens(counterparty_name ?? "")
})

const partyKey = ({ counterparty_id, counterparty_name, type }: Candidate): string =>
  counterparty_id === null ? `${type} ${counterparty_name ?? ""}` : `${type} ${counterparty_id}`
