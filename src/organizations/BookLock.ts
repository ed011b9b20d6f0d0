import { Effect } from "effect"
import { BooksLocked } from "../kernel/BooksLocked.ts"
import type { Day } from "../kernel/Calendar.ts"
import { CurrentOrganization } from "../platform/http/Security.ts"

/**
 * Refuses a record dated on or before the lock date. The lock date may change before the record is saved, so the audit
 * log checks it again when it appends the entry about the record.
 */
export const requireOpenBooks = Effect.fnUntraced(function* (...days: ReadonlyArray<Day | null>) {
  const { books_locked_until } = (yield* CurrentOrganization).settings
  if (books_locked_until === undefined) return
  if (days.some((day) => day !== null && day <= books_locked_until)) return yield* BooksLocked.of(books_locked_until)
})
