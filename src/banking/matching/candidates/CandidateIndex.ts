import { Effect } from "effect"
import type { CounterpartyId } from "../../../kernel/Ids.ts"
import type { Counterparty } from "../../counterparties/Counterparty.ts"
import { inTurns } from "../../Turns.ts"
import { type Candidate, isNearDay, unitsOf } from "./Candidate.ts"
import { nameIndex, push } from "./NameIndex.ts"
import { spellingIndex } from "./SpellingIndex.ts"
import type { Subject } from "./Subject.ts"
import { type Name, nameOf } from "../../texts/Words.ts"

/** If more parties than this have a similar name, the name identifies none of them. */
const namesakes_max = 20
/** If more open documents than this have the amount of a line, the line is compared only with those of its payer. */
const same_amount_max = 40

export interface Party {
  readonly key: string
  readonly id: CounterpartyId | null
  readonly type: Counterparty["type"]
  readonly label: string | null
  readonly name: Name
  readonly direction: Direction
  /** The open documents of the party. */
  readonly documents: Array<Entry>
}

/** A candidate, and the amount that is still to be paid, which each match reduces. */
export interface Entry {
  readonly candidate: Candidate
  readonly party: Party
  open: bigint
}

export interface DocumentId {
  readonly type: Candidate["type"]
  readonly id: number
  readonly recorded?: Candidate["recorded"]
}

/** Indexes the open documents by number, amount and party, so that a line is compared with only a few of them. */
export const candidateIndex = Effect.fnUntraced(function* (candidates: ReadonlyArray<Candidate>) {
  const spellings = spellingIndex<Entry>()
  const byAmount = { credit: new Map<bigint, Set<Entry>>(), debit: new Map<bigint, Set<Entry>>() }
  const recorded = { credit: new Map<bigint, Array<Entry>>(), debit: new Map<bigint, Array<Entry>>() }
  const byName = nameIndex<Party>()
  const byId = new Map<CounterpartyId, Array<Party>>()
  const parties = new Map<string, Party>()
  const entries = new Map<string, Entry>()

  const add = (candidate: Candidate) => {
    if (entries.has(documentKey(candidate))) return
    const known_parties = parties.size
    const party = partyIn(parties, candidate)
    if (parties.size > known_parties) {
      byName.add(candidate.direction, party.name, party)
      if (party.id !== null) byId.set(party.id, [...(byId.get(party.id) ?? []), party])
    }
    const entry: Entry = { candidate, party, open: unitsOf(candidate.open) }
    entries.set(documentKey(candidate), entry)
    if (candidate.recorded === undefined) {
      party.documents.push(entry)
      list(entry)
    } else push(recorded[candidate.direction], entry.open, entry)
    spellings.add(entry, candidate)
  }
  const list = (entry: Entry) => {
    const amounts = byAmount[entry.candidate.direction]
    amounts.set(entry.open, (amounts.get(entry.open) ?? new Set()).add(entry))
  }
  const addAll = (candidates: ReadonlyArray<Candidate>) =>
    inTurns(candidates, (candidate) => Effect.sync(() => add(candidate)))
  yield* addAll(candidates)

  const withAmount = (subject: Subject) => byAmount[subject.direction].get(subject.amount) ?? nothing
  /** Returns the parties to which the line may belong by IBAN or name, if they have documents that such a line pays. */
  const partiesOf = ({ direction, name, owners }: Subject): ReadonlySet<Party> => {
    const known = [...owners.keys()].flatMap((id) => byId.get(id) ?? [])
    const namesakes = byName.like(direction, name)
    return new Set(
      [...known, ...(namesakes.size > namesakes_max ? [] : namesakes)].filter((party) => party.direction === direction)
    )
  }

  return {
    addAll,
    /**
     * Returns the recorded money with the line's amount and about its day. If it is of more than `same_amount_max`
     * documents, only that of parties to which the line may belong.
     */
    recorded: (subject: Subject): ReadonlyArray<Entry> => {
      const { amount, direction, line } = subject
      const isNear = ({ candidate, open }: Entry) =>
        open === amount && candidate.recorded?.days.some((day) => isNearDay(day, line.booking_date)) === true
      const found = (recorded[direction].get(amount) ?? []).filter(isNear)
      if (found.length <= same_amount_max) return found
      const payers = partiesOf(subject)
      return found.filter(({ party }) => payers.has(party))
    },
    /** Returns the same party with its documents of the other direction, i.e. those whose money moves the other way. */
    opposite: ({ direction, key }: Party): Party | undefined =>
      parties.get(`${direction === "credit" ? "debit" : "credit"} ${key}`),
    mentioned: spellings.mentioned,
    has: (document: DocumentId): boolean => entries.has(documentKey(document)),
    /**
     * `count` is the number of open documents with the line's amount. `entries` are these documents; if there are more
     * than `same_amount_max`, only those of parties to which the line may belong.
     */
    exact: (subject: Subject): { readonly count: number; readonly entries: Iterable<Entry> } => {
      const found = withAmount(subject)
      if (found.size <= same_amount_max) return { count: found.size, entries: found }
      const payers = partiesOf(subject)
      const entries = [...payers].flatMap(({ documents }) => documents.filter((entry) => found.has(entry)))
      return { count: found.size, entries }
    },
    partiesOf,
    /** Reduces what is left to pay of the document, because a line has paid this amount of it. */
    take: (document: DocumentId, amount: bigint): void => {
      const entry = entries.get(documentKey(document))
      if (entry === undefined) return
      byAmount[entry.candidate.direction].get(entry.open)?.delete(entry)
      entry.open -= amount
      if (entry.open > 0n && document.recorded === undefined) list(entry)
    }
  }
})
export type CandidateIndex = Effect.Success<ReturnType<typeof candidateIndex>>

const nothing: ReadonlySet<Entry> = new Set()

type Direction = Candidate["direction"]

const documentKey = ({ id, recorded, type }: DocumentId): string =>
  recorded === undefined ? `${type} ${id}` : `${type} ${id} ${recorded.payment_id}`

/** Vendors are distinguished by their names; each expense without a vendor is a party of its own. */
export const partyKey = (party: {
  readonly customer_id: number | null
  readonly vendor: string | null
  readonly expense_id: number | null
}): string =>
  party.customer_id !== null
    ? `customer ${party.customer_id}`
    : party.vendor === null
      ? `expense ${party.expense_id}`
      : `vendor ${party.vendor}`

const partyIn = (parties: Map<string, Party>, candidate: Candidate): Party => {
  const { counterparty_id, counterparty_name, direction, id } = candidate
  const type = candidate.type === "expense" ? "vendor" : "customer"
  const key =
    type === "vendor"
      ? partyKey({ customer_id: null, vendor: counterparty_name, expense_id: id })
      : partyKey({ customer_id: counterparty_id, vendor: null, expense_id: null })
  // Credits and debits are separate: incoming money never pays a supplier's invoices, only its credit notes.
  const known = parties.get(`${direction} ${key}`)
  if (known !== undefined) return known
  const name = nameOf(counterparty_name)
  const party: Party = { key, id: counterparty_id, type, label: counterparty_name, name, direction, documents: [] }
  parties.set(`${direction} ${key}`, party)
  return party
}
