import { Option, Struct } from "effect"
import { addDays, type Day } from "../../../kernel/Calendar.ts"
import { exponentOf } from "../../../kernel/Currency.ts"
import { formatAmount } from "../../../kernel/Money.ts"
import { counted } from "../../../kernel/Text.ts"
import { ruleBudgets } from "../../rules/RuleMatcher.ts"
import type { PreparedFile } from "../../preparation/Preparations.ts"
import type { ImportSession, Warning } from "../session/ImportSession.ts"
import type { Booked } from "./AutoBooking.ts"

/** Warnings about rules that were not applied to all lines, and about how a CSV file was read. */
export const warningsOf = (file: PreparedFile, today: Day): ReadonlyArray<Warning> => {
  const { refused_rules, slow_rules } = file
  return [
    ...endWarnings(file),
    ...readingWarnings(file),
    ...accountWarnings(file),
    ...dateWarnings(file, today),
    ...stopWarnings(file),
    ...refused_rules.map((rule_id): Warning => {
      const message = `Rule ${rule_id} was not applied, because RE2 does not accept its regular expression.`
      return { code: "rule_not_applied", rule_id, message }
    }),
    ...slow_rules.map((rule_id): Warning => {
      const message =
        `Lines that rule ${rule_id} may concern got no rule, because its regular expressions take more than ` +
        `${ruleBudgets.import.rule_ms_max} ms for a line: simplify them.`
      return { code: "rule_not_applied", rule_id, message }
    })
  ]
}

const stopWarnings = ({ lines_total, rules_stopped, unruled }: PreparedFile): ReadonlyArray<Warning> => {
  if (rules_stopped === null) return []
  const applied = `Rules were applied to ${lines_total - unruled} of ${lines_total} lines, because`
  return rules_stopped === "slow"
    ? [
        {
          code: "rule_budget_exceeded",
          rule_id: null,
          message: `${applied} they take too long: simplify their regular expressions. Bulk confirmation applies rules to the other lines.`
        }
      ]
    : [
        {
          code: "rule_check_unavailable",
          rule_id: null,
          message:
            `${applied} the service was too busy to test regular expressions. The next refresh of suggestions, which ` +
            "usually takes place within a few minutes, suggests rules for the other lines; bulk confirmation applies them."
        }
      ]
}

const endWarnings = ({ ends_early }: PreparedFile): ReadonlyArray<Warning> => {
  if (ends_early === undefined) return []
  const message =
    ends_early === "page"
      ? "The last statement continues on a page that the file lacks (tag 62M instead of 62F): import that page, too."
      : 'The last message of the file lacks its end ("-"), which the other messages have: statements may be missing after it.'
  return [{ code: "may_be_cut_off", rule_id: null, message }]
}

const readingWarnings = ({ reading }: PreparedFile): ReadonlyArray<Warning> => {
  const foreign = Object.entries(reading?.skipped_currencies ?? {}).map(([code, count]) => `${count} in ${code}`)
  const unproved =
    reading?.sign.kind === "columns"
      ? "Only the names of the columns distinguish debits from credits; no balance and no minus sign proves them."
      : "All amounts are positive and nothing proves that they are credits; a mapping with sign.positive says so."
  return [
    ...(reading?.sign.proof === "none" ? [{ code: "sign_unproved" as const, rule_id: null, message: unproved }] : []),
    ...(foreign.length === 0
      ? []
      : [
          {
            code: "other_currency_skipped" as const,
            rule_id: null,
            message: `Rows in other currencies than the account's were skipped: ${foreign.join(", ")}.`
          }
        ])
  ]
}

const accountWarnings = ({ lines_of_others = 0 }: PreparedFile): ReadonlyArray<Warning> => {
  if (lines_of_others === 0) return []
  const message = `Lines of other accounts were skipped: ${lines_of_others}. Import the file for these accounts, too.`
  return [{ code: "other_account_skipped", rule_id: null, message }]
}

/** Banks date movements ahead only over a weekend and holidays. */
const booked_ahead_days_max = 7

const dateWarnings = ({ last_day }: PreparedFile, today: Day): ReadonlyArray<Warning> => {
  if (last_day === null || last_day <= addDays(today, booked_ahead_days_max)) return []
  const message = `The file has a line that is booked on ${last_day}, in the future: check the dates, and undo the import if they are wrong.`
  return [{ code: "dated_in_future", rule_id: null, message }]
}

/** Warns of lines that rules would book, if fewer of them were in one import. */
export const limitWarnings = (unbooked: number): ReadonlyArray<Warning> => {
  if (unbooked === 0) return []
  const message = `Rules did not book ${counted(unbooked, "line", "lines")}, because an import books only so many at once: bulk confirmation books the others.`
  return [{ code: "auto_book_limit", rule_id: null, message }]
}

export const readingOf = ({ reading, shown }: PreparedFile): NonNullable<ImportSession["reading"]> => ({
  csv: reading ?? null,
  lines: shown.map((line) => ({
    ...Struct.omit(line, ["bank_id", "csv"]),
    amount: formatAmount(line.amount, exponentOf(line.currency))
  }))
})

export interface Known {
  readonly summary: ImportSession
  /** True if an earlier attempt of the same request made the import. */
  readonly is_own: boolean
}

/**
 * Returns the stored result of a file that was imported before (rules/banking.md, Imports). If some of its rows could
 * not be read then, only a retry of the same request gets this result. Another request may have a mapping that reads
 * these rows.
 */
export const finished = (known: Option.Option<Known>): Option.Option<ImportSession> =>
  Option.flatMap(known, ({ is_own, summary }) => {
    if (is_own) return Option.some(summary)
    return summary.errors.length === 0 ? Option.some(repeated(summary)) : Option.none()
  })

export const repeated = (session: ImportSession): ImportSession => ({
  ...session,
  duplicate_file: true,
  imported: 0,
  duplicates: session.lines_total,
  suggested: 0,
  auto_booked: 0
})

/** Adds the lines that rules have just booked. */
export const withBooked = (session: ImportSession, { auto_booked, warnings }: Booked): ImportSession => ({
  ...session,
  auto_booked: session.auto_booked + auto_booked,
  // None of the lines of a repeated file counts as new.
  suggested: session.duplicate_file ? 0 : session.suggested - auto_booked,
  ...(warnings.length === 0 ? {} : { warnings: [...(session.warnings ?? []), ...warnings] })
})
