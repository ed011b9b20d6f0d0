import { Context } from "effect"

/**
 * Identity of the work that a request asks for: the same for every repeat of one `Idempotency-Key`, undefined for a
 * request without a key. An effect outside the database (a mail, a submission) is recorded under it, so that a repeat
 * finds what was done instead of doing it again.
 */
export const CurrentOperation = Context.Reference<string | undefined>("invoicing/platform/http/CurrentOperation", {
  defaultValue: () => undefined
})
