import { Cause, Data } from "effect"

/** A handler fails with it when no other attempt can succeed: the job becomes a dead letter at once. */
export class Hopeless extends Data.TaggedError("Hopeless")<{ readonly cause: unknown }> {}

/** The queue's own failure for an element that it must not try again. Its tag is public, its constructor is not. */
export const deadLetter = (error: Hopeless) => ({
  _tag: "~effect/persistence/PersistedQueue/DeadLetter",
  cause: Cause.fail(error.cause)
})
