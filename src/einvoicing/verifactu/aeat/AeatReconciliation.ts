import { Array, Effect, Option, Order } from "effect"
import { textAt, xmlTree } from "../../../platform/documents/XmlTree.ts"
import { now } from "../../../kernel/Calendar.ts"
import type { NetworkUnavailable } from "../../providers/Provider.ts"
import { dateText } from "../InvoiceRecord.ts"
import type { ChainKey, RecordsRepo, StoredRecord } from "../RecordsRepo.ts"
import { type DocumentName, type HeldRecord, pageOf, questionOf } from "./AeatQuery.ts"

/** Sends a SOAP message and returns the text of the answer. */
export type Post = (message: string) => Effect.Effect<string, NetworkUnavailable>

/** Error code for a record that the AEAT already has. */
export const duplicate = "3000"

/** Maximum number of pages for one query. A page has up to 10,000 records. */
const pages_max = 20

type Question = Omit<Parameters<typeof questionOf>[0], "after">

interface Holdings {
  readonly held: ReadonlyArray<HeldRecord>
  /** The last query, and the answer to it. */
  readonly request: string
  readonly response: string
}

/** Reads all records that match a query; none if an answer is a fault or unreadable. */
export const holdingsOf = Effect.fn("AeatReconciliation.holdingsOf")(function* (post: Post, question: Question) {
  const held: Array<HeldRecord> = []
  let after: DocumentName | null = null
  for (let pages = 0; pages < pages_max; pages++) {
    const request: string = questionOf({ ...question, after })
    const response: string = yield* post(request)
    const page: ReturnType<typeof pageOf> = pageOf(response)
    if (Option.isNone(page)) return Option.none<Holdings>()
    held.push(...page.value.held)
    after = page.value.next
    if (after === null) return Option.some<Holdings>({ held, request, response })
  }
  return Option.none<Holdings>()
})

/**
 * Asks the AEAT for the records that an earlier attempt may have delivered, and settles those that it has. The other
 * records stay waiting, and so do all records of a month for which the AEAT gives no readable answer.
 */
export const reconcile = Effect.fn("AeatReconciliation.reconcile")(function* (
  repo: RecordsRepo["Service"],
  { chain, post }: { readonly chain: ChainKey; readonly post: Post },
  batch: ReadonlyArray<StoredRecord>
) {
  const attempted = batch.filter(({ attempted_at }) => attempted_at !== null)
  const dated = yield* Effect.forEach(attempted, (record) =>
    Effect.map(repo.ofTransmission({ ...chain, transmission_id: record.transmission_id }), ([registration]) => ({
      record,
      month: monthOf(registration ?? record)
    }))
  )
  for (const [month, group] of Object.entries(Array.groupBy(dated, ({ month }) => month))) {
    const records = Array.map(group, ({ record }) => record)
    const found = yield* holdingsOf(post, questionAbout(records, month))
    if (Option.isNone(found)) {
      yield* Effect.logWarning("the AEAT does not say which records it has; they are sent again, which is safe")
      continue
    }
    const { held, request, response } = found.value
    const answered_at = yield* now
    for (const record of records) {
      const own = held.find((one) => isAbout(one, record))
      const verdict = own === undefined ? null : verdictOf(own, record)
      if (own === undefined || verdict === null) continue
      const { position } = record
      const told = { reference: own.request, answer: own.xml, request, response }
      yield* repo.settle({ ...chain, position, answered_at, ...told, ...verdict })
    }
  }
})

/** Returns the month under which the AEAT lists a record: the month of the supply or, without one, of the document. */
export const monthOf = ({ issue_date, xml }: Pick<StoredRecord, "issue_date" | "xml">): string => {
  const supplied = Option.getOrUndefined(xmlTree(xml))
  const [, month, year] = textAt(supplied, "FechaOperacion")?.split("-") ?? []
  return month === undefined || year === undefined ? issue_date.slice(0, 7) : `${year}-${month}`
}

const questionAbout = (records: Array.NonEmptyReadonlyArray<StoredRecord>, month: string): Question => {
  const [{ issuer, issuer_name, number }, ...others] = records
  const days = Array.map(records, ({ issue_date }) => issue_date)
  return {
    issuer,
    issuer_name,
    month,
    days: { first: Array.min(days, Order.String), last: Array.max(days, Order.String) },
    number: others.length === 0 ? number : null
  }
}

type Identified = Pick<StoredRecord, "issuer" | "number" | "issue_date">

export const isAbout = (held: DocumentName, { issue_date, issuer, number }: Identified): boolean =>
  held.issuer === issuer && held.number === number && held.date === dateText(issue_date)

export const isSameHash = ({ hash }: HeldRecord, record: Pick<StoredRecord, "hash">): boolean =>
  hash?.toUpperCase() === record.hash

const accepted = { Correcto: "accepted", AceptadoConErrores: "accepted_with_errors", Anulado: null } as const

const foreign_record = "The AEAT has another record under this number and date, which this chain does not contain."

/** Returns null for a record that has to be sent again. */
const verdictOf = (held: HeldRecord, record: StoredRecord): Pick<StoredRecord, "state" | "code" | "reason"> | null => {
  const { code, reason } = held
  if (record.kind === "cancellation") return held.state === "Anulado" ? { state: "accepted", code, reason } : null
  if (held.hash !== null && !isSameHash(held, record)) {
    return { state: "rejected", code: duplicate, reason: foreign_record }
  }
  const state = accepted[held.state]
  return held.hash === null || state === null ? null : { state, code, reason }
}
