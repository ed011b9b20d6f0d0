import { Context, Effect, Layer, Option } from "effect"
import { Transmissions } from "../../../archive/transmissions/Transmissions.ts"
import { now, type Timestamp } from "../../../kernel/Calendar.ts"
import { Database } from "../../../platform/sql/Database.ts"
import type { StorageUnavailable } from "../../../platform/storage/StorageUnavailable.ts"
import type { Exchange, NetworkMessage, NetworkUnavailable, Reporting } from "../../providers/Provider.ts"
import type { FrenchReport, ReportKey } from "./FrenchReport.ts"
import { FrenchReportsRepo } from "./FrenchReportsRepo.ts"

/** Duration of a claim on a report. It is longer than the job may take, so only the claim of a crashed process expires. */
const claim_seconds = 300
const network = "fr_ctc"
const xml_type = "application/xml"
/** The type of the exchange in which the tax authority sends a status. */
const status_type = "lifecycle_status"

/** Submits recorded reports, and reads the verdicts on them. Every step can be repeated after a crash. */
export class ReportTransmission extends Context.Service<
  ReportTransmission,
  {
    /** Does nothing while another process works on the report, or once the report is refused. */
    readonly advance: (
      key: ReportKey,
      reporting: Reporting
    ) => Effect.Effect<void, NetworkUnavailable | StorageUnavailable>
  }
>()("invoicing/einvoicing/france/reports/ReportTransmission") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* FrenchReportsRepo
      const archive = yield* Transmissions
      const { transaction } = yield* Database

      const keep = (
        { environment, organization_id }: FrenchReport,
        kind: Pick<Parameters<typeof archive.keep>[0], "object_kind" | "direction" | "content_type">,
        bytes: Uint8Array
      ) => archive.keep({ organization_id, environment, ...kind, ...no_document }, bytes)

      /** The exchange is archived before the report's new state is saved, so that a retry repeats both. */
      const keepExchange = Effect.fnUntraced(function* (report: FrenchReport, { request, response }: Exchange) {
        const { content_type } = request
        yield* keep(report, { object_kind: "request_body", direction: "outbound", content_type }, request.bytes)
        const answered = { object_kind: "response_body", direction: "inbound" } as const
        yield* keep(report, { ...answered, content_type: response.content_type }, response.bytes)
      })

      const record = Effect.fnUntraced(function* (
        report: FrenchReport,
        exchange: {
          readonly direction: "outbound" | "inbound"
          readonly type: string
          /** The identifier of a status, because a report may get several of the same type. */
          readonly status_id?: string
          readonly at: Timestamp
          readonly code: string | null
          readonly object_id: FrenchReport["object_id"]
        }
      ) {
        const { environment, id, organization_id, reference } = report
        const { status_id, ...exchanged } = exchange
        yield* repo.save(report)
        if (report.status === "refused") yield* repo.reopen(report)
        yield* archive.record({
          ...exchanged,
          organization_id,
          id: [id, exchange.type, ...(status_id === undefined ? [] : [status_id])].join(":"),
          network,
          environment,
          reference,
          document_type: null,
          document_id: null,
          number: null
        })
        return report
      }, transaction)

      const archived = Effect.fnUntraced(function* (report: FrenchReport) {
        if (report.object_id !== null) return report
        const kind = { object_kind: "evidence", direction: "outbound", content_type: xml_type } as const
        const { object_id } = yield* keep(report, kind, new TextEncoder().encode(report.xml))
        const kept = { ...report, object_id }
        yield* repo.save(kept)
        return kept
      })

      const submit = Effect.fnUntraced(function* (recorded: FrenchReport, reporting: Reporting) {
        const report = yield* archived(recorded)
        const { id, kind, object_id, period_start, type, version, xml } = report
        const number = `F10_${kind}_${period_start}_${version}`
        const answer = yield* Effect.result(
          reporting.submit({ transmission_id: id, number, xml: new TextEncoder().encode(xml) })
        )
        const sent = { direction: "outbound", type: "e_reporting", object_id } as const
        if (answer._tag === "Success") {
          const { at, exchange, reference } = answer.success
          if (exchange !== null) yield* keepExchange(report, exchange)
          const submitted = { ...report, status: "submitted", reference, submitted_at: at } as const
          return yield* record(submitted, { ...sent, at, code: type })
        }
        if (answer.failure._tag === "NetworkUnavailable") return yield* answer.failure
        const { code, exchange, message: reason } = answer.failure
        if (exchange !== undefined) yield* keepExchange(report, exchange)
        const at = yield* now
        const refused = { ...report, status: "refused", reason, submitted_at: at, answered_at: at } as const
        return yield* record(refused, { ...sent, at, code })
      })

      const judged = Effect.fnUntraced(function* (report: FrenchReport, verdict: NetworkMessage) {
        const { at, code, progress, reason, receipt } = verdict
        const kind = { object_kind: "evidence", direction: "inbound" } as const
        const kept =
          receipt === null ? null : yield* keep(report, { ...kind, content_type: receipt.content_type }, receipt.bytes)
        const status = progress === "failed" ? "refused" : "accepted"
        const told = {
          direction: "inbound",
          type: receipt?.type ?? "status",
          object_id: kept?.object_id ?? null
        } as const
        return yield* record({ ...report, status, reason, answered_at: at }, { ...told, at, code })
      })

      /**
       * Records each status of the tax authority once; the report shows the latest. If a status has no reason, the
       * report keeps its earlier reason.
       */
      const watch = Effect.fnUntraced(function* (accepted: FrenchReport, reporting: Reporting) {
        let report = accepted
        for (const told of yield* reporting.statuses(report.id, report.submitted_at ?? report.recorded_at)) {
          const { at, code, id, progress, reason, receipt } = told
          if (report.authority_statuses.includes(id)) continue
          const kind = { object_kind: "evidence", direction: "inbound", content_type: xml_type } as const
          const kept = receipt === null ? null : yield* keep(report, kind, receipt.bytes)
          const isRefused = progress === "rejected" || progress === "failed"
          const status = isRefused ? ("refused" as const) : report.status
          const authority_statuses = [...report.authority_statuses, id]
          const isLatest = report.authority_at === null || at >= report.authority_at
          const latest = isLatest ? { authority_code: code, authority_at: at } : {}
          const shown = isLatest || isRefused ? (reason ?? report.reason) : report.reason
          report = yield* record(
            { ...report, ...latest, authority_statuses, status, reason: shown },
            { direction: "inbound", type: status_type, status_id: id, object_id: kept?.object_id ?? null, at, code }
          )
        }
      })

      const advance: ReportTransmission["Service"]["advance"] = Effect.fn("ReportTransmission.advance")(
        function* (key, reporting) {
          yield* Effect.annotateCurrentSpan({ "report.id": key.id })
          const claimed = yield* repo.claim({ ...key, claim_seconds })
          if (Option.isNone(claimed)) return
          const { claimed_until, ...found } = claimed.value
          const steps = Effect.gen(function* () {
            const report = found.status === "recorded" ? yield* submit(found, reporting) : found
            const verdict = report.status === "submitted" ? yield* reporting.verdict(report.id) : Option.none()
            const known = Option.isSome(verdict) ? yield* judged(report, verdict.value) : report
            if (known.status === "accepted") yield* watch(known, reporting)
          })
          yield* Effect.ensuring(steps, repo.release({ ...key, claimed_until }))
        }
      )

      return ReportTransmission.of({ advance })
    })
  ).pipe(Layer.provide([FrenchReportsRepo.layer, Transmissions.layer]))
}

/** A report belongs to no single document. */
const no_document = {
  document_type: null,
  document_id: null,
  number: null,
  counterparty_name: null,
  issue_date: null,
  amount: null,
  currency: null
} as const
