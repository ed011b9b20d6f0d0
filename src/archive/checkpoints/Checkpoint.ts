import { Option, Schema } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"
import { OrganizationId } from "../../kernel/Ids.ts"
import { canonicalJson } from "../../platform/events/CanonicalJson.ts"

/** What a checkpoint says: how long an audit chain was, and what its last hash was; contract section 12. */
const Statement = Schema.Struct({
  organization_id: OrganizationId,
  /** 1, 2, 3 and so on. */
  number: Schema.Int,
  seq: Schema.Int,
  head: Schema.String,
  at: Timestamp,
  /** SHA-256 of the checkpoint before it, as it is stored; null for the first one. */
  previous: Schema.NullOr(Schema.String),
  public_key: Schema.String
})
type Statement = typeof Statement.Type

/** Signed: Ed25519 over the RFC 8785 JSON of the statement. */
export const Checkpoint = Schema.Struct({
  ...Statement.fields,
  signature: Schema.String,
  /** RFC 3161 token over the SHA-256 of the signature's bytes, in base64; null without an authority. */
  timestamp_token: Schema.NullOr(Schema.String)
})
export type Checkpoint = typeof Checkpoint.Type

/** The bytes that are signed. */
export const statementText = ({ at, head, number, organization_id, previous, public_key, seq }: Statement): string =>
  canonicalJson({ organization_id, number, seq, head, at, previous, public_key })

/** A checkpoint of a former version of the service, which did not sign. */
const Unsigned = Schema.Struct({ number: Schema.Int, entries: Schema.Int, head: Schema.String, at: Timestamp })

const readSigned = Schema.decodeUnknownOption(Schema.fromJsonString(Checkpoint))
const readUnsigned = Schema.decodeUnknownOption(Schema.fromJsonString(Unsigned))

/** A checkpoint as it was found in the storage. */
export interface StoredCheckpoint {
  readonly number: number
  readonly seq: number
  readonly head: string
  readonly at: Timestamp
  /** Of the stored bytes. */
  readonly sha256: string
  /** None: a former version of the service stored it. */
  readonly signed: Option.Option<Checkpoint>
}

/** None for bytes that are no checkpoint. */
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
