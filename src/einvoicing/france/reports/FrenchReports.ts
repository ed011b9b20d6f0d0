import { Context, DateTime, Duration, Effect, Layer, Option, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { DatedSales } from "../../../billing/sales/DatedSales.ts"
import type { Days } from "../../../billing/sales/DatedSale.ts"
import { addDays, now, TimeZone, today } from "../../../kernel/Calendar.ts"
import type { OrganizationId } from "../../../kernel/Ids.ts"
import { Organizations } from "../../../organizations/Organizations.ts"
import type { Organization } from "../../../organizations/profile/Organization.ts"
import { sha256Hex } from "../../../platform/crypto/Digest.ts"
import type { StorageUnavailable } from "../../../platform/storage/StorageUnavailable.ts"
import { type NetworkUnavailable, Providers, type Reporting } from "../../providers/Provider.ts"
import type { ReportingTerms } from "../../invoice/ReportingTerms.ts"
import { registrationIn, vatIdentifier } from "../../sources/PartyIdentifiers.ts"
import type { FrenchReport, PeriodKey, ReportPeriod, ShownReport } from "./FrenchReport.ts"
import { FrenchReportsRepo } from "./FrenchReportsRepo.ts"
import { periodsToReport, type Regimes } from "../reporting/Periods.ts"
import { isEmpty, type ReportContent, type ReportKind, totalsOf } from "../reporting/ReportContent.ts"
import { comparableReport, reportDocument, states } from "../reporting/ReportDocument.ts"
import { purchasesOf } from "../reporting/Purchases.ts"
import { PurchasesRepo } from "../reporting/PurchasesRepo.ts"
import { paymentsOf, type Reporter, transactionsOf } from "../reporting/ReportedSales.ts"
import { ReportTransmission } from "./ReportTransmission.ts"
import { siren_scheme } from "../../countries/FrenchCodes.ts"

const network = "fr_ctc"
const paris = TimeZone.make("Europe/Paris")
/** Number of days in which an ended period is examined again. The authority may correct the last three years. */
const watched_days = 1_096
/** Minimum time between two rectifications of a period whose report was accepted. */
const rectification_pause = Duration.days(1)

interface Declaring {
  readonly organization_id: OrganizationId
  readonly environment: PeriodKey["environment"]
  readonly terms: ReportingTerms
  readonly regimes: Regimes
  readonly declarant: { readonly siren: string; readonly name: string }
  readonly reporter: Reporter
}

/** Reports sales, payments and purchases abroad of organizations to the French tax authority (e-reporting, flow 10). */
export class FrenchReports extends Context.Service<
  FrenchReports,
  {
    /** Records the reports that are due, and submits all reports that the platform has not judged. */
    readonly run: (organization_id: OrganizationId) => Effect.Effect<void, NetworkUnavailable | StorageUnavailable>
    readonly list: (organization_id: OrganizationId) => Effect.Effect<{
      readonly missing: ReadonlyArray<string>
      readonly reports: ReadonlyArray<typeof ShownReport.Type>
    }>
  }
>()("invoicing/einvoicing/france/reports/FrenchReports") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* FrenchReportsRepo
      const dated = yield* DatedSales
      const organizations = yield* Organizations
      const providers = yield* Providers
      const transmission = yield* ReportTransmission
      const purchases = yield* PurchasesRepo

      const openPeriods = Effect.fnUntraced(function* (kind: ReportKind, { regimes, terms, ...declaring }: Declaring) {
        const { environment, organization_id } = declaring
        const day = yield* today(paris)
        const since = addDays(day, -watched_days)
        const asked = { organization_id, environment, kind, since }
        const last = (yield* repo.periods(asked)).at(-1)
        const from = last === undefined ? terms.from : addDays(last.period_end, 1)
        for (const { due: due_date, end: period_end, start: period_start } of periodsToReport(
          { regimes, kind, from },
          day
        )) {
          yield* repo.open({ organization_id, environment, kind, period_start, period_end, due_date })
        }
        return yield* repo.periods(asked)
      })

      /**
       * Omits documents that the platform has as files, because the platform itself reports them. The platform does not
       * know payments, so only those for French recipients are omitted, which life cycle messages report.
       */
      const contentOf = Effect.fnUntraced(function* (period: ReportPeriod, { reporter }: Declaring) {
        const { kind, organization_id, period_end: end, period_start: start } = period
        if (kind === "purchases") {
          return purchasesOf(yield* purchases.dated({ organization_id, start, end }), reporter)
        }
        if (kind === "transactions") {
          const sales = yield* dated.sales(organization_id, { start, end })
          const exchanged = yield* repo.exchanged(period, sales, "everywhere")
          return transactionsOf(
            sales.filter((sale) => !exchanged.has(`${sale.kind} ${sale.id}`)),
            reporter
          )
        }
        const receipts = yield* dated.receipts(organization_id, { start, end })
        const exchanged = yield* repo.exchanged(
          period,
          receipts.map(({ sale }) => sale),
          "in France"
        )
        return paymentsOf(
          receipts.filter(({ sale }) => !exchanged.has(`${sale.kind} ${sale.id}`)),
          reporter
        )
      })

      /** Records a report of the period if one is needed. Returns false when the report has to wait. */
      const report = Effect.fnUntraced(function* (
        period: ReportPeriod,
        content: ReportContent,
        { declarant, terms: { platform } }: Declaring
      ) {
        const { environment, kind, organization_id, period_end: end, period_start: start } = period
        const days: Days = { start, end }
        const content_sha256 = sha256Hex(comparableReport({ platform, declarant }, days, content))
        const latest = Option.getOrNull(yield* repo.latest(period))
        // Another platform or name corrects a refused report, but changes nothing that an accepted report declares.
        const isStated =
          latest?.status === "accepted"
            ? states(latest.xml, declarant, days, content)
            : latest?.content_sha256 === content_sha256
        const need = isStated ? "never" : needOf(latest, isEmpty(content), yield* DateTime.now)
        if (need !== "now") return need === "never"
        const id = SecureRandom.uuidV4Unsafe()
        const type = latest === null ? "IN" : "RE"
        const heading = { id, at: yield* DateTime.now, type, platform, declarant } as const
        // False if another process has just recorded a report of this period, perhaps with other content.
        return yield* repo.insert({
          organization_id,
          id,
          environment,
          kind,
          period_start: start,
          version: (latest?.version ?? 0) + 1,
          type,
          status: "recorded",
          content_sha256,
          xml: reportDocument(heading, days, content),
          ...totalsOf(content),
          recorded_at: yield* now
        })
      })

      const examine = Effect.fn("FrenchReports.examine")(function* (kind: ReportKind, declaring: Declaring) {
        const { organization_id } = declaring
        const periods = yield* openPeriods(kind, declaring)
        const ranges = periods.map(({ period_end: end, period_start: start }) => ({ start, end }))
        const omitted = kind === "transactions" ? yield* repo.exchangedAbroad(declaring) : []
        const fingerprints =
          kind === "purchases"
            ? yield* purchases.fingerprints(organization_id, ranges)
            : yield* dated.fingerprints(organization_id, ranges, omitted)
        for (const [index, period] of periods.entries()) {
          const basis = sha256Hex(`${fingerprints[index] ?? ""} ${settingsText(declaring)}`)
          // A problem can end without a change of a document, for example when a customer's data are corrected.
          if (basis === period.basis && period.problems.length === 0) continue
          const { content, problems } = yield* contentOf(period, declaring)
          const isDone = yield* report(period, content, declaring)
          yield* repo.examined({ ...period, basis: isDone ? basis : null, problems })
        }
      })

      const record = Effect.fn("FrenchReports.record")(function* (
        organization_id: OrganizationId,
        environment: Declaring["environment"],
        { terms }: Reporting
      ) {
        const organization = yield* Effect.orDie(organizations.get(organization_id))
        const declarant = declarantOf(organization)
        if (terms === null || declarant === null) return
        const { purchases: purchased, usual_nature, vat_on_debits } = terms
        const seller = {
          identifier: { scheme: siren_scheme, value: declarant.siren },
          vat_identifier: vatIdentifier(organization.tax_number, organization.country),
          country: organization.country
        }
        const reporter = { vat_on_debits, usual_nature, purchases: purchased, seller, currency: organization.currency }
        const books = { organization_id, environment }
        yield* repo.noteRegime({ ...books, since: yield* today(paris), regime: terms.regime })
        const declaring = { ...books, terms, regimes: yield* repo.regimes(books), declarant, reporter }
        yield* examine("transactions", declaring)
        if (purchased !== null) yield* examine("purchases", declaring)
        // If VAT on services is always due when it is invoiced, no payments are reported.
        if (vat_on_debits !== "yes") yield* examine("payments", declaring)
      })

      const run = Effect.fn("FrenchReports.run")(function* (organization_id: OrganizationId) {
        yield* Effect.annotateCurrentSpan({ "organization.id": organization_id })
        const provider = Option.getOrNull(yield* providers.find(organization_id, network))
        if (provider?.reporting === undefined) return
        const { environment, reporting } = provider
        yield* record(organization_id, environment, reporting)
        const outcomes = yield* Effect.forEach(yield* repo.unsettled({ organization_id, environment }), (key) =>
          Effect.result(transmission.advance(key, reporting))
        )
        // A failure is returned only after all reports were tried, so that one report does not delay the others.
        const failed = outcomes.find(Result.isFailure)
        if (failed !== undefined) return yield* failed.failure
      })

      const list = Effect.fn("FrenchReports.list")(function* (organization_id: OrganizationId) {
        const reports = yield* repo.list({ organization_id })
        const provider = Option.getOrNull(yield* providers.find(organization_id, network))
        if (provider?.reporting === undefined) return { missing: [], reports }
        const organization = yield* Effect.orDie(organizations.get(organization_id))
        const unknown = declarantOf(organization) === null ? ["registration_number"] : []
        return { missing: [...provider.reporting.missing_settings, ...unknown], reports }
      })

      return FrenchReports.of({ run, list })
    })
  ).pipe(
    Layer.provide([
      PurchasesRepo.layer,
      FrenchReportsRepo.layer,
      DatedSales.layer,
      Organizations.layer,
      ReportTransmission.layer
    ])
  )
}

/** Returns the organization as declarant, or null without a SIREN. */
const declarantOf = ({ name, registration_number }: Organization): Declaring["declarant"] | null => {
  const registration = registrationIn("FR", registration_number)
  return registration?.scheme === siren_scheme ? { siren: registration.value, name } : null
}

/** Returns a text that contains every setting on which the content of reports depends. */
const settingsText = ({ declarant, reporter, terms: { platform } }: Declaring): string =>
  JSON.stringify([declarant, reporter, platform])

interface Latest extends FrenchReport {
  readonly was_accepted: boolean
}

const needOf = (latest: Latest | null, hasNothing: boolean, at: DateTime.Utc): "now" | "later" | "never" => {
  if (latest === null) return hasNothing ? "never" : "now"
  if (latest.status === "refused") return hasNothing && !latest.was_accepted ? "never" : "now"
  if (latest.status !== "accepted") return "later"
  const next = DateTime.addDuration(DateTime.makeUnsafe(latest.recorded_at), rectification_pause)
  return DateTime.isGreaterThan(next, at) ? "later" : "now"
}
