import { Clock, Effect, Option } from "effect"
import type { Arrival } from "./Arrival.ts"
import {
  type NetworkRefused,
  NetworkUnavailable,
  type Provider,
  type ReceivedPayment,
  type Reporting,
  type SentPayment,
  type Transmission
} from "./Provider.ts"

interface Health {
  /** Records that the provider answered; a refusal also counts as an answer. */
  readonly answered: Effect.Effect<void>
  readonly failed: (error: NetworkUnavailable, after_ms: number) => Effect.Effect<void>
}

/** Maximum time of a collection, which makes many requests. The next one continues where it ended. */
const arrivals_time_limit = "4 minutes"
const slow = new NetworkUnavailable({ message: "The provider answers too slowly." })

/**
 * Records the outcome of each call except a lookup, and makes no such call during a pause that the provider requested or
 * that follows its silence.
 */
export const observed = (provider: Provider, health: Health, pause: Option.Option<NetworkUnavailable>): Provider => {
  const watched = <A, E extends NetworkRefused | NetworkUnavailable>(call: Effect.Effect<A, E>) =>
    Option.isSome(pause)
      ? Effect.fail(pause.value)
      : Effect.flatMap(Clock.currentTimeMillis, (begun_ms) =>
          call.pipe(
            Effect.tap(health.answered),
            Effect.tapError((error: NetworkRefused | NetworkUnavailable) =>
              error._tag === "NetworkUnavailable"
                ? Effect.flatMap(Clock.currentTimeMillis, (now_ms) => health.failed(error, now_ms - begun_ms))
                : health.answered
            )
          )
        )
  const { cancel, compare, reporting, reportPayment, takeInCharge, tellPayment } = provider
  const watchedReporting = ({ statuses, submit, verdict, ...settings }: Reporting): Reporting => ({
    ...settings,
    submit: (report) => watched(submit(report)),
    verdict: (transmission_id) => watched(verdict(transmission_id)),
    statuses: (transmission_id, since) => watched(statuses(transmission_id, since))
  })
  const asking = {
    ...provider,
    reportPayment: reportPayment && ((payment: ReceivedPayment) => watched(reportPayment(payment))),
    ...(cancel === undefined ? {} : { cancel: (...given: Parameters<typeof cancel>) => watched(cancel(...given)) }),
    ...(compare === undefined ? {} : { compare: (month: string) => watched(compare(month)) }),
    ...(reporting === undefined ? {} : { reporting: watchedReporting(reporting) }),
    check: watched(provider.check),
    submit: (transmission: Transmission) => watched(provider.submit(transmission))
  }
  if (provider.submits_only === true) return asking
  return {
    ...asking,
    enroll: (enrollment) => watched(provider.enroll(enrollment)),
    update: (enrollment) => watched(provider.update(enrollment)),
    withdraw: (organization_id) => watched(provider.withdraw(organization_id)),
    poll: (transmission_id, document) => watched(provider.poll(transmission_id, document)),
    arrivals: watched(
      Effect.timeoutOrElse(provider.arrivals, { duration: arrivals_time_limit, orElse: () => Effect.fail(slow) })
    ),
    tellPayment: tellPayment && ((payment: SentPayment) => watched(tellPayment(payment))),
    takeInCharge: takeInCharge && ((arrival: Pick<Arrival, "transmission_id">) => watched(takeInCharge(arrival))),
    confirm: (arrival) => watched(provider.confirm(arrival)),
    respond: (response) => watched(provider.respond(response))
  }
}
