import { Schema, Struct } from "effect"
import { Day, Timestamp } from "../../../kernel/Calendar.ts"
import { Environment } from "../../../kernel/Environment.ts"
import { Amount } from "../../../kernel/Money.ts"
import { ArchiveObjectId, OrganizationId } from "../../../kernel/Ids.ts"
import { ReportKind, ReportProblem, ReportType } from "../reporting/ReportContent.ts"

/** Identifies a period for which an organization reports its sales, its payments or its purchases abroad. */
export const PeriodKey = Schema.Struct({
  organization_id: OrganizationId,
  environment: Environment,
  kind: ReportKind,
  period_start: Day
})
export type PeriodKey = typeof PeriodKey.Type

export const ReportPeriod = Schema.Struct({
  ...PeriodKey.fields,
  period_end: Day,
  due_date: Day,
  /** Digest of the documents and settings when the period was last examined; null if it must be examined again. */
  basis: Schema.NullOr(Schema.String),
  problems: Schema.Array(ReportProblem)
})
export type ReportPeriod = typeof ReportPeriod.Type

/** `recorded`: not submitted. `submitted`: not judged yet. `refused`: by the platform, or later by the authority. */
const ReportStatus = Schema.Literals(["recorded", "submitted", "accepted", "refused"])

export const ReportKey = Schema.Struct({ organization_id: OrganizationId, id: Schema.String })
export type ReportKey = typeof ReportKey.Type

export const FrenchReport = Schema.Struct({
  ...ReportKey.fields,
  ...PeriodKey.fields,
  /** The initial report has version 1. */
  version: Schema.Int,
  type: ReportType,
  status: ReportStatus,
  content_sha256: Schema.String,
  xml: Schema.String,
  object_id: Schema.NullOr(ArchiveObjectId),
  reference: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.String),
  recorded_at: Timestamp,
  submitted_at: Schema.NullOr(Timestamp),
  answered_at: Schema.NullOr(Timestamp),
  /** The latest status of the tax authority: 300 for a deposited report, 301 for a rejected one. */
  authority_code: Schema.NullOr(Schema.String),
  authority_at: Schema.NullOr(Timestamp),
  /** The ids of all statuses of the tax authority, by which a repeated one is recognized. */
  authority_statuses: Schema.Array(Schema.String),
  documents: Schema.NullOr(Schema.Int),
  total: Schema.NullOr(Amount)
})
export type FrenchReport = typeof FrenchReport.Type

/** A period with its latest report, as operators see them; the report is null if none was needed. */
export const ShownReport = Schema.Struct({
  ...Struct.pick(ReportPeriod.fields, ["environment", "kind", "period_start", "period_end", "due_date", "problems"]),
  type: Schema.NullOr(FrenchReport.fields.type),
  status: Schema.NullOr(FrenchReport.fields.status),
  version: Schema.NullOr(FrenchReport.fields.version),
  ...Struct.pick(FrenchReport.fields, [
    "reference",
    "reason",
    "submitted_at",
    "answered_at",
    "authority_code",
    "authority_at",
    "documents",
    "total"
  ])
})
