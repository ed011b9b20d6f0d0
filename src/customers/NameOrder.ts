/** What customers and contacts are sorted by: the name without case and accents is the first line of `search`. */
export const namedBy = (column: string): string =>
  column === "name" ? "left(split_part(search, chr(10), 1), 200)" : column
