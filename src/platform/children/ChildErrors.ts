import { Data } from "effect"

/** No child could be started, or the pause after failed starts is not over. */
export class ChildUnavailable extends Data.TaggedError("ChildUnavailable")<{ readonly reason: string }> {}

/**
 * The job exceeded its limit of time or of processor time (`cpu`), and its child was killed. Only the latter proves
 * that the job is to blame: on a busy machine, any job may take long.
 */
export class ChildTimedOut extends Data.TaggedError("ChildTimedOut")<{ readonly limit: "time" | "cpu" }> {}

/** The child exited before it began the job, so the job is not to blame. */
export class ChildGone extends Data.TaggedError("ChildGone")<{ readonly reason: string }> {}

/**
 * The handler of the job threw, the child exceeded its memory limit or crashed, or the child ended for another reason. In the
 * last case the job may not be to blame: the system may have killed the child.
 */
export class ChildFailed extends Data.TaggedError("ChildFailed")<{
  readonly cause: "thrown" | "memory" | "ended"
  readonly reason: string
}> {}
