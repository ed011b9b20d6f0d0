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

const documents = [
  ["invoice", "invoice_id"],
  ["credit_note", "credit_note_id"],
  ["quote", "quote_id"]
] as const

/** Parses an entry. An unreadable entry gets empty fields, and only its hashed text, `canonical`, is known. */
export const readEntry = ({ canonical }: TrailEntry) => {
  const { action, actor, at, data } = Option.getOrElse(decode(canonical), () => ({
    action: "",
    actor: "",
    at: "",
    data: {} as Readonly<Record<string, unknown>>
  }))
  const [type, key] = documents.find(([, key]) => typeof data[key] === "number") ?? [
    data["document_type"],
    "document_id"
  ]
  const document_type = typeof type === "string" ? type : null
  const id = data[key]
  return { action, actor, at, data, document_type, document_id: typeof id === "number" ? id : null }
}

/** Reads the data of the entries of one action, and parses only those. */
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

/** Reads the data about archived objects out of a part of the chain. */
export const recordedIn = (part: ReadonlyArray<TrailEntry>) => dataOf(part, "archive.stored")

/** Reads the data about exchanges out of a part of the chain. */
export const exchangedIn = (part: ReadonlyArray<TrailEntry>) => dataOf(part, "archive.transmission_recorded")
