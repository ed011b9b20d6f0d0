import { Struct } from "effect"
import type { Fragment } from "effect/sql/Statement"

/** Returns the conditions of the filters that have a value. A query lacks the filters that its client did not send. */
export const conditionsOf = <Query extends object>(
  query: Query,
  conditions: { readonly [Name in keyof Query]?: (value: Query[Name] & ({} | null)) => Fragment }
): ReadonlyArray<Fragment> =>
  Struct.keys(conditions).flatMap((name) => {
    const [value, condition] = [query[name], conditions[name]]
    return value === undefined || condition === undefined ? [] : [condition(value)]
  })
