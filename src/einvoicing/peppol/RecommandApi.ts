import { Schema } from "effect"

/** Parts of the public API of Recommand that this service uses (https://recommand.eu/api-reference). */

const company = { id: Schema.String, isSmpRecipient: Schema.Boolean, isVerified: Schema.Boolean }

export const CompanyAnswer = Schema.Struct({ success: Schema.Literal(true), company: Schema.Struct(company) })

export const IdentifiersAnswer = Schema.Struct({
  success: Schema.Literal(true),
  identifiers: Schema.Array(Schema.Struct({ scheme: Schema.String, identifier: Schema.String }))
})

export const DocumentTypesAnswer = Schema.Struct({
  success: Schema.Literal(true),
  documentTypes: Schema.Array(Schema.Struct({ docTypeId: Schema.String, processId: Schema.String }))
})

export const SupportAnswer = Schema.Struct({ success: Schema.Literal(true), isValid: Schema.Boolean })

export const Done = Schema.Struct({ success: Schema.Literal(true) })

export const SentAnswer = Schema.Struct({
  success: Schema.Literal(true),
  id: Schema.String,
  sentOverPeppol: Schema.Boolean,
  peppolMessageId: Schema.NullOr(Schema.String),
  envelopeId: Schema.NullOr(Schema.String)
})

const listed = {
  id: Schema.String,
  direction: Schema.Literals(["incoming", "outgoing"]),
  senderId: Schema.String,
  receiverId: Schema.NullOr(Schema.String),
  docTypeId: Schema.String,
  type: Schema.String,
  createdAt: Schema.String,
  envelopeId: Schema.NullOr(Schema.String)
}

export const InboxAnswer = Schema.Struct({
  success: Schema.Literal(true),
  documents: Schema.Array(Schema.Struct(listed))
})

export const DocumentsAnswer = Schema.Struct({
  success: Schema.Literal(true),
  documents: Schema.Array(Schema.Struct(listed)),
  pagination: Schema.Struct({ total: Schema.Finite, totalPages: Schema.Finite })
})

export const DocumentAnswer = Schema.Struct({
  success: Schema.Literal(true),
  document: Schema.Struct({
    ...listed,
    xml: Schema.NullOr(Schema.String),
    peppolMessageId: Schema.NullOr(Schema.String),
    receivedPeppolSignalMessage: Schema.NullOr(Schema.String)
  })
})

/** The sentences of a refusal, by the field or the rule that they concern. */
export const Refusal = Schema.Struct({
  success: Schema.Literal(false),
  errors: Schema.Record(Schema.String, Schema.Array(Schema.String))
})
