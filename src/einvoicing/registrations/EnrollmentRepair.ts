import { Context, Effect, Layer, Option } from "effect"
import { now } from "../../kernel/Calendar.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type NetworkRefused, type NetworkUnavailable, Providers } from "../providers/Provider.ts"
import { answered, enrollmentOf, makeEnrollments } from "./Enrollments.ts"
import { inStatus, type StoredRegistration } from "../records/Registration.ts"
import type { EnrollmentRepairQueue } from "./EnrollmentQueue.ts"
import { RegistrationsRepo } from "./RegistrationsRepo.ts"

type Key = typeof EnrollmentRepairQueue.payload.Type

/**
 * Makes a network match our registrations again. The network commits independently of our database, so a crash or a
 * late answer can leave them with different registrations. Every change therefore enqueues a repair first.
 */
export class EnrollmentRepair extends Context.Service<
  EnrollmentRepair,
  {
    /**
     * Enrolls an active registration in the network, and suspends it if the network refuses. Without an active
     * registration, withdraws the organization from the network.
     */
    readonly repair: (key: Key) => Effect.Effect<void, NetworkRefused | NetworkUnavailable>
  }
>()("invoicing/einvoicing/registrations/EnrollmentRepair") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* RegistrationsRepo
      const providers = yield* Providers
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database
      const { exclusively } = yield* makeEnrollments

      const suspend = Effect.fnUntraced(function* (stored: StoredRegistration, { message: reason }: NetworkRefused) {
        const { id: registration_id, organization_id } = stored
        yield* repo.save({ ...inStatus(stored, "suspended", "failed"), updated_at: yield* now })
        yield* auditLog.append({
          organization_id,
          actor: "system",
          action: "einvoicing.registration_suspended",
          data: { registration_id, reason }
        })
      }, transaction)

      const tell = Effect.fnUntraced(function* ({ environment, organization_id, provider }: Key) {
        const current = Option.getOrUndefined(yield* repo.findCurrent(organization_id))
        const configured = yield* providers.find(organization_id, provider, environment ?? current?.environment)
        if (Option.isNone(configured)) return
        const network = configured.value
        const isHere = current?.provider === provider && current.environment === network.environment
        if (current?.status !== "active" || !isHere) {
          return yield* answered(network.withdraw(organization_id))
        }
        yield* answered(network.enroll(enrollmentOf(current))).pipe(
          Effect.catchTag("NetworkRefused", (refusal) => suspend(current, refusal))
        )
      })

      const repair = Effect.fn("EnrollmentRepair.repair")((key: Key) =>
        exclusively(key.organization_id, (error) => error)(() => tell(key))
      )

      return EnrollmentRepair.of({ repair })
    })
  ).pipe(Layer.provide(RegistrationsRepo.layer))
}
