import { Context } from "effect"

/**
 * Identity of the operation that a request performs: equal for every retry with one `Idempotency-Key`, undefined
 * without a key. Effects outside the database (e.g. a mail) are recorded under this identity, so that a retry finds the
 * effect instead of causing it again.
 */
export const CurrentOperation = Context.Reference<string | undefined>("invoicing/platform/http/CurrentOperation", {
  defaultValue: () => undefined
})
