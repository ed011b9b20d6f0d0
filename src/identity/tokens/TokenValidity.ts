import { Duration, Effect } from "effect"
import { timestampAfter } from "../../kernel/Calendar.ts"

/** Choices of the forms that issue a token. Any other choice makes a token without an end. */
export const validity_days = [30, 90, 365] as const

/** The end of a token that is issued now; null if it has none. */
export const endOf = Effect.fnUntraced(function* (choice: string | null) {
  const days = validity_days.find((days) => String(days) === choice)
  if (days === undefined) return null
  return yield* timestampAfter(Duration.days(days))
})
