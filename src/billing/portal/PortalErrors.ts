import { Data } from "effect"

/** The link opens nothing: it never did, is too old, was taken back, or its document is not there any more. */
export class PortalClosed extends Data.TaggedError("PortalClosed")<{
  readonly reason: "unknown" | "expired" | "revoked" | "withdrawn"
}> {}

/** The document changed since the page was shown, or was answered already: it has to be looked at again. */
export class AnswerRefused extends Data.TaggedError("AnswerRefused") {}
