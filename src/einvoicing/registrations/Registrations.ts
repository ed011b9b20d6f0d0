import { Context, Effect, Layer, Option } from "effect"
import { now } from "../../kernel/Calendar.ts"
import { type NotFound, orNotFound, ValidationFailed } from "../../kernel/Refusal.ts"
import { callerEntry, AuditLog } from "../../platform/events/AuditLog.ts"
import { CurrentOperation } from "../../platform/http/CurrentOperation.ts"
import { type Caller, CurrentOrganization } from "../../platform/http/Security.ts"
import { requireOwn } from "../OwnOrganization.ts"
import { Providers } from "../providers/Provider.ts"
import type { ProviderNotConfigured } from "../providers/ProviderErrors.ts"
import { makeEnrollments } from "./Enrollments.ts"
import {
  inStatus,
  isLive,
  type Registration,
  type RegistrationChanges,
  type RegistrationDraft,
  shown,
  type StoredRegistration
} from "../records/Registration.ts"
import {
  AlreadyRegistered,
  NetworkFailed,
  NetworkUpdateFailed,
  ProviderMismatch,
  RegistrationClosed,
  type RegistrationRefused,
  RoleRequired
} from "./RegistrationErrors.ts"
import { drafted } from "./RegistrationRules.ts"
import { RegistrationsRepo } from "./RegistrationsRepo.ts"

/** Registers the current organization with the network of its country; `Approvals` decides about it. */
export class Registrations extends Context.Service<
  Registrations,
  {
    readonly get: Effect.Effect<Registration, NotFound, CurrentOrganization>
    /** The registration that prevents another one. A pending one is not on the network yet. */
    readonly live: Effect.Effect<Option.Option<Registration>, never, CurrentOrganization>
    /**
     * Creates a registration. It is pending or, in countries where an authority clears documents, active immediately.
     */
    readonly register: (
      draft: RegistrationDraft
    ) => Effect.Effect<
      Registration,
      | NotFound
      | ValidationFailed
      | ProviderMismatch
      | RoleRequired
      | AlreadyRegistered
      | RegistrationRefused
      | ProviderNotConfigured
      | NetworkFailed,
      Caller
    >
    /** Changes the registration if and only if the network accepts the change. */
    readonly update: (
      changes: RegistrationChanges
    ) => Effect.Effect<
      Registration,
      | NotFound
      | ValidationFailed
      | ProviderMismatch
      | RoleRequired
      | RegistrationClosed
      | ProviderNotConfigured
      | NetworkUpdateFailed,
      Caller
    >
  }
>()("invoicing/einvoicing/registrations/Registrations") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* RegistrationsRepo
      const auditLog = yield* AuditLog
      const providers = yield* Providers
      const { change, enroll, update: push } = yield* makeEnrollments

      const get = Effect.gen(function* () {
        const { id } = yield* CurrentOrganization
        return shown(yield* orNotFound(repo.findCurrent(id)))
      }).pipe(Effect.withSpan("Registrations.get"))

      const live = Effect.gen(function* () {
        const { id } = yield* CurrentOrganization
        return Option.map(Option.filter(yield* repo.findCurrent(id), isLive), shown)
      }).pipe(Effect.withSpan("Registrations.live"))

      const requireFirst = Effect.gen(function* () {
        const { id } = yield* CurrentOrganization
        const current = yield* repo.findCurrent(id)
        if (Option.isSome(current) && isLive(current.value)) return yield* AlreadyRegistered.of(current.value)
      })

      const prepared = Effect.fnUntraced(function* (draft: RegistrationDraft) {
        const { facts, network } = yield* drafted(draft)
        const { environment } = yield* providers.require(draft.organization_id, network.code)
        yield* requireFirst
        const at = yield* now
        const id = yield* repo.nextId
        const dates = { submitted_at: at, approved_at: null, updated_at: at }
        const pending: StoredRegistration = { ...facts, ...dates, id, status: "pending", environment }
        if (network.model === "network") return pending
        return { ...inStatus(pending, "active", "active"), approved_at: at }
      })

      const register = Effect.fn("Registrations.register")(function* (draft: RegistrationDraft) {
        yield* requireOwn(draft.organization_id)
        const { id: organization_id } = yield* CurrentOrganization
        const operation = (yield* CurrentOperation) ?? null
        if (operation !== null) {
          const done = yield* repo.findOperation({ organization_id, operation })
          if (Option.isSome(done)) return shown(done.value)
        }
        return yield* change(organization_id, {
          busy: (error) => NetworkFailed.of(error),
          prepare: prepared(draft),
          ask: (stored) => (stored.status === "active" ? enroll(stored) : Effect.void),
          commit: Effect.fnUntraced(function* (stored) {
            yield* repo.insert({ ...stored, operation })
            yield* auditLog.append(yield* entryOf("einvoicing.registered", stored))
            return shown(stored)
          })
        })
      })

      const update = Effect.fn("Registrations.update")(function* (changes: RegistrationChanges) {
        yield* requireOwn(changes.organization_id)
        return yield* change(changes.organization_id, {
          busy: (error) => NetworkUpdateFailed.of(error),
          prepare: Effect.gen(function* () {
            const stored = yield* orNotFound(repo.findCurrent(changes.organization_id))
            return { stored, changed: yield* changedBy(stored, changes) }
          }),
          // Only an active registration is on the network.
          ask: ({ changed, stored }) =>
            stored.status === "active" && !isSame(stored, changed) ? push(changed) : Effect.void,
          commit: Effect.fnUntraced(function* ({ changed, stored }) {
            if (isSame(stored, changed)) return shown(stored)
            const saved = { ...changed, updated_at: yield* now }
            yield* repo.save(saved)
            yield* auditLog.append(yield* entryOf("einvoicing.registration_updated", saved))
            return shown(saved)
          })
        })
      })

      return Registrations.of({ get, live, register, update })
    })
  ).pipe(Layer.provide(RegistrationsRepo.layer))
}

const changedBy = Effect.fnUntraced(function* (stored: StoredRegistration, changes: RegistrationChanges) {
  if ((changes.provider ?? stored.provider) !== stored.provider) return yield* ProviderMismatch.of(stored.provider)
  yield* requireSpanishPair(stored, changes)
  if (!isLive(stored)) return yield* RegistrationClosed.of(stored)
  const { acts_as_receiver = stored.acts_as_receiver, acts_as_sender = stored.acts_as_sender } = changes
  if (!acts_as_sender && !acts_as_receiver) return yield* RoleRequired.of()
  const { es_foral_territory = null, es_sii_registered } = changes
  const isAsked = stored.es_sii_registered !== null
  const spanish = isAsked && es_sii_registered !== undefined ? { es_foral_territory, es_sii_registered } : {}
  return { ...stored, acts_as_sender, acts_as_receiver, ...spanish }
})

/** The two Spanish fields must be given together. GET answers null for a territory that is not stored. */
const requireSpanishPair = (stored: StoredRegistration, changes: RegistrationChanges) => {
  const { es_foral_territory, es_sii_registered } = changes
  if ((es_foral_territory === undefined) === (es_sii_registered === undefined)) return Effect.void
  if (es_foral_territory === null && stored.es_foral_territory === null) return Effect.void
  const [missing, other] =
    es_sii_registered === undefined
      ? ["es_sii_registered", "es_foral_territory"]
      : ["es_foral_territory", "es_sii_registered"]
  return Effect.fail(ValidationFailed.of({ [missing]: [`The ${missing} field must be given together with ${other}.`] }))
}

const isSame = (before: StoredRegistration, after: StoredRegistration): boolean =>
  before.acts_as_sender === after.acts_as_sender &&
  before.acts_as_receiver === after.acts_as_receiver &&
  before.es_sii_registered === after.es_sii_registered &&
  before.es_foral_territory === after.es_foral_territory

const entryOf = (action: string, { acts_as_receiver, acts_as_sender, id, status }: StoredRegistration) =>
  callerEntry(action, { registration_id: id, status, acts_as_sender, acts_as_receiver })
