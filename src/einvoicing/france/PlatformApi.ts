import { Schema } from "effect"

/** Parts of the flow service and the directory service of XP Z12-013 (1.3.0) that this service uses. */

const Missing = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

export const TokenAnswer = Schema.Struct({ access_token: Schema.NonEmptyString, expires_in: Missing(Schema.Finite) })

const Acknowledgement = Schema.Struct({
  status: Schema.Literals(["Pending", "Ok", "Error"]),
  details: Missing(
    Schema.Array(Schema.Struct({ level: Schema.String, reasonCode: Schema.String, reasonMessage: Schema.String }))
  )
})

/** A time in an answer, in any form of ISO 8601. An answer with another text counts as unreadable. */
const Moment = Schema.String.check(Schema.makeFilter((text) => Number.isFinite(Date.parse(text))))

export const SubmittedFlow = Schema.Struct({ flowId: Schema.String, submittedAt: Moment })

export const Flow = Schema.Struct({
  ...SubmittedFlow.fields,
  updatedAt: Moment,
  flowSyntax: Schema.String,
  flowType: Schema.String,
  flowDirection: Schema.Literals(["In", "Out"]),
  acknowledgement: Acknowledgement
})
export type Flow = typeof Flow.Type

/** A flow in a list. A time that cannot be read does not keep the flow from arriving. */
export const ListedFlow = Schema.Struct({
  ...Flow.fields,
  submittedAt: Schema.optionalKey(Schema.Unknown),
  updatedAt: Schema.optionalKey(Schema.Unknown)
})
export type ListedFlow = typeof ListedFlow.Type

/** The results are read one by one, so that one that cannot be read does not hide the others. */
export const FlowPage = Schema.Struct({
  nextCursor: Missing(Schema.String),
  results: Missing(Schema.Array(Schema.Unknown))
})

const DirectoryLine = Schema.Struct({
  addressingIdentifier: Missing(Schema.String),
  directoryLineStatus: Missing(Schema.String),
  legalUnit: Missing(Schema.Struct({ businessName: Missing(Schema.String), entityType: Missing(Schema.String) }))
})
export const DirectoryLineAnswer = DirectoryLine
export const DirectoryLinesAnswer = Schema.Struct({ results: Missing(Schema.Array(DirectoryLine)) })

export const Problem = Schema.Struct({ errorCode: Schema.String, errorMessage: Missing(Schema.String) })
