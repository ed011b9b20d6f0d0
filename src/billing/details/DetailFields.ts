import { Schema, Struct } from "effect"

/**
 * The optional fields of one kind of document, in every form that a document needs: stored in its `details` column
 * without the fields that are unset, taken from requests, and answered with null for what is unset. Old rows lack the
 * fields that were added after them, so a new field needs no migration.
 */
export const detailFields = <const Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const answered = Struct.map(fields, Schema.NullOr)
  const stored = Schema.Struct(Struct.map(fields, Schema.optionalKey))
  type Answered = Schema.Struct.Type<typeof answered>
  type Stored = typeof stored.Type
  const names = Struct.keys(fields)

  /** Fills in null for what is unset. */
  const answer = (details: Stored): Answered => {
    const values = new Map<PropertyKey, unknown>(Object.entries(details))
    // Boundary: `fromEntries` does not know that these are the fields by name.
    return Object.fromEntries(names.map((name) => [name, values.get(name) ?? null])) as Answered
  }

  /** The details after a change: an absent field stays as it is, null clears it. */
  const change = (details: Stored, changes: { readonly [Name in keyof Fields]?: unknown }): Stored => {
    const changed = new Map<PropertyKey, unknown>(Object.entries(changes))
    const values = Object.entries(answer(details)).map(([name, value]) => [
      name,
      changed.has(name) ? changed.get(name) : value
    ])
    // Boundary: as above.
    return Object.fromEntries(values.filter(([, value]) => value !== null)) as Stored
  }

  return { stored, answered, input: Struct.map(answered, Schema.optionalKey), answer, change }
}
