import { Schema, Struct } from "effect"

const Party = Schema.Struct({
  name: Schema.String,
  /** The legal registration; its scheme is an ISO 6523 code. A French business states its SIREN (scheme 0002). */
  register: Schema.Struct({ scheme: Schema.String, value: Schema.String }),
  address: Schema.NullOr(Schema.Struct({ scheme: Schema.String, value: Schema.String }))
})
type Party = typeof Party.Type

export const ReceivedParties = Schema.Struct({
  number: Schema.String,
  type_code: Schema.String,
  /** The issue date as eight digits. */
  issue_date: Schema.String,
  seller: Party,
  buyer: Party
})
export type ReceivedParties = typeof ReceivedParties.Type

/** The fields of a document that an answer over Peppol repeats. */
export const DocumentReference = Schema.Struct({
  ...Struct.pick(ReceivedParties.fields, ["number", "type_code", "issue_date"]),
  seller_name: Schema.NullOr(Schema.String),
  buyer_name: Schema.NullOr(Schema.String)
})
export type DocumentReference = typeof DocumentReference.Type
