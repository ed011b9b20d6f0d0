import { Schema, Struct } from "effect"
import { describedOrNull } from "../../kernel/Described.ts"

/**
 * Schemas of optional fields. The column `details` stores the fields that are set; responses have null for the rest.
 */
export const detailFields = <const Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const answered = Struct.map(fields, describedOrNull)
  const stored = Schema.Struct(Struct.map(fields, Schema.optionalKey))
  type Answered = Schema.Struct.Type<typeof answered>
  type Stored = typeof stored.Type
  const names = Struct.keys(fields)

  const answer = (details: Stored): Answered => {
    const values = new Map<PropertyKey, unknown>(Object.entries(details))
    // Boundary: the type of `fromEntries` does not contain the field names.
    return Object.fromEntries(names.map((name) => [name, values.get(name) ?? null])) as Answered
  }

  /** Applies a change to the details: an absent field stays unchanged, null clears the field. */
  const change = (details: Stored, changes: { readonly [Name in keyof Fields]?: unknown }): Stored => {
    const changed = new Map<PropertyKey, unknown>(Object.entries(changes))
    const values = Object.entries(answer(details)).map(([name, value]) => [
      name,
      changed.has(name) ? changed.get(name) : value
    ])
    // Boundary: the type of `fromEntries` does not contain the field names.
    return Object.fromEntries(values.filter(([, value]) => value !== null)) as Stored
  }

  return { stored, answered, input: Struct.map(answered, Schema.optionalKey), answer, change }
}
