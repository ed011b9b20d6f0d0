import { Data } from "effect"

/** No child could be started, or the last ones could not and it is not yet time to try again. */
export class ChildUnavailable extends Data.TaggedError("ChildUnavailable")<{ readonly reason: string }> {}

/** The job took longer than it may; its child was killed. */
export class ChildTimedOut extends Data.TaggedError("ChildTimedOut")<{}> {}

/** The child had ended before it began the job, which is not to blame for that. */
export class ChildGone extends Data.TaggedError("ChildGone")<{ readonly reason: string }> {}

/** The job ended its child (too much memory, a crash), or its handler threw. */
export class ChildFailed extends Data.TaggedError("ChildFailed")<{ readonly reason: string }> {}
