import { Effect, Semaphore } from "effect"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type Answer, type Enrollment, NetworkUnavailable, type Provider, Providers } from "../providers/Provider.ts"
import { EnrollmentRepairQueue, repair_delay } from "./EnrollmentQueue.ts"
import type { StoredRegistration } from "./Registration.ts"
import { NetworkFailed, NetworkUpdateFailed, RegistrationRefused } from "./RegistrationErrors.ts"

/**
 * The time limit for an answer of the network. It is well below the idle timeout of transactions, because a row is
 * locked meanwhile.
 */
const answer_time_limit = "10 seconds"

/** The most changes that wait for a network at the same time, each of which holds a database connection. */
const changes_at_once_max = 2

/** Makes changes that a network must accept. The row stays locked until the network has answered. */
export const makeEnrollments = Effect.gen(function* () {
  const providers = yield* Providers
  const jobs = yield* Jobs
  const { apart } = yield* Database
  const turns = yield* Semaphore.make(changes_at_once_max)

  /** Orders a repair outside of the transaction, so that it happens even when only the network makes the change. */
  const orderRepair = ({ organization_id, provider }: StoredRegistration) =>
    apart(jobs.offer(EnrollmentRepairQueue, { organization_id, provider }, { delay: repair_delay }))

  const asked =
    (call: (provider: Provider, enrollment: Enrollment) => Answer<void>) => (registration: StoredRegistration) =>
      Effect.flatMap(providers.require(registration.provider), (provider) =>
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

  return {
    enroll: settled((provider, enrollment) => provider.enroll(enrollment)),
    withdraw: settled((provider, { organization_id }) => provider.withdraw(organization_id)),
    update: (registration: StoredRegistration) =>
      asked((provider, enrollment) => provider.update(enrollment))(registration).pipe(
        Effect.catchTags({
          NetworkRefused: (error) => Effect.fail(NetworkUpdateFailed.of(error)),
          NetworkUnavailable: (error) => Effect.fail(NetworkUpdateFailed.of(error))
        })
      ),
    /** Limits concurrent changes. Must wrap the whole transaction, so that a waiting change holds no connection. */
    inTurn: turns.withPermits(1)
  }
})

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
