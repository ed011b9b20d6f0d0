import { Effect, Equal } from "effect"
import { ValidationFailed } from "./Refusal.ts"

/**
 * Returns the fields of a PUT that change something. A `fixed` field may only have the current value. In the PUT, null
 * also stands for an empty list, for empty metadata, and for a field that the record does not have.
 */
export const changesTo = <Sent extends object, const Fixed extends keyof Sent & string = never>(
  record: { readonly [Key in keyof Sent]?: unknown },
  sent: Sent,
  fixed: ReadonlyArray<Fixed> = []
): Effect.Effect<Partial<Omit<Sent, Fixed>>, ValidationFailed> => {
  const current = new Map<string, unknown>(Object.entries(record))
  const changed = Object.entries(sent).filter(([field, value]) => !isStored(value, current.get(field)))
  const refused = changed.filter(([field]) => fixed.some((name) => name === field))
  if (refused.length > 0) {
    const errors = refused.map(([field]) => [field, [`The ${field} field cannot be changed.`]])
    return Effect.fail(ValidationFailed.of(Object.fromEntries(errors)))
  }
  // Boundary: the entries are fields of `sent`, which the type of `fromEntries` cannot express.
  return Effect.succeed(Object.fromEntries(changed) as Partial<Omit<Sent, Fixed>>)
}

const isStored = (sent: unknown, stored: unknown): boolean =>
  Equal.equals(sent, stored) || (sent === null && isEmpty(stored))

const isEmpty = (stored: unknown): boolean =>
  stored === undefined || (typeof stored === "object" && stored !== null && Object.keys(stored).length === 0)

/** If this is true, the record keeps its version, and no event and no audit entry are written. */
export const isUnchanged = (changes: object): boolean => Object.keys(changes).length === 0
