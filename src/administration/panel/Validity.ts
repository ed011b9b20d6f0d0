import { DateTime, Effect } from "effect"
import { Timestamp } from "../../kernel/Calendar.ts"

const days_choices = [30, 90, 365] as const

export const validities = [
  { value: "", label: "Until it is revoked" },
  ...days_choices.map((days) => ({ value: String(days), label: `${days} days` }))
]

export const endOf = Effect.fnUntraced(function* (choice: string | null) {
  const days = days_choices.find((days) => String(days) === choice)
  if (days === undefined) return null
  return Timestamp.make(DateTime.formatIso(DateTime.add(yield* DateTime.now, { days })))
})
