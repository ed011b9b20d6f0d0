import { Context, Effect, Layer } from "effect"
import { type Day, now } from "../../kernel/Calendar.ts"
import { limitOf, offsetOf, type PageRequest, type PageRows } from "../../kernel/Envelope.ts"
import type { OrganizationId, RegistrationId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../kernel/Refusal.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { annuaireEarliest } from "../countries/France.ts"
import type { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import { makeEnrollments } from "./Enrollments.ts"
import { inStatus, type StoredRegistration } from "../records/Registration.ts"
import { NetworkFailed, type RegistrationRefused, RegistrationUndecidable } from "./RegistrationErrors.ts"
import { RegistrationsRepo } from "./RegistrationsRepo.ts"

/** Superadmins decide about registrations: a person checks an organization's identity before it is enrolled. */
export class Approvals extends Context.Service<
  Approvals,
  {
    readonly list: (
      query: PageRequest & { readonly status?: StoredRegistration["status"] }
    ) => Effect.Effect<PageRows<StoredRegistration>>
    readonly find: (key: Key) => Effect.Effect<StoredRegistration, NotFound>
    /** Enrolls a pending or suspended registration. If the network refuses, the registration keeps its state. */
    readonly approve: (
      key: Key,
      actor: string
    ) => Effect.Effect<
      StoredRegistration,
      NotFound | RegistrationUndecidable | RegistrationRefused | ProviderNotConfigured | NetworkFailed
    >
    readonly reject: (
      key: Key,
      reason: string,
      actor: string
    ) => Effect.Effect<StoredRegistration, NotFound | RegistrationUndecidable | NetworkFailed>
    /** Withdraws the registration from the network until it is approved again. */
    readonly suspend: (
      key: Key,
      actor: string
    ) => Effect.Effect<
      StoredRegistration,
      NotFound | RegistrationUndecidable | RegistrationRefused | ProviderNotConfigured | NetworkFailed
    >
    /** Withdraws the registration permanently. Afterwards the organization can register again. */
    readonly deregister: (
      key: Key,
      actor: string
    ) => Effect.Effect<
      StoredRegistration,
      NotFound | RegistrationUndecidable | RegistrationRefused | ProviderNotConfigured | NetworkFailed
    >
  }
>()("invoicing/einvoicing/registrations/Approvals") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* RegistrationsRepo
      const auditLog = yield* AuditLog
      const { change, enroll, withdraw } = yield* makeEnrollments

      const list: Approvals["Service"]["list"] = Effect.fn("Approvals.list")(function* (query) {
        const status = query.status ?? null
        const rows = yield* repo.listAll({ status, limit: limitOf(query), offset: offsetOf(query) })
        const { total } = yield* repo.countAll(status)
        return { rows, total }
      })

      /** Decides on a registration in one of the states `from`. Saves the result of `next` if the network agrees. */
      const decide =
        <F>(
          action: string,
          from: ReadonlyArray<StoredRegistration["status"]>,
          ask: (registration: StoredRegistration) => Effect.Effect<void, F>
        ) =>
        (key: Key, actor: string, next: (stored: StoredRegistration) => Effect.Effect<StoredRegistration>) =>
          change(key.organization_id, {
            busy: (error) => NetworkFailed.of(error),
            prepare: Effect.gen(function* () {
              const stored = yield* orNotFound(repo.find(key))
              return from.includes(stored.status) ? yield* next(stored) : yield* RegistrationUndecidable.of(stored)
            }),
            ask,
            commit: Effect.fnUntraced(function* (registration) {
              const { id: registration_id, organization_id, rejection_reason: reason } = registration
              yield* repo.save(registration)
              const data = reason === null ? { registration_id } : { registration_id, reason }
              yield* auditLog.append({ organization_id, actor, action, data })
              return registration
            })
          })

      const approving = decide("einvoicing.registration_approved", ["pending", "suspended"], enroll)
      const approve = Effect.fn("Approvals.approve")((key: Key, actor: string) =>
        approving(key, actor, (stored) =>
          Effect.gen(function* () {
            const at = yield* now
            const annuaire_start_date = later(stored.annuaire_start_date, yield* annuaireEarliest)
            return { ...inStatus(stored, "active", "active"), annuaire_start_date, approved_at: at, updated_at: at }
          })
        )
      )

      const rejecting = decide("einvoicing.registration_rejected", ["pending"], () => Effect.void)
      const reject = Effect.fn("Approvals.reject")((key: Key, rejection_reason: string, actor: string) =>
        rejecting(key, actor, (stored) =>
          Effect.map(now, (updated_at) => ({
            ...inStatus(stored, "rejected", "inactive"),
            rejection_reason,
            updated_at
          }))
        )
      )

      const suspending = decide("einvoicing.registration_suspended", ["active"], withdraw)
      const suspend = Effect.fn("Approvals.suspend")((key: Key, actor: string) =>
        suspending(key, actor, (stored) =>
          Effect.map(now, (updated_at) => ({ ...inStatus(stored, "suspended", "inactive"), updated_at }))
        )
      )

      const closing = decide("einvoicing.deregistered", ["active", "suspended"], withdraw)
      const deregister = Effect.fn("Approvals.deregister")((key: Key, actor: string) =>
        closing(key, actor, (stored) =>
          Effect.map(now, (updated_at) => ({ ...inStatus(stored, "deregistered", "inactive"), updated_at }))
        )
      )

      return Approvals.of({ list, find: (key) => orNotFound(repo.find(key)), approve, reject, suspend, deregister })
    })
  ).pipe(Layer.provide(RegistrationsRepo.layer))
}

interface Key {
  readonly organization_id: OrganizationId
  readonly id: RegistrationId
}

/** Returns `day`, or `earliest` if that is later: the French directory needs two days to activate an entry. */
const later = (day: Day | null, earliest: Day): Day | null => (day === null || day >= earliest ? day : earliest)
