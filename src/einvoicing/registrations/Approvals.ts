import { Context, Effect, Layer } from "effect"
import { type Day, now } from "../../kernel/Calendar.ts"
import { limitOf, offsetOf, type PageRequest, type Slice } from "../../kernel/Envelope.ts"
import type { OrganizationId, RegistrationId } from "../../kernel/Ids.ts"
import { type NotFound, orNotFound } from "../../kernel/Refusal.ts"
import { Journal } from "../../platform/events/Journal.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import { makeEnrollments } from "./Enrollments.ts"
import { inStatus, type StoredRegistration } from "./Registration.ts"
import { type NetworkFailed, type RegistrationRefused, RegistrationUndecidable } from "./RegistrationErrors.ts"
import { annuaireEarliest } from "./RegistrationRules.ts"
import { RegistrationsRepo } from "./RegistrationsRepo.ts"

/**
 * Lets superadmins decide about registrations, because an organization's identity is checked by a person before it is
 * enrolled.
 */
export class Approvals extends Context.Service<
  Approvals,
  {
    /** Lists the registrations of all organizations, the latest first. */
    readonly list: (
      query: PageRequest & { readonly status?: StoredRegistration["status"] }
    ) => Effect.Effect<Slice<StoredRegistration>>
    readonly find: (key: Key) => Effect.Effect<StoredRegistration, NotFound>
    /** Enrolls a pending or suspended registration. It keeps its state when the network refuses. */
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
    ) => Effect.Effect<StoredRegistration, NotFound | RegistrationUndecidable>
    /** Withdraws the registration from the network until it is approved again. */
    readonly suspend: (
      key: Key,
      actor: string
    ) => Effect.Effect<
      StoredRegistration,
      NotFound | RegistrationUndecidable | RegistrationRefused | ProviderNotConfigured | NetworkFailed
    >
    /** Withdraws the registration for good, so that the organization can register again. */
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
      const journal = yield* Journal
      const { transaction } = yield* Database
      const { enroll, inTurn, withdraw } = yield* makeEnrollments

      const list: Approvals["Service"]["list"] = Effect.fn("Approvals.list")(function* (query) {
        const status = query.status ?? null
        const rows = yield* repo.listAll({ status, limit: limitOf(query), offset: offsetOf(query) })
        const { total } = yield* repo.countAll(status)
        return { rows, total }
      })

      const save = Effect.fnUntraced(function* (action: string, registration: StoredRegistration, actor: string) {
        const { id: registration_id, organization_id, rejection_reason: reason } = registration
        yield* repo.save(registration)
        const data = reason === null ? { registration_id } : { registration_id, reason }
        yield* journal.append({ organization_id, actor, action, data })
        return registration
      })

      const approve = Effect.fn("Approvals.approve")(
        function* (key: Key, actor: string) {
          const stored = yield* orNotFound(repo.lock(key))
          if (stored.status !== "pending" && stored.status !== "suspended") {
            return yield* RegistrationUndecidable.of(stored)
          }
          const at = yield* now
          const annuaire_start_date = later(stored.annuaire_start_date, yield* annuaireEarliest)
          const approved = {
            ...inStatus(stored, "active", "active"),
            annuaire_start_date,
            approved_at: at,
            updated_at: at
          }
          yield* enroll(approved)
          return yield* save("einvoicing.registration_approved", approved, actor)
        },
        transaction,
        inTurn
      )

      const reject = Effect.fn("Approvals.reject")(function* (key: Key, reason: string, actor: string) {
        const stored = yield* orNotFound(repo.lock(key))
        if (stored.status !== "pending") return yield* RegistrationUndecidable.of(stored)
        const rejected = {
          ...inStatus(stored, "rejected", "inactive"),
          rejection_reason: reason,
          updated_at: yield* now
        }
        return yield* save("einvoicing.registration_rejected", rejected, actor)
      }, transaction)

      const suspend = Effect.fn("Approvals.suspend")(
        function* (key: Key, actor: string) {
          const stored = yield* orNotFound(repo.lock(key))
          if (stored.status !== "active") return yield* RegistrationUndecidable.of(stored)
          yield* withdraw(stored)
          const suspended = { ...inStatus(stored, "suspended", "inactive"), updated_at: yield* now }
          return yield* save("einvoicing.registration_suspended", suspended, actor)
        },
        transaction,
        inTurn
      )

      const deregister = Effect.fn("Approvals.deregister")(
        function* (key: Key, actor: string) {
          const stored = yield* orNotFound(repo.lock(key))
          if (stored.status !== "active" && stored.status !== "suspended") {
            return yield* RegistrationUndecidable.of(stored)
          }
          yield* withdraw(stored)
          const closed = { ...inStatus(stored, "deregistered", "inactive"), updated_at: yield* now }
          return yield* save("einvoicing.deregistered", closed, actor)
        },
        transaction,
        inTurn
      )

      return Approvals.of({ list, find: (key) => orNotFound(repo.find(key)), approve, reject, suspend, deregister })
    })
  ).pipe(Layer.provide(RegistrationsRepo.layer))
}

interface Key {
  readonly organization_id: OrganizationId
  readonly id: RegistrationId
}

/** The two days of the French directory start with the enrollment. */
const later = (day: Day | null, earliest: Day): Day | null => (day === null || day >= earliest ? day : earliest)
