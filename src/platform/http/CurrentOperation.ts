import { Context } from "effect"

/**
 * Identity of the work that a request starts: equal for every retry with one `Idempotency-Key`, undefined without a
 * key. An effect outside the database (a mail, a submission) is recorded under this identity, so that a retry finds the
 * effect instead of causing it again.
 */
export const CurrentOperation = Context.Reference<string | undefined>("invoicing/platform/http/CurrentOperation", {
  defaultValue: () => undefined
})
