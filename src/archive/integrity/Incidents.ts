import { Context, Effect, Layer, Metric } from "effect"
import { now } from "../../kernel/Calendar.ts"
import type { PageRows } from "../../kernel/Envelope.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StoredObject } from "../objects/ObjectsRepo.ts"
import type { ObjectLost } from "../objects/Vault.ts"
import type { Incident, NewIncident } from "./Incident.ts"
import { type IncidentsQuery, IncidentsRepo } from "./IncidentsRepo.ts"
import { Proofs } from "./Proofs.ts"

const open = Metric.gauge("archive_incidents_open", {
  description:
    "Archived bytes found missing or altered, and audit chains found broken, until a proof finds them intact."
})

/** Writes each defect to the log and to the audit chain. A defect is reported again only after it was resolved. */
export class Incidents extends Context.Service<
  Incidents,
  {
    readonly reportObject: (
      object: Pick<StoredObject, "organization_id" | "id">,
      verdict: ObjectLost["verdict"],
      found_by: Incident["found_by"]
    ) => Effect.Effect<void>
    /** Reports a defect of the ZIP of an export, or of the manifest, the books, the exchanges or the audit chain. */
    readonly report: (incident: Omit<NewIncident, "object_id">) => Effect.Effect<void>
    readonly list: (query: IncidentsQuery) => Effect.Effect<PageRows<Incident>>
    /** Counts the open incidents of all organizations for the metrics. */
    readonly measure: Effect.Effect<void>
  }
>()("invoicing/archive/integrity/Incidents") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* IncidentsRepo
      const proofs = yield* Proofs
      const { transaction } = yield* Database

      const raise = Effect.fnUntraced(function* (incident: NewIncident) {
        const { organization_id, ...data } = incident
        const entry = { organization_id, actor: "system", action: "archive.integrity_failed", data }
        const at = yield* now
        const isNew = yield* transaction(repo.raise(incident, at, entry)).pipe(
          Effect.catchDefect(() => repo.raiseAlone(incident, at))
        )
        if (!isNew) return
        yield* Effect.logError("archive integrity incident").pipe(Effect.annotateLogs({ ...incident }))
      })

      const report = Effect.fn("Incidents.report")((incident: Omit<NewIncident, "object_id">) =>
        raise({ ...incident, object_id: null })
      )

      const reportObject = Effect.fn("Incidents.reportObject")(function* (
        object: Pick<StoredObject, "organization_id" | "id">,
        verdict: ObjectLost["verdict"],
        found_by: Incident["found_by"]
      ) {
        const { id: object_id, organization_id } = object
        yield* proofs.fail(organization_id)
        yield* raise({ organization_id, object_id, export_id: null, problem: verdict, found_by })
      }, transaction)

      const measure = Effect.flatMap(repo.countOpen, (count) => Metric.update(open, count))

      return Incidents.of({ reportObject, report, list: repo.list, measure })
    })
  ).pipe(Layer.provide([IncidentsRepo.layer, Proofs.layer]))
}
