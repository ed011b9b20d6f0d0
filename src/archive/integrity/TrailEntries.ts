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
/** What an entry says happened. */
export type EntryData = (typeof Entry.Type)["data"]

const decode = Schema.decodeUnknownOption(Entry)

const documents = [
  ["invoice", "invoice_id"],
  ["credit_note", "credit_note_id"],
  ["quote", "quote_id"]
] as const

/** What an entry says, as far as it can be read; the bytes that were hashed are in `canonical`. */
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

/** What entries of one action say; only those are read as JSON. */
const dataOf = (part: ReadonlyArray<TrailEntry>, asked: string) =>
  part.flatMap((entry) => {
    if (!entry.canonical.includes(`"action":"${asked}"`)) return []
    const { action, data } = readEntry(entry)
    return action === asked ? [data] : []
  })

/** A checkpoint that the chain names. */
export interface ToldCheckpoint {
  readonly number: number
  readonly sha256: string
}

export const checkpointsIn = (part: ReadonlyArray<TrailEntry>): ReadonlyArray<ToldCheckpoint> =>
  dataOf(part, "archive.checkpoint").map(({ number, sha256 }) => ({ number: Number(number), sha256: String(sha256) }))

/** What a part of the chain says about the objects that were archived. */
export const recordedIn = (part: ReadonlyArray<TrailEntry>) => dataOf(part, "archive.stored")

/** What it says about the exchanges that there were. */
export const exchangedIn = (part: ReadonlyArray<TrailEntry>) => dataOf(part, "archive.transmission_recorded")
