import { Cause, Data } from "effect"

/** A handler fails with this error when no further attempt can succeed: the job becomes a dead letter immediately. */
export class PermanentFailure extends Data.TaggedError("PermanentFailure")<{ readonly cause: unknown }> {}

/** Builds the queue's own error by hand, because only its tag is public, not its constructor. */
export const deadLetter = (error: PermanentFailure) => ({
  _tag: "~effect/persistence/PersistedQueue/DeadLetter",
  cause: Cause.fail(error.cause)
})
