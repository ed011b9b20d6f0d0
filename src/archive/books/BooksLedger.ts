import { sequenceText, wordsOf } from "./BooksWords.ts"
import { type Counter, record_kinds, type RecordKind } from "./SealedRecords.ts"
import type { EntryData } from "../integrity/TrailEntries.ts"

/** An entry of the chain about the books. */
interface BooksEntry {
  readonly seq: number
  readonly action: string
  readonly at: string
  readonly data: EntryData
}

/** Of each kind, the records by id. */
type ByKind<A> = Readonly<Record<RecordKind, A>>

/** What an audit chain says about the books, so far as it was read. One number is kept for each record. */
export interface BooksLedger {
  /** The entry that sealed a record as it must be now. */
  readonly sealed: ByKind<Map<number, number>>
  /** The entry that gave a draft its number. */
  readonly numbered: ByKind<Map<number, number>>
  /** Records of entries without a seal, which were written before there were seals. */
  readonly unsealed: ByKind<Set<number>>
  /** Invoices that were sent, paid, credited or archived: they never go back to draft. */
  readonly settled: Set<number>
  /** The next number of each series, by `invoice 2026`. */
  readonly series: Map<string, number>
  /** Sentences about entries that cannot follow the ones before them. */
  readonly contradictions: Array<string>
  /** When the first records of the time before seals were sealed. */
  sealed_at: string | null
  /** Whether there are entries of the time before numbers were told with their place in the series. */
  isOlder: boolean
}

const kinds = <A>(make: () => A): ByKind<A> => ({ invoice: make(), credit_note: make(), payment: make() })

export const emptyLedger = (): BooksLedger => ({
  sealed: kinds(() => new Map()),
  numbered: kinds(() => new Map()),
  unsealed: kinds(() => new Set()),
  settled: new Set(),
  series: new Map(),
  contradictions: [],
  sealed_at: null,
  isOlder: false
})

/** Entries about the books begin so; others are not read as JSON. */
const actions = /^\{"action":"(?:invoice|credit_note|payment|books|archive\.stored)/
export const isAboutBooks = (canonical: string): boolean => actions.test(canonical)

/** Adds what an entry says. */
export const follow = (ledger: BooksLedger, entry: BooksEntry): void => steps[entry.action]?.(ledger, entry)

type Step = (ledger: BooksLedger, entry: BooksEntry) => void

const seal = (ledger: BooksLedger, kind: RecordKind, id: number, { data, seq }: BooksEntry) => {
  ledger.numbered[kind].delete(id)
  ledger.sealed[kind].set(id, seq)
  if (typeof data["sha256"] === "string") ledger.unsealed[kind].delete(id)
  else ledger.unsealed[kind].add(id)
}

const contradict = (ledger: BooksLedger, { seq }: BooksEntry, sentence: string) =>
  ledger.contradictions.push(`${sentence} (entry ${seq})`)

/** The first sealing of a record, which nothing may repeat. */
const sealOnce = (ledger: BooksLedger, kind: RecordKind, id: number, entry: BooksEntry) => {
  if (ledger.sealed[kind].has(id)) contradict(ledger, entry, `${wordsOf[kind]} ${id} was sealed twice`)
  seal(ledger, kind, id, entry)
}

const idIn = (data: EntryData, name: string): number => (typeof data[name] === "number" ? data[name] : 0)

const seriesOf = (document: Counter["document"], { data }: BooksEntry) => {
  const { sequence, series } = data
  return typeof sequence === "number" && typeof series === "string" ? { key: `${document} ${series}`, sequence } : null
}

/** A number follows the one before it, unless the organization asked for it as the first of its series. */
const take = (ledger: BooksLedger, document: Counter["document"], entry: BooksEntry) => {
  const place = seriesOf(document, entry)
  if (place === null) {
    ledger.isOlder ||= typeof entry.data["sha256"] !== "string"
    return
  }
  const { key, sequence } = place
  const expected = ledger.series.get(key) ?? (ledger.isOlder ? sequence : 1)
  if (sequence !== expected && entry.data["first"] !== sequence) {
    contradict(ledger, entry, `number ${sequence} of the ${sequenceText(key)} does not follow number ${expected - 1}`)
  }
  ledger.series.set(key, sequence + 1)
}

/** Only the last number of a series is given back. */
const giveBack = (ledger: BooksLedger, document: Counter["document"], entry: BooksEntry) => {
  const place = seriesOf(document, entry)
  if (place === null) return
  const expected = ledger.series.get(place.key)
  if (expected !== undefined && expected !== place.sequence + 1) {
    contradict(ledger, entry, `number ${place.sequence} of the ${sequenceText(place.key)} was given back out of order`)
  }
  ledger.series.set(place.key, place.sequence)
}

const undo: Step = (ledger, entry) => {
  const id = idIn(entry.data, "invoice_id")
  if (!ledger.sealed.invoice.delete(id) || ledger.settled.has(id)) {
    contradict(ledger, entry, `invoice ${id} cannot have become a draft again`)
  }
  ledger.unsealed.invoice.delete(id)
  if (entry.data["number"] === null) giveBack(ledger, "invoice", entry)
  else ledger.numbered.invoice.set(id, entry.seq)
}

const forgetNote: Step = (ledger, entry) => {
  ledger.numbered.credit_note.delete(idIn(entry.data, "credit_note_id"))
  giveBack(ledger, "credit_note", entry)
}

/** Money moves on a payment that was booked before. */
const moveAgain: Step = (ledger, entry) => {
  const id = idIn(entry.data, "payment_id")
  if (!ledger.sealed.payment.has(id)) contradict(ledger, entry, `payment ${id} was never booked`)
  seal(ledger, "payment", id, entry)
}

/** Seals are added to records that have none, and never replaced. */
const sealOlder: Step = (ledger, entry) => {
  ledger.sealed_at ??= entry.at
  for (const { id, kind } of sealsIn(entry.data)) {
    if (!ledger.unsealed[kind].delete(id)) contradict(ledger, entry, `${wordsOf[kind]} ${id} was sealed before`)
    ledger.sealed[kind].set(id, entry.seq)
  }
  const counters = Array.isArray(entry.data["counters"]) ? entry.data["counters"] : []
  for (const { document, next, series } of counters) ledger.series.set(`${document} ${series}`, next)
}

const steps: Readonly<Record<string, Step>> = {
  "invoice.created": (ledger, entry) => {
    if (typeof entry.data["number"] !== "string") return
    ledger.numbered.invoice.set(idIn(entry.data, "invoice_id"), entry.seq)
    take(ledger, "invoice", entry)
  },
  "invoice.issued": (ledger, entry) => {
    const id = idIn(entry.data, "invoice_id")
    sealOnce(ledger, "invoice", id, entry)
    take(ledger, "invoice", entry)
  },
  "invoice.voided": (ledger, entry) => {
    const id = idIn(entry.data, "invoice_id")
    if (!ledger.numbered.invoice.has(id)) contradict(ledger, entry, `invoice ${id} cannot have become void`)
    sealOnce(ledger, "invoice", id, entry)
  },
  "invoice.issue_undone": undo,
  "invoice.sent": ({ settled }, { data }) => settled.add(idIn(data, "invoice_id")),
  "credit_note.numbered": (ledger, entry) => {
    ledger.numbered.credit_note.set(idIn(entry.data, "credit_note_id"), entry.seq)
    take(ledger, "credit_note", entry)
  },
  "credit_note.number_returned": forgetNote,
  "credit_note.deleted": forgetNote,
  "credit_note.sent": (ledger, entry) => {
    sealOnce(ledger, "credit_note", idIn(entry.data, "credit_note_id"), entry)
    ledger.settled.add(idIn(entry.data, "invoice_id"))
  },
  "payment.created": (ledger, entry) => {
    sealOnce(ledger, "payment", idIn(entry.data, "payment_id"), entry)
    ledger.settled.add(idIn(entry.data, "invoice_id"))
  },
  "payment.updated": moveAgain,
  "payment.refunded": moveAgain,
  "payment.deleted": moveAgain,
  "archive.stored": ({ settled }, { data }) => {
    if (data["document_type"] === "invoice") settled.add(idIn(data, "document_id"))
  },
  "books.sealed": sealOlder
}

interface Seal {
  readonly kind: RecordKind
  readonly id: number
  readonly sha256: string
}

const isSeal = (value: unknown): value is Seal =>
  typeof value === "object" &&
  value !== null &&
  "kind" in value &&
  record_kinds.some((kind) => kind === value.kind) &&
  "id" in value &&
  typeof value.id === "number" &&
  "sha256" in value &&
  typeof value.sha256 === "string"

/** The seals that an entry of `books.sealed` adds. */
export const sealsIn = (data: EntryData): ReadonlyArray<Seal> =>
  Array.isArray(data["records"]) ? data["records"].filter(isSeal) : []
