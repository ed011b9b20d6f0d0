import { Schema } from "effect"
import { nullable, Text } from "./Text.ts"
import { described } from "./Described.ts"

const external_id_characters_max = 200
const metadata_pairs_max = 50
const metadata_key_characters_max = 40
const metadata_value_characters_max = 500

/** Fields for the client's own system: the client's id of the record, and text pairs that the service only stores. */
export const clientData = {
  external_id: described(
    Schema.NullOr(Schema.String),
    "Id of the record in your own system, unique among records of its kind; null if there is none."
  ),
  metadata: described(Schema.Record(Schema.String, Schema.String), "Pairs of text for your own use.")
}
const ClientData = Schema.Struct(clientData)
type ClientData = typeof ClientData.Type

const MetadataKey = Text(metadata_key_characters_max).check(
  Schema.isMinLength(1, { message: "may not have an empty key." })
)

const isKey = Schema.is(MetadataKey)

const Metadata = Schema.Record(Schema.String, Text(metadata_value_characters_max)).check(
  Schema.makeFilter((pairs) => {
    const keys = Object.keys(pairs)
    if (keys.length > metadata_pairs_max) return `may not have more than ${metadata_pairs_max} entries.`
    return keys.every((key) => isKey(key))
      ? undefined
      : `may only have keys of 1 to ${metadata_key_characters_max} characters, without control characters.`
  })
)

/** The fields in a `POST` or `PUT`: an absent field keeps its value, null clears it. */
export const clientDataInput = {
  external_id: described(
    nullable(Text(external_id_characters_max).check(Schema.isPattern(/\S/, { message: "may not be empty." }))),
    "Id of the record in your own system, unique among records of its kind. Null clears it."
  ),
  metadata: described(
    nullable(Metadata),
    "Pairs of text for your own use, at most 50, in place of the stored ones. Null clears them."
  )
}
const ClientDataInput = Schema.Struct(clientDataInput)
type ClientDataInput = typeof ClientDataInput.Type

export const externalIdFilter = {
  external_id: described(
    Schema.optionalKey(Text(external_id_characters_max)),
    "Only the record with this id in your own system."
  )
}

export const noClientData: ClientData = { external_id: null, metadata: {} }

/** Without `stored`, the record is new. */
export const clientDataOf = (
  { external_id, metadata }: ClientDataInput,
  stored: ClientData = noClientData
): ClientData => ({
  external_id: external_id === undefined ? stored.external_id : external_id,
  metadata: metadata === undefined ? stored.metadata : (metadata ?? {})
})

/** The external id names one record only, so a copy has none. */
export const copiedClientData = ({ metadata }: ClientData): ClientData => ({ external_id: null, metadata })

/**
 * In every state, a document's external id and metadata can be changed, because customers do not see them
 * (rules/conventions.md, Records).
 */
export const isClientDataOnly = (changes: object): boolean => {
  const keys = Object.keys(changes)
  return keys.length > 0 && keys.every((key) => key in clientData)
}
