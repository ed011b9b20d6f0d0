/** Returns the values inside a value of any depth as texts, each with its path. */
export const leavesOf = (value: unknown, path = ""): ReadonlyArray<readonly [path: string, text: string]> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}/${key}`))
    : [[path, String(value)]]
