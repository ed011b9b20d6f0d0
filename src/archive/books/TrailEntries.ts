import { Option, Schema } from "effect"
import type { TrailEntry } from "../../platform/events/AuditTrail.ts"

const Entry = Schema.fromJsonString(
  Schema.Struct({
    action: Schema.String,
    actor: Schema.String,
    at: Schema.String,
    data: Schema.Record(Schema.String, Schema.Unknown)
  })
)
export type EntryData = (typeof Entry.Type)["data"]

const decode = Schema.decodeUnknownOption(Entry)

/** The credit note is first, because its entries also name the invoice that it credits. */
const documents = [
  ["credit_note", "credit_note_id"],
  ["invoice", "invoice_id"],
  ["quote", "quote_id"]
] as const

const no_data: Readonly<Record<string, unknown>> = {}

/** Parses an audit entry. If it cannot be parsed, its fields are empty. */
export const readEntry = ({ canonical }: TrailEntry) => {
  const { action, actor, at, data } = Option.getOrElse(decode(canonical), () => ({
    action: "",
    actor: "",
    at: "",
    data: no_data
  }))
  const [type, key] = documents.find(([, key]) => typeof data[key] === "number") ?? [
    data["document_type"],
    "document_id"
  ]
  const document_type = typeof type === "string" ? type : null
  const id = data[key]
  return { action, actor, at, data, document_type, document_id: typeof id === "number" ? id : null }
}

/** Returns the data of all entries with one action. Only these entries are parsed. */
const dataOf = (part: ReadonlyArray<TrailEntry>, asked: string) =>
  part.flatMap((entry) => {
    if (!entry.canonical.includes(`"action":"${asked}"`)) return []
    const { action, data } = readEntry(entry)
    return action === asked ? [data] : []
  })

export interface RecordedCheckpoint {
  readonly number: number
  readonly sha256: string
}

export const checkpointsIn = (part: ReadonlyArray<TrailEntry>): ReadonlyArray<RecordedCheckpoint> =>
  dataOf(part, "archive.checkpoint").map(({ number, sha256 }) => ({ number: Number(number), sha256: String(sha256) }))

export const recordedIn = (part: ReadonlyArray<TrailEntry>) => dataOf(part, "archive.stored")

export const exchangedIn = (part: ReadonlyArray<TrailEntry>) => dataOf(part, "archive.transmission_recorded")
