import { Clock, Context, Data, DateTime, Duration, Effect, Layer, Option } from "effect"
import { now, type Timestamp } from "../../kernel/Calendar.ts"
import { Database } from "../../platform/sql/Database.ts"
import { type Acceptance, type NetworkRefused, NetworkUnavailable } from "./Provider.ts"
import { type Attempt, type SubmissionKey, SubmissionsOnceRepo } from "./SubmissionsOnceRepo.ts"

/**
 * Time after an attempt in which the request may still be in progress. Only after this time does a document that the
 * provider does not have count as never submitted.
 */
const unsettled_max = Duration.minutes(10)

/** The request may have reached the provider, but its outcome is unknown. */
export class OutcomeUnknown extends Data.TaggedError("OutcomeUnknown")<{ readonly message: string }> {}

interface Submission {
  readonly key: SubmissionKey
  /** The bytes of a message that is not archived before it is sent. */
  readonly content?: Uint8Array | undefined
  /** Submits the document. `NetworkUnavailable` means that the provider certainly does not have it. */
  readonly send: Effect.Effect<Acceptance, NetworkRefused | NetworkUnavailable | OutcomeUnknown>
  /** Finds a document that an attempt since this time has submitted. */
  readonly recover: (since: Timestamp) => Effect.Effect<Option.Option<Acceptance>, NetworkUnavailable>
}

/** Submits documents once to a provider that would treat a repeated submission as a second document. */
export class SubmissionsOnce extends Context.Service<
  SubmissionsOnce,
  {
    readonly submit: (submission: Submission) => Effect.Effect<Acceptance, NetworkRefused | NetworkUnavailable>
    /** True if the provider has the document, or may have it because the outcome of an attempt is unknown. */
    readonly isAttempted: (key: SubmissionKey) => Effect.Effect<boolean>
    readonly reference: (key: SubmissionKey) => Effect.Effect<Option.Option<string>>
    /** The bytes of the latest attempt, for a submission with `content`. */
    readonly content: (key: SubmissionKey) => Effect.Effect<Option.Option<Uint8Array>>
  }
>()("invoicing/einvoicing/providers/SubmissionsOnce") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* SubmissionsOnceRepo
      const { apart } = yield* Database

      const settled = Effect.fnUntraced(function* (key: SubmissionKey, acceptance: Acceptance) {
        yield* repo.settle({ ...key, reference: acceptance.reference, accepted_at: acceptance.at })
        return acceptance
      })

      const sent = Effect.fnUntraced(function* ({ content, key, send }: Submission, previous: Timestamp | null) {
        const attempted_at = yield* now
        const begun = yield* repo.begin({ ...key, attempted_at, content: content ?? null, previous })
        if (Option.isNone(begun)) return yield* unsettled
        const acceptance = yield* send.pipe(
          Effect.tapError((error) =>
            error._tag === "OutcomeUnknown" ? Effect.void : repo.drop({ ...key, attempted_at })
          ),
          Effect.catchTags({
            NetworkUnavailable: ({ message, retry_after_seconds: after }) =>
              Effect.fail(
                new NetworkUnavailable({
                  message,
                  is_unsent: true,
                  ...(after === undefined ? {} : { retry_after_seconds: after })
                })
              ),
            OutcomeUnknown: ({ message }) => Effect.fail(new NetworkUnavailable({ message }))
          })
        )
        return yield* settled(key, acceptance)
      })

      const reconciled = Effect.fnUntraced(function* (submission: Submission, earlier: Attempt) {
        const { key, recover } = submission
        if (earlier.reference !== null && earlier.accepted_at !== null) {
          return { reference: earlier.reference, at: earlier.accepted_at, exchange: null }
        }
        const found = yield* recover(earlier.attempted_at)
        if (Option.isSome(found)) return yield* settled(key, found.value)
        const age_ms =
          (yield* Clock.currentTimeMillis) - DateTime.toEpochMillis(DateTime.makeUnsafe(earlier.attempted_at))
        if (age_ms > Duration.toMillis(unsettled_max)) return yield* sent(submission, earlier.attempted_at)
        return yield* unsettled
      })

      const submit = Effect.fn("SubmissionsOnce.submit")(function* (submission: Submission) {
        const earlier = yield* repo.find(submission.key)
        return yield* Option.isNone(earlier) ? sent(submission, null) : reconciled(submission, earlier.value)
      }, apart)

      const isAttempted = Effect.fn("SubmissionsOnce.isAttempted")(function* (key: SubmissionKey) {
        return Option.isSome(yield* repo.find(key))
      }, apart)

      const reference = Effect.fn("SubmissionsOnce.reference")(function* (key: SubmissionKey) {
        return Option.flatMapNullishOr(yield* repo.find(key), ({ reference }) => reference)
      }, apart)

      const content = Effect.fn("SubmissionsOnce.content")(function* (key: SubmissionKey) {
        return Option.flatMap(yield* repo.find(key), ({ content }) => Option.fromNullishOr(content))
      }, apart)

      return SubmissionsOnce.of({ submit, isAttempted, reference, content })
    })
  ).pipe(Layer.provide(SubmissionsOnceRepo.layer))
}

const unsettled = new NetworkUnavailable({ message: "The outcome of an earlier attempt is not known yet." })
