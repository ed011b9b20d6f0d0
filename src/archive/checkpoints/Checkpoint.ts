import { Option, Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { sha256Hex } from "../../platform/crypto/Digest.ts"
import { canonicalJson } from "../../platform/events/CanonicalJson.ts"
import { described } from "../../kernel/Described.ts"

/** The signed content of a checkpoint: the length of an audit chain and its last hash (rules/archive.md, Chain). */
const Statement = Schema.Struct({
  organization_id: OrganizationId,
  number: described(Schema.Int, "Number of the checkpoint: 1, 2, 3 and so on."),
  seq: described(Schema.Int, "Number of entries in the audit chain."),
  head: described(Schema.String, "Hash of the last entry of the chain."),
  at: described(Timestamp, "Time of the checkpoint."),
  previous: described(
    Schema.NullOr(Schema.String),
    "SHA-256 of the stored bytes of the previous checkpoint; null for the first one."
  ),
  public_key: described(Schema.String, "Public Ed25519 key of the signature.")
})
type Statement = typeof Statement.Type

/** A checkpoint: its signed content, with an Ed25519 signature over the content's canonical JSON (RFC 8785). */
export const Checkpoint = Schema.Struct({
  ...Statement.fields,
  signature: described(
    Schema.String,
    "Ed25519 signature over the canonical JSON (RFC 8785) of the other fields but the time-stamp."
  ),
  timestamp_token: described(
    Schema.NullOr(Schema.String),
    "RFC 3161 token over the SHA-256 of the signature, in base64; null without a time-stamp authority."
  )
}).annotate({
  identifier: "Checkpoint",
  description: "A signed statement of the length and the last hash of the audit chain."
})
export type Checkpoint = typeof Checkpoint.Type

export const statementText = ({ at, head, number, organization_id, previous, public_key, seq }: Statement): string =>
  canonicalJson({ organization_id, number, seq, head, at, previous, public_key })

const read = Schema.decodeUnknownOption(Schema.fromJsonString(Checkpoint))

export interface StoredCheckpoint extends Checkpoint {
  /** SHA-256 of the stored bytes. */
  readonly sha256: string
}

export const readCheckpoint = (text: string): Option.Option<StoredCheckpoint> =>
  Option.map(read(text), (checkpoint) => ({ ...checkpoint, sha256: sha256Hex(text) }))
