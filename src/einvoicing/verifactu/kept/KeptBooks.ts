import { Clock, DateTime, Effect, Layer, Option, Stream } from "effect"
import { first_day, last_day, type TimeZone } from "../../../kernel/Calendar.ts"
import { limitOf, offsetOf, type PageRequest } from "../../../kernel/Envelope.ts"
import { NotFound } from "../../../kernel/Refusal.ts"
import { zipped, type ZipEntry } from "../../../platform/documents/Zip.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { Organizations } from "../../../organizations/Organizations.ts"
import type { Anomaly, RecordBooks, RecordPeriod } from "../../providers/RecordBooks.ts"
import { shownTime } from "../RecordChain.ts"
import type { ChainKey } from "../RecordsRepo.ts"
import {
  anomaliesOf,
  anomaly_names,
  type AnomalyCode,
  type Link,
  linkOfEvent,
  linkOfRecord,
  localTimeOf
} from "./ChainCheck.ts"
import { type KeptRecord, KeptRecordsRepo } from "./KeptRecordsRepo.ts"
import {
  anomalousEvent,
  anomalousRecord,
  checkedEvents,
  checkedRecords,
  event_names,
  exportedEvents,
  exportedRecords
} from "./KeptEvent.ts"
import { type ChainPart, RecordEventsRepo, type StoredEvent } from "./RecordEventsRepo.ts"
import { type Keeper, makeRecordLog } from "./RecordLog.ts"

const page_rows = 200
/** Maximum number of anomalies that a check reports for each chain, because one cause can damage the whole chain. */
const anomalies_max = 500

type Part = typeof ChainPart.Type
type Read<Row> = (part: Part & { readonly limit: number }) => Effect.Effect<ReadonlyArray<Row>>

const rowsOf = <Row extends { readonly position: number }>(read: Read<Row>, part: Part): Stream.Stream<Row> =>
  Stream.paginate(part.after, (after) =>
    Effect.map(read({ ...part, after, limit: page_rows }), (rows) => {
      const end = rows.length < page_rows ? undefined : rows.at(-1)?.position
      return [rows, Option.fromUndefinedOr(end)] as const
    })
  )

interface Found<Row> {
  readonly row: Row
  readonly code: AnomalyCode
}

/** Checks a part of a chain, including the link of its first record or event to the one before the part. */
const checked = Effect.fnUntraced(function* <Row extends { readonly position: number }>(
  read: Read<Row>,
  linkOf: (row: Row) => Link,
  part: Part
) {
  const now_ms = yield* Clock.currentTimeMillis
  const found: Array<Found<Row>> = []
  let count = 0
  let previous: Link | null = null
  yield* rowsOf(read, { ...part, after: part.after - 1 }).pipe(
    Stream.runForEach((row) =>
      Effect.sync(() => {
        const link = linkOf(row)
        if (row.position > part.after) {
          count++
          found.push(...anomaliesOf(link, { previous, now_ms }).map((code) => ({ row, code })))
        }
        previous = link
      })
    )
  )
  return { count, found: found.slice(0, anomalies_max) }
})

const nameOf = (position: number, kind: string) => `${String(position).padStart(9, "0")}-${kind}.xml`

const entryOf = (path: string, { generated_at, xml }: Pick<StoredEvent, "generated_at" | "xml">): ZipEntry<never> => ({
  path,
  modified_at: generated_at,
  content: new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`)
})

const fileOfRecord = (record: KeptRecord) =>
  entryOf(
    `registros-facturacion/${nameOf(record.position, record.kind === "registration" ? "RegistroAlta" : "RegistroAnulacion")}`,
    record
  )

const fileOfEvent = (event: StoredEvent) => entryOf(`registros-evento/${nameOf(event.position, event.type)}`, event)

/**
 * Gives operators access to stored records. Checks and exports are logged as events only while the organization is a
 * `Keeper`, which stores its records instead of sending them.
 */
export const makeKeptBooks = Effect.gen(function* () {
  const records = yield* KeptRecordsRepo
  const events = yield* RecordEventsRepo
  const log = yield* makeRecordLog
  const { transaction } = yield* Database

  const partsOf = Effect.fnUntraced(function* (chain: ChainKey, { from, until }: Partial<RecordPeriod>) {
    const { position } = yield* transaction(records.lock(chain))
    const latest = Option.getOrUndefined(yield* events.latest(chain))
    if (from === undefined && until === undefined) {
      return { position, records: { after: 0, last: position }, events: { after: 0, last: latest?.position ?? 0 } }
    }
    const period = { from: from ?? first_day, until: until ?? last_day }
    const { timezone } = yield* log.termsOf(chain)
    const inRecords = yield* records.bounds({ ...chain, ...period, timezone })
    const inEvents = yield* events.bounds({ ...chain, ...period, timezone })
    return { position, records: partOf(inRecords), events: partOf(inEvents) }
  })

  const check = (chain: ChainKey, keeper: Keeper | null) =>
    Effect.fn("KeptBooks.check")(function* (period: Partial<RecordPeriod>) {
      const parts = yield* partsOf(chain, period)
      const ofRecords = yield* checked(records.within, linkOfRecord, { ...chain, ...parts.records })
      const ofEvents = yield* checked(events.within, linkOfEvent, { ...chain, ...parts.events })
      const latest = Option.getOrUndefined(yield* records.latest(chain))
      const isCut = latest !== undefined && latest.position < parts.position && period.until === undefined
      const inRecords = isCut ? [...ofRecords.found, { row: latest, code: "05" as const }] : ofRecords.found
      if (keeper !== null) {
        yield* transaction(
          Effect.gen(function* () {
            yield* log.append(keeper, checkedRecords(ofRecords.count))
            for (const { code, row } of inRecords) {
              yield* log.append(keeper, anomalousRecord({ code, position: row.position, about: row }))
            }
            yield* log.append(keeper, checkedEvents(ofEvents.count))
            for (const { code, row } of ofEvents.found) {
              yield* log.append(keeper, anomalousEvent({ code, position: row.position, about: stated(row) }))
            }
          })
        )
      }
      const anomalies: ReadonlyArray<Anomaly> = [
        ...inRecords.map(({ code, row }) => anomalyOf("records", row.position, row.number, code)),
        ...ofEvents.found.map(({ code, row }) => anomalyOf("events", row.position, null, code))
      ]
      if (anomalies.length > 0) yield* Effect.logError(`${anomalies.length} anomalies in kept records or events`)
      return { records: ofRecords.count, events: ofEvents.count, anomalies }
    })

  const list = (chain: ChainKey) =>
    Effect.fn("KeptBooks.events")(function* (request: PageRequest) {
      const rows = yield* events.list({ ...chain, limit: limitOf(request), offset: offsetOf(request) })
      return rows.map(({ finding, generated_at: at, hash, position, type }) => {
        return { position, type, name: event_names[type], at, finding, hash }
      })
    })

  const packed = (chain: ChainKey, keeper: Keeper | null) =>
    Effect.fn("KeptBooks.export")(function* (period: RecordPeriod) {
      const parts = yield* partsOf(chain, period)
      if (parts.records.last === 0 && parts.events.last === 0) return yield* NotFound.of()
      if (keeper !== null) yield* noteExport(keeper, period, parts)
      return zipped(
        Stream.concat(
          Stream.map(rowsOf(records.within, { ...chain, ...parts.records }), fileOfRecord),
          Stream.map(rowsOf(events.within, { ...chain, ...parts.events }), fileOfEvent)
        )
      )
    })

  const noteExport = Effect.fnUntraced(function* (
    keeper: Keeper,
    period: RecordPeriod,
    parts: Record<"records" | "events", Pick<Part, "after" | "last">>
  ) {
    const { chain } = keeper
    const { timezone } = yield* log.termsOf(chain)
    const local = {
      from: timeAt(`${period.from}T00:00:00`, timezone),
      until: timeAt(`${period.until}T23:59:59`, timezone)
    }
    const ends = <Row>(read: Read<Row>, { after, last }: Pick<Part, "after" | "last">) =>
      Effect.all([read({ ...chain, after, last, limit: 1 }), read({ ...chain, after: last - 1, last, limit: 1 })]).pipe(
        Effect.map(([[first], [final]]) => (first && final ? { first, last: final } : null))
      )
    const inRecords = yield* ends(records.within, parts.records)
    const inEvents = yield* ends(events.within, parts.events)
    if (inRecords !== null) {
      const sums = yield* records.sums({ ...chain, ...parts.records })
      yield* log.append(keeper, exportedRecords(local, { ...sums, ...inRecords }))
    }
    if (inEvents !== null) {
      const count = parts.events.last - parts.events.after
      const boundaries = { first: stated(inEvents.first), last: stated(inEvents.last) }
      yield* log.append(keeper, exportedEvents(local, { ...boundaries, count }))
    }
  }, transaction)

  const of = (chain: ChainKey, keeper: Keeper | null): RecordBooks => ({
    check: check(chain, keeper),
    events: list(chain),
    export: packed(chain, keeper),
    ...(keeper === null
      ? {}
      : {
          summarize: (when) => log.summarize(keeper, when),
          begin: log.begin(keeper),
          end: log.end(keeper)
        })
  })

  return { of, checkLatest: log.checkLatest }
}).pipe(Effect.provide(Layer.mergeAll(KeptRecordsRepo.layer, RecordEventsRepo.layer, Organizations.layer)))

const stated = (event: StoredEvent) => ({ ...event, local_time: localTimeOf(event) })

const partOf = ({ first, last }: { readonly first: number | null; readonly last: number | null }) => ({
  after: (first ?? 1) - 1,
  last: last ?? 0
})

const anomalyOf = (chain: Anomaly["chain"], position: number, number: string | null, code: AnomalyCode): Anomaly => ({
  chain,
  position,
  number,
  code,
  reason: anomaly_names[code]
})

const timeAt = (local: string, timezone: TimeZone): string =>
  shownTime(DateTime.makeZonedUnsafe(local, { timeZone: timezone, adjustForTimeZone: true }))
