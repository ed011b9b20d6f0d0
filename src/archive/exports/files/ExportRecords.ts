import { Stream, Struct } from "effect"
import { trail_start, type TrailEntry } from "../../../platform/events/AuditTrail.ts"
import { readEntry } from "../../books/TrailEntries.ts"
import { columnsOf } from "./ExportTable.ts"
import type { RecordKind, StoredRecord } from "../../books/StoredRecord.ts"
import type { AddressedObject } from "../../objects/ObjectsRepo.ts"
import type { RecordedTransmission } from "../../objects/TransmissionsRepo.ts"

export const manifest_columns = columnsOf(
  [
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
    "environment",
    "archived_at",
    "sha256",
    "content_type",
    "size_bytes",
    "bucket",
    "storage_account",
    "region",
    "object_key",
    "present_in_export"
  ],
  ["number", "counterparty_name"]
)

/** Only exports show the address of an object in the storage. */
export const manifestRecord = (object: AddressedObject, present_in_export: boolean) => ({
  ...Struct.omit(object, ["organization_id", "position"]),
  present_in_export
})

export const trail_columns = columnsOf(
  ["seq", "at", "actor", "action", "document_type", "document_id", "previous_hash", "hash", "canonical"],
  ["actor", "action"]
)

const trailRecord = (entry: TrailEntry, previous_hash: string) => {
  const { action, actor, at, document_id, document_type } = readEntry(entry)
  const { canonical, hash, seq } = entry
  return { seq, at, actor, action, document_type, document_id, previous_hash, hash, canonical }
}

/** Adds to each entry the hash of the previous one. */
export const trailRecords = (parts: Stream.Stream<ReadonlyArray<TrailEntry>>) =>
  Stream.mapAccum(
    parts,
    () => trail_start,
    (previous, part) => {
      const records = part.map((entry, index) => trailRecord(entry, part[index - 1]?.hash ?? previous))
      return [part.at(-1)?.hash ?? previous, [records]] as const
    }
  )

export const transmission_columns = columnsOf(
  [
    "id",
    "at",
    "direction",
    "network",
    "environment",
    "type",
    "code",
    "reference",
    "document_type",
    "document_id",
    "number",
    "object_id",
    "object_kind",
    "sha256",
    "object_key"
  ],
  ["network", "type", "code", "reference", "number"]
)

export const transmissionRecord = (transmission: RecordedTransmission) => Struct.omit(transmission, ["position"])

/** The canonical JSON of a record, whose SHA-256 is the seal of the record in the audit chain. Drafts have no seal. */
export const sealRecord = (kind: RecordKind, { facts, id, state }: StoredRecord) =>
  state === "numbered" ? [] : [{ kind, id, facts: facts ?? "{}" }]
