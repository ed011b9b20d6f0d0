import { Clock, Effect, Option } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { newToken } from "../../platform/crypto/Opaque.ts"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type Answer, type Enrollment, NetworkUnavailable, type Provider, Providers } from "../providers/Provider.ts"
import { EnrollmentRepairQueue, repair_delay } from "./EnrollmentQueue.ts"
import type { StoredRegistration } from "../records/Registration.ts"
import { NetworkFailed, NetworkUpdateFailed, RegistrationRefused } from "./RegistrationErrors.ts"
import { type ChangeLease, RegistrationsRepo } from "./RegistrationsRepo.ts"

/** Time limit for an answer of the network. It is shorter than the lease that a change holds during the call. */
const answer_time_limit = "10 seconds"

/** Maximum time that a change waits for the previous one. It is longer than the lease of a crashed change. */
const turn_wait_ms_max = 35_000
const turn_poll_interval = "200 millis"

interface Change<Prepared, Answer, B, E, F, R> {
  /** Returns the error for a change that has waited too long for an earlier change. */
  readonly busy: (error: NetworkUnavailable) => B
  /** Checks in a transaction whether the change is allowed. */
  readonly prepare: Effect.Effect<Prepared, E, R>
  /** Calls the network, while no database connection is held. */
  readonly ask: (prepared: Prepared) => Effect.Effect<void, F>
  /** Records the change that the network has accepted, in a second transaction. */
  readonly commit: (prepared: Prepared) => Effect.Effect<Answer, never, R>
}

/**
 * Makes changes that a network must accept, one per organization at a time. A change holds a lease instead of a lock,
 * so that it needs no database connection while the network answers. Each change first enqueues a repair, because a
 * crash may leave the network and the records with different registrations.
 */
export const makeEnrollments = Effect.gen(function* () {
  const repo = yield* RegistrationsRepo
  const providers = yield* Providers
  const jobs = yield* Jobs
  const { apart, transaction } = yield* Database

  /** Enqueues a repair, because a network that did not answer may still have made the change. */
  const orderRepair = ({ environment, organization_id, provider }: StoredRegistration) =>
    jobs.offer(EnrollmentRepairQueue, { organization_id, provider, environment }, { delay: repair_delay })

  const networkOf = ({ environment, organization_id, provider }: StoredRegistration) =>
    providers.require(organization_id, provider, environment)

  const asked =
    (call: (provider: Provider, enrollment: Enrollment) => Answer<void>) => (registration: StoredRegistration) =>
      Effect.flatMap(networkOf(registration), (provider) =>
        Effect.andThen(orderRepair(registration), answered(call(provider, enrollmentOf(registration))))
      )

  const settled =
    (call: (provider: Provider, enrollment: Enrollment) => Answer<void>) => (registration: StoredRegistration) =>
      asked(call)(registration).pipe(
        Effect.catchTags({
          NetworkRefused: (error) => Effect.fail(RegistrationRefused.of(error)),
          NetworkUnavailable: (error) => Effect.fail(NetworkFailed.of(error))
        })
      )

  /** Runs one change of an organization's registration at a time, in all processes together. */
  const exclusively =
    <B>(organization_id: OrganizationId, busy: (error: NetworkUnavailable) => B) =>
    <A, E, R>(work: (lease: ChangeLease) => Effect.Effect<A, E, R>): Effect.Effect<A, E | B, R> =>
      Effect.gen(function* () {
        const lease: ChangeLease = { organization_id, holder: yield* newToken("change") }
        const attempt = Effect.acquireUseRelease(
          repo.begin(lease),
          (isOurs) => (isOurs ? Effect.asSome(work(lease)) : Effect.succeed(Option.none<A>())),
          (isOurs) => (isOurs ? repo.end(lease) : Effect.void)
        )
        const deadline_ms = (yield* Clock.currentTimeMillis) + turn_wait_ms_max
        for (;;) {
          const done = yield* attempt
          if (Option.isSome(done)) return done.value
          if ((yield* Clock.currentTimeMillis) > deadline_ms) return yield* Effect.fail(busy(tookTooLong()))
          yield* Effect.sleep(turn_poll_interval)
        }
      })

  const change = <Prepared, Answer, B, E, F, R>(
    organization_id: OrganizationId,
    { ask, busy, commit, prepare }: Change<Prepared, Answer, B, E, F, R>
  ) =>
    exclusively(
      organization_id,
      busy
    )((lease) =>
      Effect.gen(function* () {
        const prepared = yield* transaction(prepare)
        yield* ask(prepared)
        return yield* transaction(
          Effect.gen(function* () {
            if (!(yield* repo.end(lease)))
              return yield* Effect.die(new Error("Another change has taken over the lease."))
            return yield* commit(prepared)
          })
        )
      })
    ).pipe(apart)

  const withdrawn = settled((provider, { organization_id }) => provider.withdraw(organization_id))

  return {
    change,
    exclusively,
    enroll: settled((provider, enrollment) => provider.enroll(enrollment)),
    withdraw: (registration: StoredRegistration) =>
      withdrawn(registration).pipe(
        // An organization must be able to leave a test network that is no longer connected, to join the real network.
        Effect.catchTag("ProviderNotConfigured", (error) =>
          registration.environment === "sandbox" ? Effect.void : Effect.fail(error)
        )
      ),
    update: (registration: StoredRegistration) =>
      asked((provider, enrollment) => provider.update(enrollment))(registration).pipe(
        Effect.catchTags({
          NetworkRefused: (error) => Effect.fail(NetworkUpdateFailed.of(error)),
          NetworkUnavailable: (error) => Effect.fail(NetworkUpdateFailed.of(error))
        })
      )
  }
})

const tookTooLong = () => new NetworkUnavailable({ message: "An earlier change of the registration takes too long." })

/** Treats a late answer as an outage of the network. */
export const answered = (answer: Answer<void>): Answer<void> =>
  Effect.timeoutOrElse(answer, {
    duration: answer_time_limit,
    orElse: () => Effect.fail(new NetworkUnavailable({ message: "The network did not answer in time." }))
  })

export const enrollmentOf = (registration: StoredRegistration): Enrollment => ({
  organization_id: registration.organization_id,
  legal_name: registration.legal_name,
  country_code: registration.country_code,
  identifiers: registration.identifiers.map(({ identifier, scheme }) => ({ scheme, value: identifier })),
  roles: { acts_as_sender: registration.acts_as_sender, acts_as_receiver: registration.acts_as_receiver },
  document_types: registration.document_types,
  routable_from: registration.annuaire_start_date,
  spanish:
    registration.es_sii_registered === null
      ? null
      : { sii_registered: registration.es_sii_registered, foral_territory: registration.es_foral_territory }
})
