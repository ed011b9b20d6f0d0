import { Clock, DateTime, Duration, Effect, Option } from "effect"
import { now } from "../../../kernel/Calendar.ts"
import { Organizations } from "../../../organizations/Organizations.ts"
import { Database } from "../../../platform/sql/Database.ts"
import { NetworkRefused } from "../../providers/Provider.ts"
import type { InvoicingSystem } from "../InvoiceRecord.ts"
import { localTime, type Sign } from "../RecordChain.ts"
import type { ChainKey } from "../RecordsRepo.ts"
import { anomaliesOf, type AnomalyCode, anomaly_names, linkOfRecord, localTimeOf } from "./ChainCheck.ts"
import { type KeptRecord, KeptRecordsRepo } from "./KeptRecordsRepo.ts"
import { anomalousRecord, ended, type EventContent, eventRecord, restored, started, summary } from "./KeptEvent.ts"
import { RecordEventsRepo, type StoredEvent } from "./RecordEventsRepo.ts"

/** An organization that stores its own records, the data that its events state, and its signing key. */
export interface Keeper {
  readonly chain: ChainKey
  readonly system: InvoicingSystem
  readonly taxpayer_nif: string
  readonly sign: Sign
}

/** Less than the six hours that Orden HAC/1177/2024 allows, because the worker runs only every 15 minutes. */
const summary_due_after = Duration.hours(5)

const still_sent =
  "VERI*FACTU lasts until 31 December of the last year in which records were sent (Orden HAC/1177/2024, art. 17), so " +
  "this connection is possible from 1 January."
const still_waiting = "Some records still have to be sent to the AEAT."

/** Writes the events of organizations that store their records here (Orden HAC/1177/2024, art. 9). */
export const makeRecordLog = Effect.gen(function* () {
  const organizations = yield* Organizations
  const records = yield* KeptRecordsRepo
  const events = yield* RecordEventsRepo
  const { transaction } = yield* Database

  const termsOf = ({ organization_id }: ChainKey) =>
    Effect.map(Effect.orDie(organizations.get(organization_id)), ({ name, timezone }) => ({ name, timezone }))

  /** Appends an event in the caller's transaction. An anomaly gets only one event. */
  const append = Effect.fn("RecordLog.append")(function* (
    { chain, sign, system, taxpayer_nif: nif }: Keeper,
    content: EventContent
  ) {
    const { position: record_position } = yield* records.lock(chain)
    const { finding, type } = content
    if (finding !== null && (yield* events.isFound({ ...chain, finding })).length > 0) return
    const { name, timezone } = yield* termsOf(chain)
    const last = Option.getOrNull(yield* events.latest(chain))
    const generated_at = yield* now
    const local_time = localTime(generated_at, timezone)
    const previous = last === null ? null : { ...last, local_time: localTimeOf(last) }
    const { hash, xml } = eventRecord(content, { system, taxpayer: { name, nif }, previous, local_time })
    const position = (last?.position ?? 0) + 1
    const row = { position, type, generated_at, record_position, finding, hash, xml: sign(xml, local_time) }
    yield* events.insert({ ...chain, ...row })
  })

  const isRunning = (chain: ChainKey) =>
    Effect.map(events.latestOf({ ...chain, types: ["01", "02"] }), (latest) =>
      Option.exists(latest, ({ type }) => type === "01")
    )

  /** Starts the log. Refuses an organization that has to use VERI*FACTU until the end of the year. */
  const begin = Effect.fn("RecordLog.begin")(function* (keeper: Keeper) {
    const { chain } = keeper
    yield* records.lock(chain)
    if (yield* isRunning(chain)) return
    const sent = Option.getOrNull(yield* records.latestSent(chain))
    const { timezone } = yield* termsOf(chain)
    const yearOf = (instant: string) => localTime(instant, timezone).slice(0, 4)
    if (sent?.is_waiting === true) return yield* new NetworkRefused({ code: "refused", message: still_waiting })
    if (sent !== null && yearOf(sent.generated_at) === yearOf(yield* now)) {
      return yield* new NetworkRefused({ code: "refused", message: still_sent })
    }
    yield* append(keeper, started)
  })

  const recordAt = (chain: ChainKey, position: number) =>
    Effect.map(records.within({ ...chain, after: position - 1, last: position, limit: 1 }), ([record]) => record)

  /** Appends a summary of the records and events since the latest summary. */
  const summarize = Effect.fnUntraced(function* (keeper: Keeper) {
    const { chain } = keeper
    const { position: last } = yield* records.lock(chain)
    const before = Option.getOrUndefined(yield* events.latestOf({ ...chain, types: ["10"] }))
    const counts = yield* events.countsAfter({ ...chain, position: before?.position ?? 0 })
    // A summary omits records that were sent to the AEAT before the organization began to store its records here.
    const anchor = Option.getOrUndefined(yield* events.latestOf({ ...chain, types: ["01", "10"] }))
    const after = anchor?.record_position ?? 0
    const sums = yield* records.sums({ ...chain, after, last })
    const [first, final] = [yield* recordAt(chain, after + 1), yield* recordAt(chain, last)]
    const boundaries = first === undefined || final === undefined ? null : { first, last: final }
    yield* append(keeper, summary(new Map(counts.map(({ count, type }) => [type, count])), sums, boundaries))
  })

  /** Logs that the installation was restored from a backup since the start of the log. */
  const noteRestore = Effect.fnUntraced(function* (keeper: Keeper) {
    const { at } = yield* events.latestRestore
    const noted = yield* events.latestOf({ ...keeper.chain, types: ["01", "07"] })
    const isNew = at !== null && Option.exists(noted, ({ generated_at }) => generated_at < at)
    if (isNew) yield* append(keeper, restored)
  })

  const summarizeWhen = Effect.fn("RecordLog.summarize")(function* (keeper: Keeper, when: "due" | "stopping") {
    const { chain } = keeper
    yield* records.lock(chain)
    if (!(yield* isRunning(chain))) return
    yield* noteRestore(keeper)
    const latest = yield* events.latestOf({ ...chain, types: ["01", "10"] })
    const since_ms = Option.match(latest, { onNone: () => 0, onSome: ({ generated_at }) => epochOf(generated_at) })
    const age_ms = (yield* Clock.currentTimeMillis) - since_ms
    if (when === "due" && age_ms < Duration.toMillis(summary_due_after)) return
    yield* summarize(keeper)
  }, transaction)

  /** Ends the log with the summary that Orden HAC/1177/2024 requires before a system closes. */
  const end = Effect.fn("RecordLog.end")(function* (keeper: Keeper) {
    yield* records.lock(keeper.chain)
    if (!(yield* isRunning(keeper.chain))) return
    yield* append(keeper, ended)
    yield* summarize(keeper)
  })

  /** The alarm that Orden HAC/1177/2024, art. 6 f, requires is an error in the log of the service. */
  const report = Effect.fnUntraced(function* (keeper: Keeper, record: KeptRecord, codes: ReadonlyArray<AnomalyCode>) {
    for (const code of codes) {
      yield* Effect.logError(`invoice record ${record.position} is damaged: ${anomaly_names[code]}`)
      yield* append(keeper, anomalousRecord({ code, position: record.position, about: record }))
    }
  })

  /** Checks the latest record before the next one is chained to it (Orden HAC/1177/2024, art. 7 i). */
  const checkLatest = Effect.fn("RecordLog.checkLatest")(function* (keeper: Keeper) {
    const { chain } = keeper
    const { position } = yield* records.lock(chain)
    const latest = Option.getOrUndefined(yield* records.latest(chain))
    if (latest === undefined) return
    const previous = yield* recordAt(chain, latest.position - 1)
    const before = previous === undefined ? null : linkOfRecord(previous)
    const now_ms = yield* Clock.currentTimeMillis
    const codes = anomaliesOf(linkOfRecord(latest), { previous: before, now_ms })
    yield* report(keeper, latest, latest.position < position ? [...codes, "05"] : codes)
  }, transaction)

  return { append, begin, end, checkLatest, summarize: summarizeWhen, termsOf }
})

const epochOf = (instant: StoredEvent["generated_at"]): number => DateTime.toEpochMillis(DateTime.makeUnsafe(instant))
