import { Stream, Struct } from "effect"
import { trail_start, type TrailEntry } from "../../platform/events/AuditTrail.ts"
import { readEntry } from "../integrity/TrailEntries.ts"
import type { AddressedObject } from "../objects/ObjectsRepo.ts"

export const manifest_columns = [
  "id",
  "object_kind",
  "direction",
  "document_type",
  "document_id",
  "number",
  "counterparty_name",
  "issue_date",
  "amount",
  "currency",
  "archived_at",
  "sha256",
  "content_type",
  "size_bytes",
  "bucket",
  "storage_account",
  "region",
  "object_key",
  "present_in_export"
] as const

/** One object in the manifest; the storage address appears nowhere else. */
export const manifestRecord = (object: AddressedObject, present_in_export: boolean) => ({
  ...Struct.omit(object, ["organization_id", "position"]),
  present_in_export
})

export const trail_columns = [
  "seq",
  "at",
  "actor",
  "action",
  "document_type",
  "document_id",
  "previous_hash",
  "hash",
  "canonical"
] as const

const trailRecord = (entry: TrailEntry, previous_hash: string) => {
  const { action, actor, at, document_id, document_type } = readEntry(entry)
  const { canonical, hash, seq } = entry
  return { seq, at, actor, action, document_type, document_id, previous_hash, hash, canonical }
}

/** Each entry with the hash that it is chained to. */
export const trailRecords = (parts: Stream.Stream<ReadonlyArray<TrailEntry>>) =>
  Stream.mapAccum(
    parts,
    () => trail_start,
    (previous, part) => {
      const records = part.map((entry, index) => trailRecord(entry, part[index - 1]?.hash ?? previous))
      return [part.at(-1)?.hash ?? previous, [records]] as const
    }
  )

export const transmission_columns = [
  "object_id",
  "object_kind",
  "direction",
  "document_type",
  "document_id",
  "number",
  "counterparty_name",
  "archived_at",
  "content_type",
  "size_bytes",
  "sha256",
  "object_key"
] as const

/** One half of an exchange with the network. One that belongs to no single document has neither type nor id of one. */
export const transmissionRecord = (object: AddressedObject) => {
  const { archived_at, content_type, counterparty_name, direction, document_id, document_type } = object
  const { id: object_id, number, object_key, object_kind, sha256, size_bytes } = object
  const document = { document_type, document_id, number, counterparty_name }
  return { object_id, object_kind, direction, ...document, archived_at, content_type, size_bytes, sha256, object_key }
}
