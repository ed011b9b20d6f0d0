/**
 * Lists the columns of a record for a SELECT. The list follows the fields of the record's schema, so a new field cannot
 * be missing. `computed` holds the expressions of fields that are not columns of the table.
 */
export const columnsOf = (
  alias: string,
  fields: Readonly<Record<string, unknown>>,
  computed: Readonly<Record<string, string>> = {}
): string =>
  Object.keys(fields)
    .map((name) => `${computed[name] ?? `${alias}.${name}`} as ${name}`)
    .join(", ")

/**
 * Formats an array parameter of ids as text. The driver would infer the type of an array from its numbers, and refuses
 * an array whose numbers lie on both sides of 2^31.
 */
export const bigints = (ids: ReadonlyArray<number>) => `{${ids.join(",")}}`
