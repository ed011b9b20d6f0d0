import { Data } from "effect"

/** The link opens no document: it never existed, has expired, was revoked, or its document was withdrawn. */
export class PortalClosed extends Data.TaggedError("PortalClosed")<{
  readonly reason: "unknown" | "expired" | "revoked" | "withdrawn"
}> {}

/** E.g. because the quote changed since the page was shown, so the customer has to look at it again. */
export class AnswerRefused extends Data.TaggedError("AnswerRefused") {}
