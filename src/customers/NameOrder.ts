/** What the columns stand for by which customers and contacts are sorted: `search` begins with the name, folded. */
export const namedBy = (column: string): string => (column === "name" ? "left(search, 200)" : column)
