import { Context } from "effect"

/**
 * Identity of the work that a request asks for: equal for every repeat of one `Idempotency-Key`, undefined without a
 * key. An effect outside the database (a mail, a submission) is recorded under it, so that a repeat finds the effect
 * instead of causing it again.
 */
export const CurrentOperation = Context.Reference<string | undefined>("invoicing/platform/http/CurrentOperation", {
  defaultValue: () => undefined
})
