/** Returns the columns of a SELECT for a record's schema. `computed` has the expressions of fields without a column. */
export const columnsOf = (
  alias: string,
  fields: Readonly<Record<string, unknown>>,
  computed: Readonly<Record<string, string>> = {}
): string =>
  Object.keys(fields)
    .map((name) => `${computed[name] ?? `${alias}.${name}`} as ${name}`)
    .join(", ")

/** Writes ids as text: the driver would refuse an array whose numbers lie on both sides of 2^31. */
export const bigints = (ids: ReadonlyArray<number>) => `{${ids.join(",")}}`
