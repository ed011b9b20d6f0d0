import { Option, Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
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

/** A checkpoint of an earlier version of the service, which did not sign checkpoints. */
const Unsigned = Schema.Struct({ number: Schema.Int, entries: Schema.Int, head: Schema.String, at: Timestamp })

const readSigned = Schema.decodeUnknownOption(Schema.fromJsonString(Checkpoint))
const readUnsigned = Schema.decodeUnknownOption(Schema.fromJsonString(Unsigned))

export interface StoredCheckpoint {
  readonly number: number
  readonly seq: number
  readonly head: string
  readonly at: Timestamp
  readonly sha256: string
  /** None for a checkpoint of an earlier version of the service, which did not sign checkpoints. */
  readonly signed: Option.Option<Checkpoint>
}

export const readCheckpoint = (text: string, sha256: string): Option.Option<StoredCheckpoint> => {
  const signed = readSigned(text)
  if (Option.isSome(signed)) {
    const { at, head, number, seq } = signed.value
    return Option.some({ number, seq, head, at, sha256, signed })
  }
  return Option.map(readUnsigned(text), ({ at, entries: seq, head, number }) => ({
    number,
    seq,
    head,
    at,
    sha256,
    signed: Option.none()
  }))
}
