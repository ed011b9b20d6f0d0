import { Effect, Option, Schema } from "effect"
import { Day, type Timestamp } from "../../kernel/Calendar.ts"
import { described } from "../../kernel/Described.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import type { Progress, Reporting } from "../providers/Provider.ts"
import { VatRegime } from "../invoice/ReportingTerms.ts"
import type { SubmissionsOnce } from "../providers/SubmissionsOnce.ts"
import { acknowledgement, flowVerdict } from "./FlowVerdicts.ts"
import type { FlowService } from "./Flows.ts"
import type { IncomingFlowsRepo } from "./IncomingFlowsRepo.ts"

const FirstOfMonth = Day.check(
  Schema.makeFilter((day) => day.endsWith("-01"), { message: "must be the first day of a month." })
)

const PlatformNumber = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9]{4}$/, { message: "must be the four characters of the platform." })
)

/** Nothing is reported without `vat_regime`, `platform_number` and `reports_from`, so that no report is a guess. */
export const reportingSettings = {
  vat_regime: described(
    Schema.optionalKey(VatRegime),
    "VAT regime, which decides the periods of e-reporting: normal_monthly, normal_quarterly, simplified or franchise."
  ),
  platform_number: described(
    Schema.optionalKey(PlatformNumber),
    "Registration number of the platform (matricule, four characters), which forwards the e-reporting."
  ),
  reports_from: described(
    Schema.optionalKey(FirstOfMonth),
    "First day of e-reporting, such as 2026-09-01. Earlier sales and payments are not reported."
  ),
  vat_on_debits: described(
    Schema.optionalKey(Schema.Union([Schema.Literals(["yes", "no"]), FirstOfMonth])),
    "`yes` if VAT on services is always due when they are invoiced (option pour les débits), or the first day of the " +
      "month since which it is, such as 2027-01-01. Default: `no`."
  ),
  usual_nature: described(
    Schema.optionalKey(Schema.Literals(["goods", "services", "mixed"])),
    "Nature of documents that do not state one. Without it, such documents cannot be reported."
  ),
  purchases: described(
    Schema.optionalKey(Schema.Literals(["goods", "services", "mixed"])),
    "Nature of purchases abroad for which you owe the VAT. Without it, purchases are not reported."
  )
}

type Settings = Schema.Struct.Type<typeof reportingSettings>

interface Services {
  readonly flows: FlowService
  readonly once: SubmissionsOnce["Service"]
  readonly told: IncomingFlowsRepo["Service"]
}

export const flowReports = (
  { flows, once, told }: Services,
  organization_id: OrganizationId,
  settings: Settings
): Reporting => ({
  ...termsOf(settings),
  submit: ({ number, transmission_id, xml }) =>
    flows.submit(
      { tracking_id: transmission_id, name: number, syntax: "FRR", profile: "Undefined", xml },
      Effect.succeed("NotApplicable")
    ),
  verdict: Effect.fn("FlowReports.verdict")(function* (transmission_id: string) {
    const reference = yield* once.reference({ organization_id, transmission_id })
    if (Option.isNone(reference)) return Option.none()
    const { bytes, value: flow } = yield* flowVerdict(flows, reference.value, transmission_id)
    return Option.fromUndefinedOr(acknowledgement(flow, bytes)[0])
  }),
  statuses: Effect.fn("FlowReports.statuses")(function* (transmission_id: string, since: Timestamp) {
    // A status of a report states only an identifier, not a type, so it is stored like a status of an invoice.
    const about = { organization_id, number: transmission_id, document_type: "invoice", since } as const
    return (yield* told.statuses(about)).map(({ code, content, flow_id, position, reason, submitted_at }) => ({
      id: `${flow_id}:${position}`,
      at: submitted_at,
      code,
      source: "authority" as const,
      progress: report_progress[code] ?? null,
      reason,
      receipt: { type: "lifecycle_status", content_type: "application/xml", bytes: content }
    }))
  })
})

/** The statuses of a report: deposited (300), rejected (301) and unreadable (501). */
const report_progress: Readonly<Record<string, Progress>> = { "300": "accepted", "301": "rejected", "501": "failed" }

const termsOf = (settings: Settings): Pick<Reporting, "terms" | "missing_settings"> => {
  const {
    platform_number,
    purchases = null,
    reports_from,
    usual_nature = null,
    vat_on_debits = "no",
    vat_regime
  } = settings
  if (vat_regime === undefined || platform_number === undefined || reports_from === undefined) {
    const required = Object.entries({ vat_regime, platform_number, reports_from })
    return { terms: null, missing_settings: required.flatMap(([name, value]) => (value === undefined ? [name] : [])) }
  }
  return {
    terms: {
      regime: vat_regime,
      from: reports_from,
      platform: platform_number,
      vat_on_debits,
      usual_nature,
      purchases
    },
    missing_settings: []
  }
}
