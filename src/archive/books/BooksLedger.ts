import { sequenceText, wordsOf } from "./BooksWords.ts"
import type { Counter, RecordKind } from "./StoredRecord.ts"
import type { EntryData } from "./TrailEntries.ts"

interface BooksEntry {
  readonly seq: number
  readonly action: string
  readonly at: string
  readonly data: EntryData
}

type ByKind<A> = Readonly<Record<RecordKind, A>>

/** The state of the books after the audit entries that were read so far. */
export interface BooksLedger {
  /** For each record id, the sequence number of the audit entry with the record's current seal. */
  readonly sealed: ByKind<Map<number, number>>
  /** For the id of each draft with a number, the sequence number of the audit entry that gave it the number. */
  readonly numbered: ByKind<Map<number, number>>
  /** Expenses that version 1.0.0 booked: its audit entries about expenses contain no seals. */
  readonly unsealed: Set<number>
  /** Invoices that were sent, paid, credited or archived, and can therefore never become drafts again. */
  readonly settled: Set<number>
  /** Documents such as `invoice 7` whose PDF must be archived, but for which no entry says yet that it was. */
  readonly deposited: Set<string>
  /** The next number of each series of document numbers; a key looks like `invoice 2026`. */
  readonly series: Map<string, number>
  /** A sentence for each entry that contradicts an earlier one. */
  readonly contradictions: Array<string>
  /** Time of the first `books.sealed` entry, which seals expenses of version 1.0.0; null if there is none. */
  sealed_at: string | null
}

const kinds = <A>(make: () => A): ByKind<A> => ({
  invoice: make(),
  credit_note: make(),
  payment: make(),
  expense: make()
})

export const emptyLedger = (): BooksLedger => ({
  sealed: kinds(() => new Map()),
  numbered: kinds(() => new Map()),
  unsealed: new Set(),
  settled: new Set(),
  deposited: new Set(),
  series: new Map(),
  contradictions: [],
  sealed_at: null
})

/** Matches the beginning of audit entries about the books. Other entries are not parsed. */
const actions = /^\{"action":"(?:invoice|credit_note|payment|expense|books|archive\.stored)/
export const isAboutBooks = (canonical: string): boolean => actions.test(canonical)

export const follow = (ledger: BooksLedger, entry: BooksEntry): void => {
  const [subject = ""] = entry.action.split(".", 1)
  const step = steps[entry.action] ?? changes[subject]
  step?.(ledger, entry)
}

type Step = (ledger: BooksLedger, entry: BooksEntry) => void

const seal = (ledger: BooksLedger, kind: RecordKind, id: number, { data, seq }: BooksEntry) => {
  if (data["archive"] === "ordered") ledger.deposited.add(`${kind} ${id}`)
  ledger.numbered[kind].delete(id)
  ledger.sealed[kind].set(id, seq)
  if (kind !== "expense") return
  if (typeof data["sha256"] === "string") ledger.unsealed.delete(id)
  else ledger.unsealed.add(id)
}

const contradict = (ledger: BooksLedger, { seq }: BooksEntry, sentence: string) =>
  ledger.contradictions.push(`${sentence} (entry ${seq})`)

const sealOnce = (ledger: BooksLedger, kind: RecordKind, id: number, entry: BooksEntry) => {
  if (ledger.sealed[kind].has(id)) contradict(ledger, entry, `${wordsOf[kind]} ${id} was sealed twice`)
  seal(ledger, kind, id, entry)
}

const idIn = (data: EntryData, name: string): number => (typeof data[name] === "number" ? data[name] : 0)

const seriesOf = (document: Counter["document"], { data }: BooksEntry) => {
  const { sequence, series } = data
  return typeof sequence === "number" && typeof series === "string" ? { key: `${document} ${series}`, sequence } : null
}

/** Each number must follow the previous one of its series, unless the organization itself chose it as the first. */
const take = (ledger: BooksLedger, document: Counter["document"], entry: BooksEntry) => {
  const place = seriesOf(document, entry)
  if (place === null) return
  const { key, sequence } = place
  const expected = ledger.series.get(key) ?? 1
  if (sequence !== expected && entry.data["first"] !== sequence) {
    contradict(ledger, entry, `number ${sequence} of the ${sequenceText(key)} does not follow number ${expected - 1}`)
  }
  ledger.series.set(key, sequence + 1)
}

/** Only the last number of a series can become free again. */
const giveBack = (ledger: BooksLedger, document: Counter["document"], entry: BooksEntry) => {
  const place = seriesOf(document, entry)
  if (place === null) return
  const expected = ledger.series.get(place.key)
  if (expected !== undefined && expected !== place.sequence + 1) {
    contradict(ledger, entry, `number ${place.sequence} of the ${sequenceText(place.key)} was returned out of order`)
  }
  ledger.series.set(place.key, place.sequence)
}

const undo: Step = (ledger, entry) => {
  const id = idIn(entry.data, "invoice_id")
  if (!ledger.sealed.invoice.delete(id) || ledger.settled.has(id)) {
    contradict(ledger, entry, `invoice ${id} cannot have become a draft again`)
  }
  ledger.deposited.delete(`invoice ${id}`)
  if (entry.data["number"] === null) giveBack(ledger, "invoice", entry)
  else ledger.numbered.invoice.set(id, entry.seq)
}

const forgetNote: Step = (ledger, entry) => {
  ledger.numbered.credit_note.delete(idIn(entry.data, "credit_note_id"))
  giveBack(ledger, "credit_note", entry)
}

/** Replaces the seal of a changed record. If the record was never booked, the entry is a contradiction. */
const sealAgain =
  (kind: RecordKind): Step =>
  (ledger, entry) => {
    const id = idIn(entry.data, `${kind}_id`)
    if (!ledger.sealed[kind].has(id)) contradict(ledger, entry, `${wordsOf[kind]} ${id} was never booked`)
    seal(ledger, kind, id, entry)
  }

/** The steps for all actions on payments and expenses that `steps` does not name. Their entries contain a new seal. */
const changes: Readonly<Record<string, Step>> = { payment: sealAgain("payment"), expense: sealAgain("expense") }

/** Adds the seals of expenses that were booked without one. A second seal of such an expense is a contradiction. */
const sealExpenses: Step = (ledger, entry) => {
  for (const { id } of sealsIn(entry.data)) {
    ledger.sealed_at ??= entry.at
    if (!ledger.unsealed.delete(id)) contradict(ledger, entry, `expense ${id} was already sealed`)
    ledger.sealed.expense.set(id, entry.seq)
  }
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
  "expense.created": (ledger, entry) => sealOnce(ledger, "expense", idIn(entry.data, "expense_id"), entry),
  "archive.stored": ({ deposited, settled }, { data }) => {
    if (data["object_kind"] === "pdf") deposited.delete(`${String(data["document_type"])} ${idIn(data, "document_id")}`)
    if (data["document_type"] === "invoice") settled.add(idIn(data, "document_id"))
  },
  "books.sealed": sealExpenses
}

interface ExpenseSeal {
  readonly kind: "expense"
  readonly id: number
  readonly sha256: string
}

const isSeal = (value: unknown): value is ExpenseSeal =>
  typeof value === "object" &&
  value !== null &&
  "kind" in value &&
  value.kind === "expense" &&
  "id" in value &&
  typeof value.id === "number" &&
  "sha256" in value &&
  typeof value.sha256 === "string"

/** Returns the seals in a `books.sealed` entry. */
export const sealsIn = (data: EntryData): ReadonlyArray<ExpenseSeal> =>
  Array.isArray(data["records"]) ? data["records"].filter(isSeal) : []
