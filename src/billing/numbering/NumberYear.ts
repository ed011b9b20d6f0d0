import { Effect } from "effect"
import { type Day, yearOf } from "../../kernel/Calendar.ts"
import { ValidationFailed } from "../../kernel/Refusal.ts"

interface Dated {
  readonly number: string | null
  readonly issue_date: Day
}

/** Refuses another year for a document with a number, because a number belongs to the series of one year. */
export const requireYearOfNumber = ({ issue_date, number }: Dated, changed: Dated, remedy: string) => {
  const year = yearOf(issue_date)
  return number === null || yearOf(changed.issue_date) === year
    ? Effect.void
    : Effect.fail(
        ValidationFailed.field("issue_date", `must stay in ${year}, the year of the number ${number}: ${remedy}.`)
      )
}
