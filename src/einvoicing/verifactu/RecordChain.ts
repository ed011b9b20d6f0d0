import { Context, DateTime, Effect, Layer, Option } from "effect"
import { now, type Timestamp, type TimeZone } from "../../kernel/Calendar.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { EInvoice } from "../invoice/EInvoice.ts"
import { NetworkRefused } from "../providers/Provider.ts"
import {
  cancellationRecord,
  type InvoiceRecord,
  type InvoicingSystem,
  type Link,
  numberOf,
  type RecordKey,
  registrationRecord
} from "./InvoiceRecord.ts"
import { issuerOf, personName } from "./RecordParties.ts"
import { type ChainKey, type NewRecord, RecordsRepo } from "./RecordsRepo.ts"

export type Sign = (xml: string, signed_at: string) => string

interface Writing {
  readonly chain: ChainKey
  readonly system: InvoicingSystem
  readonly timezone: TimeZone
  readonly transmission_id: string
  /** `kept` for an organization that stores its records without sending them. */
  readonly state: "waiting" | "kept"
  /** Present for stored records, which must be signed by law. */
  readonly sign?: Sign
}

/** Writes the records of an organization, each with the hash of the previous one. */
export class RecordChain extends Context.Service<
  RecordChain,
  {
    /**
     * Appends a document's record and returns its XML. Locks the chain, so that the records follow the order of the
     * commits.
     */
    readonly register: (invoice: EInvoice, writing: Writing) => Effect.Effect<string>
    /**
     * Appends a record that cancels the record of the document. Does nothing if the document has such a record. A record
     * that the agency refused is repeated only by a newer order, because the job of one order may run several times.
     * Fails if the document has no record, or if its record still waits for the agency or was refused.
     */
    readonly cancel: (writing: Writing & { readonly ordered_at: Timestamp }) => Effect.Effect<void, NetworkRefused>
  }
>()("invoicing/einvoicing/verifactu/RecordChain") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* RecordsRepo
      const { transaction } = yield* Database

      const append = Effect.fnUntraced(function* (
        { chain, sign, state, timezone, transmission_id }: Writing,
        facts: Pick<NewRecord, "kind" | "issuer_name">,
        write: (link: Link) => InvoiceRecord
      ) {
        yield* repo.open(chain)
        const { position } = yield* repo.advance(chain)
        const previous = Option.getOrNull(yield* repo.at({ ...chain, position: position - 1 }))
        // The clock is read after the lock, so that no record is older than the one before it.
        const generated_at = yield* now
        const local_time = localTime(generated_at, timezone)
        const { xml: unsigned, ...record } = write({ previous, generated_at: local_time })
        const xml = sign === undefined ? unsigned : sign(unsigned, local_time)
        yield* repo.insert({ ...chain, position, transmission_id, generated_at, state, ...facts, ...record, xml })
        return xml
      })

      /** Finds the record of the invoice that a credit note corrects. */
      const correctedBy = Effect.fnUntraced(function* (invoice: EInvoice, chain: ChainKey) {
        if (invoice.preceding_invoice === null) return Option.none()
        const { issue_date, number } = invoice.preceding_invoice
        return yield* repo.latestOf({ ...chain, issuer: issuerOf(invoice), number: numberOf(number), issue_date })
      })

      const register = Effect.fn("RecordChain.register")(function* (invoice: EInvoice, writing: Writing) {
        const { chain, system } = writing
        const key = { issuer: issuerOf(invoice), number: numberOf(invoice.number), issue_date: invoice.issue_date }
        const earlier = yield* repo.latestOf({ ...chain, ...key })
        const isCorrection = Option.exists(
          earlier,
          ({ kind, state }) => kind === "registration" && state === "rejected"
        )
        // The correction of a simplified invoice has the type R5, even if the customer has given a tax number since.
        const isOfSimplified = Option.exists(yield* correctedBy(invoice, chain), ({ type }) => type === "F2")
        const facts = { kind: "registration", issuer_name: personName(invoice.seller.name) } as const
        return yield* append(writing, facts, (link) =>
          registrationRecord(invoice, { system, link, isCorrection, isOfSimplified })
        )
      })

      const cancel = Effect.fn("RecordChain.cancel")(function* (writing: Writing & { readonly ordered_at: Timestamp }) {
        const { chain, ordered_at, system, transmission_id } = writing
        yield* repo.lock(chain)
        const [record, ...cancellations] = yield* repo.ofTransmission({ ...chain, transmission_id })
        const latest = cancellations.at(-1)
        const isRefused = latest?.state === "rejected" && latest.generated_at < ordered_at
        if (latest !== undefined && !isRefused) return
        if (record === undefined || !isTaken(record.state)) {
          return yield* new NetworkRefused({ code: "refused", message: "There is no record to cancel." })
        }
        const { issue_date, issuer, issuer_name, number, state } = record
        const key: RecordKey = { issuer, number, issue_date }
        const isUnknown = state === "kept" && writing.state === "waiting"
        yield* append(writing, { kind: "cancellation", issuer_name }, (link) =>
          cancellationRecord(key, { system, link, isUnknown, isRepeated: latest !== undefined })
        )
      }, transaction)

      return RecordChain.of({ register, cancel })
    })
  ).pipe(Layer.provide(RecordsRepo.layer))
}

const isTaken = (state: NewRecord["state"]): boolean => state !== "waiting" && state !== "rejected"

/** Writes an instant as the clock of the organization shows it. */
export const localTime = (instant: string, timezone: TimeZone): string =>
  shownTime(DateTime.makeZonedUnsafe(instant, { timeZone: timezone }))

/** Writes a time in whole seconds, with the offset of its zone: 2026-01-31T09:30:00+01:00. */
export const shownTime = (time: DateTime.Zoned): string => DateTime.formatIsoOffset(time).replace(/\.\d+/, "")
