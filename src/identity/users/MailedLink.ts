import { Data, Schema } from "effect"

/** Minutes for which a link that confirms a new email address is valid. */
export const change_minutes = 30

export const LinkState = Schema.Literals(["open", "used", "replaced", "expired"])
type LinkState = typeof LinkState.Type

/** The link is not valid: its token is unknown, was used, has expired, or ended when the user used another link. */
export class LinkGone extends Data.TaggedError("LinkGone")<{
  readonly reason: "unknown" | Exclude<LinkState, "open">
}> {}
