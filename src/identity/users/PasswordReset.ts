import { Data, Schema } from "effect"

/** Minutes for which a link that confirms a new email address is valid. */
export const change_minutes = 30

export const ResetState = Schema.Literals(["open", "used", "expired"])
type ResetState = typeof ResetState.Type

/** The link is not valid: its token is unknown, was used, or has expired. */
export class ResetGone extends Data.TaggedError("ResetGone")<{
  readonly reason: "unknown" | Exclude<ResetState, "open">
}> {}
