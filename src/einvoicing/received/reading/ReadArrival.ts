import { Schema } from "effect"
import { Timestamp } from "../../../kernel/Calendar.ts"
import { Reading } from "./Reading.ts"
import { DocumentReference, ReceivedParties } from "../../invoice/ReceivedParties.ts"

/** The content of a file that arrived. A file that cannot be read has one document, whose `problem` says why. */
export const ReadArrival = Schema.Struct({
  content_type: Schema.String,
  readings: Schema.NonEmptyArray(Schema.toType(Reading)),
  /** The supplier of the documents, or the buyer of self-billed ones; null if the file does not state the name. */
  counterparty_name: Schema.NullOr(Schema.String),
  /** The parties of the first document that states them; null if none does. */
  parties: Schema.NullOr(ReceivedParties),
  /** The fields that an answer repeats, of the first document that states them; null if none does. */
  document_reference: Schema.NullOr(DocumentReference)
})
export type ReadArrival = typeof ReadArrival.Type

const Answer = Schema.toCodecJson(ReadArrival)
export const encodeAnswer = Schema.encodeEffect(Answer)
export const decodeAnswer = Schema.decodeUnknownEffect(Answer)

/** A file for the child process. The certificates are in DER. */
export const ArrivalJob = Schema.Struct({
  bytes: Schema.Uint8Array,
  arrived_at: Timestamp,
  trusted: Schema.Array(Schema.Uint8Array)
})
export type ArrivalJob = typeof ArrivalJob.Type
