import { Clock, Duration, Effect, Option, Stream, Struct } from "effect"
import {
  type NetworkRefused,
  NetworkUnavailable,
  type Provider,
  type ReceivedPayment,
  type Reporting,
  type SentPayment,
  type StoredArrival
} from "./Provider.ts"

interface Health {
  /** Records that the provider answered; a refusal also counts as an answer. */
  readonly answered: Effect.Effect<void>
  /** With `retry_after_seconds`, no request is made for that time. */
  readonly failed: (error: NetworkUnavailable) => Effect.Effect<void>
}

/** Time after which a failed call counts as silence of the provider. A provider that answers never takes so long. */
const silence_ms = 30_000
/** Pause after silence, so that the jobs of other organizations get their turn meanwhile. */
const silence_pause_seconds = 60

/** Maximum time in which one run waits for the documents of a provider. The next run collects the others. */
const arrivals_wait_max = Duration.minutes(3)
const slow = new NetworkUnavailable({ message: "The provider delivers its documents too slowly." })

/**
 * Fails once the waiting for documents exceeds its limit. The time in which the documents are used does not count,
 * because it is not due to the provider.
 */
const limited = <A>(arrivals: Stream.Stream<A, NetworkUnavailable>) =>
  Stream.transformPull(arrivals, (pull) =>
    Effect.sync(() => {
      let left = arrivals_wait_max
      const wait = Effect.suspend(() => Effect.timeoutOrElse(pull, { duration: left, orElse: () => Effect.fail(slow) }))
      return Effect.map(Effect.timed(wait), ([waited, found]) => {
        left = Duration.subtract(left, waited)
        return found
      })
    })
  )

/**
 * Records the outcome of each call except lookups and offline calls, and makes no such call during a pause that the
 * provider requested or that follows its silence.
 */
export const observed = (provider: Provider, health: Health, pause: Option.Option<NetworkUnavailable>): Provider => {
  let paused = pause

  const failed = ({ message, retry_after_seconds }: NetworkUnavailable, after_ms: number) => {
    const seconds = retry_after_seconds ?? (after_ms > silence_ms ? silence_pause_seconds : undefined)
    if (seconds === undefined) return health.failed(new NetworkUnavailable({ message }))
    const error = new NetworkUnavailable({ message, retry_after_seconds: seconds })
    // From now on, `watched` fails every further call of the work in progress with this error.
    paused = Option.some(error)
    return health.failed(error)
  }

  const watched = <A, E extends NetworkRefused | NetworkUnavailable>(
    call: Effect.Effect<A, E>
  ): Effect.Effect<A, E | NetworkUnavailable> =>
    Effect.gen(function* () {
      if (Option.isSome(paused)) return yield* paused.value
      const begun_ms = yield* Clock.currentTimeMillis
      return yield* call.pipe(
        Effect.tap(health.answered),
        Effect.tapError((error: NetworkRefused | NetworkUnavailable) =>
          error._tag === "NetworkUnavailable"
            ? Effect.flatMap(Clock.currentTimeMillis, (now_ms) => failed(error, now_ms - begun_ms))
            : health.answered
        )
      )
    })

  const unlessPaused = Effect.suspend(() => (Option.isSome(paused) ? Effect.fail(paused.value) : Effect.void))

  /** Reading a stream takes many requests, so its duration before a failure is not silence of the provider. */
  const watchedStream = <A>(stream: Stream.Stream<A, NetworkUnavailable>) =>
    Stream.fromEffect(unlessPaused).pipe(
      Stream.flatMap(() =>
        limited(stream).pipe(
          Stream.onEnd(health.answered),
          Stream.tapError((error) => failed(error, 0))
        )
      ),
      // Using a document also makes calls, after which the provider may have requested a pause.
      Stream.tap(() => unlessPaused)
    )

  const { cancel, compare, reporting, reportPayment, takeInCharge, tellPayment } = provider
  const watchedReporting = ({ statuses, submit, verdict, ...settings }: Reporting): Reporting => ({
    ...settings,
    submit: (report) => watched(submit(report)),
    verdict: (transmission_id) => watched(verdict(transmission_id)),
    statuses: (transmission_id, since) => watched(statuses(transmission_id, since))
  })
  const all: Provider = {
    ...provider,
    reportPayment: reportPayment && ((payment: ReceivedPayment) => watched(reportPayment(payment))),
    ...(cancel === undefined ? {} : { cancel: (...given: Parameters<typeof cancel>) => watched(cancel(...given)) }),
    ...(compare === undefined ? {} : { compare: (month: string) => watched(compare(month)) }),
    ...(reporting === undefined ? {} : { reporting: watchedReporting(reporting) }),
    check: watched(provider.check),
    submit: (transmission) => watched(provider.submit(transmission)),
    enroll: (enrollment) => watched(provider.enroll(enrollment)),
    update: (enrollment) => watched(provider.update(enrollment)),
    withdraw: (organization_id) => watched(provider.withdraw(organization_id)),
    poll: (transmission_id, document) => watched(provider.poll(transmission_id, document)),
    arrivals: watchedStream(provider.arrivals),
    tellPayment: tellPayment && ((payment: SentPayment) => watched(tellPayment(payment))),
    takeInCharge: takeInCharge && ((arrival: StoredArrival) => watched(takeInCharge(arrival))),
    confirm: (arrival) => watched(provider.confirm(arrival)),
    respond: (response) => watched(provider.respond(response))
  }
  return { ...all, ...Struct.pick(provider, provider.offline ?? []) }
}
