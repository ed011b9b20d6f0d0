import { type Effect, Schema, type Stream } from "effect"
import type { PageRequest } from "../../kernel/Envelope.ts"
import { Day, Timestamp } from "../../kernel/Calendar.ts"
import type { NotFound } from "../../kernel/Refusal.ts"
import type { NetworkRefused } from "./Provider.ts"

/** Days in the time zone of the organization. */
export const RecordPeriod = Schema.Struct({ from: Day, until: Day })
export type RecordPeriod = typeof RecordPeriod.Type

const Anomaly = Schema.Struct({
  chain: Schema.Literals(["records", "events"]),
  position: Schema.Int,
  /** The number of the document; null for an event. */
  number: Schema.NullOr(Schema.String),
  code: Schema.String,
  reason: Schema.String
})
export type Anomaly = typeof Anomaly.Type

export const RecordCheck = Schema.Struct({ records: Schema.Int, events: Schema.Int, anomalies: Schema.Array(Anomaly) })
export type RecordCheck = typeof RecordCheck.Type

export const ShownEvent = Schema.Struct({
  position: Schema.Int,
  type: Schema.String,
  name: Schema.String,
  at: Timestamp,
  /** Identifies the anomaly that the event is about. */
  finding: Schema.NullOr(Schema.String),
  hash: Schema.String
})
export type ShownEvent = typeof ShownEvent.Type

/** An organization's invoicing records (as VERI*FACTU requires) that this service stores, and their log of events. */
export interface RecordBooks {
  /** Checks hashes, signatures, links and times of all records and events, or of those of a period. */
  readonly check: (period: Partial<RecordPeriod>) => Effect.Effect<RecordCheck>
  /** Lists the events, the latest first. */
  readonly events: (request: PageRequest) => Effect.Effect<ReadonlyArray<ShownEvent>>
  /** Packs the records and the events of a period into a ZIP archive. Fails with NotFound if the period has none. */
  readonly export: (period: RecordPeriod) => Effect.Effect<Stream.Stream<Uint8Array>, NotFound>
  /** Adds a summary of the latest records and events to their log, if one is due. Absent if there is no such log. */
  readonly summarize?: (when: "due" | "stopping") => Effect.Effect<void>
  /** Begins the log of a new connection in the caller's transaction. Absent if an authority gets the records. */
  readonly begin?: Effect.Effect<void, NetworkRefused>
  /** Ends the log of the records in the caller's transaction, which connects the organization to another provider. */
  readonly end?: Effect.Effect<void>
}
