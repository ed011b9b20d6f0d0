import { Effect } from "effect"
import { BooksLocked } from "../kernel/BooksLocked.ts"
import type { Day } from "../kernel/Calendar.ts"
import { CurrentOrganization } from "../platform/http/Security.ts"

/**
 * Refuses a record dated on or before the lock date. When the audit log appends the entry of the write, it checks that
 * the lock date has not changed.
 */
export const requireOpenBooks = Effect.fnUntraced(function* (...days: ReadonlyArray<Day | null>) {
  const { books_locked_until } = (yield* CurrentOrganization).settings
  if (books_locked_until === undefined) return
  if (days.some((day) => day !== null && day <= books_locked_until)) return yield* BooksLocked.of(books_locked_until)
})
