import { Data } from "effect"

/** The link opens no document: it never existed, has expired, was revoked, or its document was withdrawn. */
export class PortalClosed extends Data.TaggedError("PortalClosed")<{
  readonly reason: "unknown" | "expired" | "revoked" | "withdrawn"
}> {}

/** The answer was not recorded, e.g. because the quote has changed. The customer has to look at the quote again. */
export class AnswerRefused extends Data.TaggedError("AnswerRefused") {}
