import { Effect, Semaphore } from "effect"
import { Jobs } from "../../platform/jobs/Jobs.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type Answer, type Enrollment, NetworkUnavailable, type Provider, Providers } from "../providers/Provider.ts"
import { EnrollmentRepairQueue, repair_delay } from "./EnrollmentQueue.ts"
import type { StoredRegistration } from "./Registration.ts"
import { NetworkFailed, NetworkUpdateFailed, RegistrationRefused } from "./RegistrationErrors.ts"

/** Of the network's answer. A row is locked meanwhile, so it is well below what the database lets a transaction idle. */
const answer_time_limit = "10 seconds"

/** Each holds a connection while it waits for the network. */
const changes_at_once_max = 2

/** How a change that the network has a say in is made: the row stays locked until the network has answered. */
export const makeEnrollments = Effect.gen(function* () {
  const providers = yield* Providers
  const jobs = yield* Jobs
  const { apart } = yield* Database
  const turns = yield* Semaphore.make(changes_at_once_max)

  /** The order stands whatever becomes of the change: nobody knows yet whether both sides will have made it. */
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
    /** Around the transaction of such a change, so that those that wait for their turn hold no connection. */
    inTurn: turns.withPermits(1)
  }
})

/** No answer in time is none. */
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
