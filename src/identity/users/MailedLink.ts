import { Data, Effect, Schema } from "effect"
import { HttpRouter } from "effect/http"

/** Minutes for which a link that confirms a new email address is valid. */
export const change_minutes = 30

export const LinkState = Schema.Literals(["open", "used", "expired"])
type LinkState = typeof LinkState.Type

/** The token in the path of a link. */
export const tokenOfLink = Effect.map(HttpRouter.params, ({ token = "" }) => token)

/** The link is not valid: its token is unknown, was used, or has expired. */
export class LinkGone extends Data.TaggedError("LinkGone")<{
  readonly reason: "unknown" | Exclude<LinkState, "open">
}> {}
