import { PgClient } from "@effect/sql-pg"
import { BigDecimal, Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlSchema } from "effect/sql"
import { Day } from "../../../kernel/Calendar.ts"
import { OrganizationId } from "../../../kernel/Ids.ts"
import { france } from "../../countries/France.ts"
import { VatRegime } from "../../invoice/ReportingTerms.ts"
import { FrenchReport, PeriodKey, ReportKey, ReportPeriod, ShownReport } from "./FrenchReport.ts"
import { traced } from "../../../platform/sql/Traced.ts"

const Books = Schema.Struct(Struct.pick(PeriodKey.fields, ["organization_id", "environment"]))

const Regime = Schema.Struct({ since: Day, regime: VatRegime })

const Document = Schema.Struct({ kind: Schema.Literals(["invoice", "credit_note"]), id: Schema.Int })

const NewReport = Schema.Struct(
  Struct.omit(FrenchReport.fields, [
    "object_id",
    "reference",
    "reason",
    "submitted_at",
    "answered_at",
    "authority_code",
    "authority_at",
    "authority_statuses"
  ])
)

const columns = `organization_id, id::text, environment, kind, period_start::text, version, type, status, content_sha256,
  xml, object_id::text, reference, reason, recorded_at, submitted_at, answered_at, authority_code,
  authority_at, authority_statuses, documents, total`

const french = [france.code, ...france.territories]

/** The time in which the tax authority may still reject a report that the platform accepted. */
const watched = "90 days"

const changing = [
  "status",
  "object_id",
  "reference",
  "reason",
  "submitted_at",
  "answered_at",
  "authority_code",
  "authority_at"
] as const

/**
 * Maximum number of documents that `exchangedAbroad` lists. Older documents were delivered or refused long ago, so they
 * no longer change a report.
 */
const abroad_max = 100_000
/** Maximum number of periods that operators are shown, the latest first. */
const shown_max = 200

export class FrenchReportsRepo extends Context.Service<FrenchReportsRepo>()(
  "invoicing/einvoicing/france/reports/FrenchReportsRepo",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const all = sql.literal(columns)

      const periods = SqlSchema.findAll({
        Request: Schema.Struct({ ...Struct.omit(PeriodKey.fields, ["period_start"]), since: Day }),
        Result: ReportPeriod,
        execute: ({ environment, kind, organization_id, since }) => sql`
          select organization_id, environment, kind, period_start::text, period_end::text, due_date::text, basis,
            problems
          from french_periods
          where organization_id = ${organization_id} and environment = ${environment} and kind = ${kind}
            and period_end >= ${since}::date
          order by period_start`
      })

      /** Stores the present regime, unless it is the latest that is stored. A second change on one day replaces the first. */
      const noteRegime = SqlSchema.void({
        Request: Schema.Struct({ ...Books.fields, ...Regime.fields }),
        execute: ({ environment, organization_id, regime, since }) => sql`
          insert into french_regimes (organization_id, environment, since, regime)
          select ${organization_id}, ${environment}, ${since}::date, ${regime}
          where ${regime} is distinct from (
            select regime from french_regimes
            where organization_id = ${organization_id} and environment = ${environment}
            order by since desc limit 1)
          on conflict (organization_id, environment, since) do update set regime = excluded.regime`
      })

      const regimes = SqlSchema.findNonEmpty({
        Request: Books,
        Result: Regime,
        execute: ({ environment, organization_id }) => sql`
          select since::text, regime from french_regimes
          where organization_id = ${organization_id} and environment = ${environment}
          order by since`
      })

      const open = SqlSchema.void({
        Request: Schema.Struct({ ...PeriodKey.fields, period_end: Day, due_date: Day }),
        execute: (row) => sql`insert into french_periods ${sql.insert(row)} on conflict do nothing`
      })

      const examined = Effect.fn("FrenchReportsRepo.examined")(function* (period: ReportPeriod) {
        const { basis, environment, kind, organization_id, period_start, problems } = period
        yield* sql`
          update french_periods set basis = ${basis}, problems = ${sql.json(problems)}
          where organization_id = ${organization_id} and environment = ${environment} and kind = ${kind}
            and period_start = ${period_start}::date`
      }, Effect.orDie)

      /**
       * Makes the next run examine a period again. Its report may have been refused after a correction that required no
       * new report while the report was accepted.
       */
      const reopen = SqlSchema.void({
        Request: PeriodKey,
        execute: ({ environment, kind, organization_id, period_start }) => sql`
          update french_periods set basis = null
          where organization_id = ${organization_id} and environment = ${environment} and kind = ${kind}
            and period_start = ${period_start}::date`
      })

      /** Finds the latest report of a period. `was_accepted`: the platform has accepted any report of this period. */
      const latest = SqlSchema.findOneOption({
        Request: PeriodKey,
        Result: Schema.Struct({ ...FrenchReport.fields, was_accepted: Schema.Boolean }),
        execute: ({ environment, kind, organization_id, period_start }) => sql`
          select ${all}, bool_or(status = 'accepted') over () as was_accepted from french_reports
          where organization_id = ${organization_id} and environment = ${environment} and kind = ${kind}
            and period_start = ${period_start}::date
          order by version desc limit 1`
      })

      const decodeId = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))

      const insert = Effect.fn("FrenchReportsRepo.insert")(function* (report: typeof NewReport.Type) {
        const total = report.total === null ? null : BigDecimal.format(report.total)
        const rows =
          yield* sql`insert into french_reports ${sql.insert({ ...report, total })} on conflict do nothing returning id::text`
        return (yield* decodeId(rows)).length === 1
      }, Effect.orDie)

      const isOpen = sql`(status in ('recorded', 'submitted')
        or status = 'accepted' and answered_at > now() - ${watched}::interval)`

      /** Lists the reports for which the platform or the tax authority may have a new status, the oldest first. */
      const unsettled = SqlSchema.findAll({
        Request: Books,
        Result: ReportKey,
        execute: ({ environment, organization_id }) => sql`
          select organization_id, id::text from french_reports
          where organization_id = ${organization_id} and environment = ${environment} and ${isOpen}
          order by recorded_at, id`
      })

      /** None if another process has claimed the report, or its verdict is final. */
      const claim = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...ReportKey.fields, claim_seconds: Schema.Finite }),
        Result: Schema.Struct({ ...FrenchReport.fields, claimed_until: Schema.String }),
        execute: ({ id, claim_seconds, organization_id }) => sql`
          update french_reports set claimed_until = clock_timestamp() + make_interval(secs => ${claim_seconds})
          where organization_id = ${organization_id} and id = ${id} and ${isOpen}
            and coalesce(claimed_until < clock_timestamp(), true)
          returning ${all}, claimed_until::text`
      })

      /** Ends a claim, unless it expired and another process has claimed the report. */
      const release = SqlSchema.void({
        Request: Schema.Struct({ ...ReportKey.fields, claimed_until: Schema.String }),
        execute: ({ claimed_until, id, organization_id }) => sql`
          update french_reports set claimed_until = null
          where organization_id = ${organization_id} and id = ${id} and claimed_until = ${claimed_until}::timestamptz`
      })

      const save = SqlSchema.void({
        Request: FrenchReport,
        execute: ({ authority_statuses, id, organization_id, ...report }) => sql`
          update french_reports set authority_statuses = ${sql.json(authority_statuses)},
            ${sql.update(Struct.pick(report, changing))}
          where organization_id = ${organization_id} and id = ${id}`
      })

      const isExchanged = (environment: PeriodKey["environment"]) =>
        sql`provider = 'fr_ctc' and environment = ${environment} and status not in ('rejected', 'failed')`

      const isFrench = sql`recipient ->> 'country_code' in (select jsonb_array_elements_text(${sql.json(french)}))`

      /** Lists the documents that the platform has as files and therefore reports itself. */
      const exchanged = Effect.fn("FrenchReportsRepo.exchanged")(function* (
        { environment, organization_id }: typeof Books.Type,
        documents: ReadonlyArray<{ readonly kind: "invoice" | "credit_note"; readonly id: number }>,
        recipients: "everywhere" | "in France"
      ) {
        const isAsked = sql`${isExchanged(environment)} and (${recipients === "everywhere"} or ${isFrench})`
        const asked = documents.map(({ id, kind }) => ({ id, kind }))
        const rows = yield* sql`
          with asked as (select kind, id from jsonb_to_recordset(${sql.json(asked)}) as d (kind text, id bigint))
          select 'invoice' as kind, invoice_id as id from einvoices
          where organization_id = ${organization_id} and ${isAsked}
            and invoice_id in (select id from asked where kind = 'invoice')
          union all
          select 'credit_note', credit_note_id from einvoices
          where organization_id = ${organization_id} and ${isAsked}
            and credit_note_id in (select id from asked where kind = 'credit_note')`
        return new Set((yield* decodeDocuments(rows)).map(({ id, kind }) => `${kind} ${id}`))
      }, Effect.orDie)

      /**
       * Lists the latest documents to recipients abroad that the platform has as files. Documents to French recipients
       * are not listed, because they are in no report if the platform has them as files.
       */
      const exchangedAbroad = SqlSchema.findAll({
        Request: Books,
        Result: Document,
        execute: ({ environment, organization_id }) => sql`
          select case when invoice_id is null then 'credit_note' else 'invoice' end as kind,
            coalesce(invoice_id, credit_note_id) as id
          from einvoices
          where organization_id = ${organization_id} and ${isExchanged(environment)}
            and not ${isFrench}
          order by einvoices.id desc limit ${abroad_max}`
      })

      const list = SqlSchema.findAll({
        Request: Schema.Struct({ organization_id: OrganizationId }),
        Result: ShownReport,
        execute: ({ organization_id }) => sql`
          select p.environment, p.kind, p.period_start::text, p.period_end::text, p.due_date::text, p.problems, r.type,
            r.status, r.version, r.reference, r.reason, r.submitted_at, r.answered_at,
            r.authority_code, r.authority_at, r.documents, r.total
          from french_periods p
          left join lateral (
            select * from french_reports r
            where r.organization_id = p.organization_id and r.environment = p.environment and r.kind = p.kind
              and r.period_start = p.period_start
            order by r.version desc limit 1) r on true
          where p.organization_id = ${organization_id}
          order by p.period_start desc, p.kind limit ${shown_max}`
      })

      return {
        ...traced("FrenchReportsRepo", {
          periods,
          noteRegime,
          regimes,
          open,
          reopen,
          latest,
          unsettled,
          claim,
          release,
          save,
          exchangedAbroad,
          list
        }),
        examined,
        insert,
        exchanged
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

const decodeDocuments = Schema.decodeUnknownEffect(Schema.Array(Document))
