import { Context, Effect, Layer, Metric } from "effect"
import { now } from "../../kernel/Calendar.ts"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { Journal } from "../../platform/events/Journal.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { StoredObject } from "../objects/ObjectsRepo.ts"
import type { ObjectLost } from "../objects/Vault.ts"
import { IntegrityRepo } from "./IntegrityRepo.ts"

const incidents = Metric.counter("archive_incidents_total", {
  description: "Archived bytes found missing or altered, and audit chains found broken.",
  incremental: true
})

/** What found it. */
type Finder = "download" | "export" | "proof" | "submission"

/** Raises the alarm when the archive is not what its manifest says: in the log, in a metric and in the audit chain. */
export class Incidents extends Context.Service<
  Incidents,
  {
    /** Once per object, until it was seen intact again. */
    readonly reportObject: (
      object: Pick<StoredObject, "organization_id" | "position" | "id">,
      verdict: ObjectLost["verdict"],
      found_by: Finder
    ) => Effect.Effect<void>
    /** Something that is no object: an artifact of an export, or the chain. */
    readonly report: (
      organization_id: OrganizationId,
      data: Readonly<Record<string, string | number>>
    ) => Effect.Effect<void>
  }
>()("invoicing/archive/integrity/Incidents") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* IntegrityRepo
      const journal = yield* Journal
      const { transaction } = yield* Database
      yield* Metric.update(incidents, 0)

      const alarm = Effect.fnUntraced(function* (
        organization_id: OrganizationId,
        data: Readonly<Record<string, string | number>>
      ) {
        yield* Effect.logError("archive integrity incident").pipe(Effect.annotateLogs({ organization_id, ...data }))
        yield* Metric.update(incidents, 1)
        yield* journal.append({ organization_id, actor: "system", action: "archive.integrity_failed", data })
      })

      const report = Effect.fn("Incidents.report")(alarm)

      const reportObject = Effect.fn("Incidents.reportObject")(function* (
        object: Pick<StoredObject, "organization_id" | "position" | "id">,
        verdict: ObjectLost["verdict"],
        found_by: Finder
      ) {
        const isNew = yield* repo.markLost(object, verdict, yield* now)
        if (isNew) yield* alarm(object.organization_id, { object_id: object.id, verdict, found_by })
      }, transaction)

      return Incidents.of({ reportObject, report })
    })
  ).pipe(Layer.provide(IntegrityRepo.layer))
}
