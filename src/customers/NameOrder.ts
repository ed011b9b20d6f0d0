/** Returns the sort key of customers and contacts: the first line of `search` is the name without case and accents. */
export const namedBy = (column: string): string =>
  column === "name" ? "left(split_part(search, chr(10), 1), 200)" : column
