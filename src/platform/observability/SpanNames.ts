const written =
  /\b(?:(insert)\s+into|(delete)\s+from|(?<!for\s)(?<!for\sno\skey\s)(update))\s+(?!set\b)"?([a-z_][\w.]*)/i
const defined =
  /^\s*(create|alter|drop)\s+(?:(?:or\s+replace|unique|unlogged|temporary|materialized|constraint)\s+)*([a-z]+)\s+(?:if\s+(?:not\s+)?exists\s+)?(?:only\s+)?"?([a-z_][\w.]*)/i
const read = /\bfrom\s+"?([a-z_][\w.]*)/i
/**
 * Maximum number of characters of a statement that are searched for its name. Longer statements have long lists of
 * columns, which do not affect the name.
 */
const characters_max = 20_000

/** Returns a name such as `SELECT invoices` or `CREATE TABLE quotes`, as the semantic conventions for databases require. */
export const statementName = (text: string): string => {
  const part = text.slice(0, characters_max)
  const [, definition, kind = "", name = ""] = defined.exec(part) ?? []
  if (definition !== undefined) return `${definition.toUpperCase()} ${kind.toUpperCase()} ${name}`
  const [, insert, remove, update, table = ""] = written.exec(part) ?? []
  const verb = insert ?? remove ?? update
  if (verb !== undefined) return `${verb.toUpperCase()} ${table}`
  const [, source] = read.exec(part) ?? []
  return source === undefined ? (part.trim().split(/\s/, 1)[0] ?? "").toUpperCase() : `SELECT ${source}`
}

/** Removes the values of the query parameters, because they may be names or account numbers. */
export const withoutValues = (query: string): string => query.replace(/=[^&#]*/g, "=REDACTED")
