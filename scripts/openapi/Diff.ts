interface Change {
  readonly breaking: boolean
  readonly what: string
}

interface Node {
  readonly [key: string]: unknown
}

const nodeOf = (value: unknown): Node =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const breaking = (what: string): Change => ({ breaking: true, what })
const compatible = (what: string): Change => ({ breaking: false, what })

/** Clients write requests and read answers, so a change may break only one of the two. */
type Direction = "request" | "answer"

const resolved = (document: unknown) => {
  const follow = (value: unknown): Node => {
    const { $ref } = nodeOf(value)
    if (typeof $ref !== "string") return nodeOf(value)
    const path = $ref.split("/").slice(1)
    return follow(path.reduce<unknown>((node, key) => nodeOf(node)[key], document))
  }
  return follow
}

const keysOf = (left: Node, right: Node) => ({
  lost: Object.keys(left).filter((key) => !(key in right)),
  added: Object.keys(right).filter((key) => !(key in left)),
  kept: Object.keys(left).filter((key) => key in right)
})

/** Returns the alternatives of a schema (`anyOf`, `oneOf`), by their `$ref` or else by their index. */
const members = (schema: Node): Node =>
  Object.fromEntries(
    [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])].map((member, index) => [
      typeof nodeOf(member)["$ref"] === "string" ? nodeOf(member)["$ref"] : index,
      member
    ])
  )

const typesOf = (schema: Node) =>
  Array.isArray(schema["type"])
    ? schema["type"].map(String).toSorted((left, right) => (left < right ? -1 : 1))
    : [schema["type"]]

const values = (left: Node, right: Node, place: string, direction: Direction): ReadonlyArray<Change> => {
  const [old, now] = [listOf(left["enum"]).map(String), listOf(right["enum"]).map(String)]
  if (old.length === 0 && now.length === 0) return []
  if (old.length === 0) return [(direction === "request" ? breaking : compatible)(`${place}: now has listed values`)]
  if (now.length === 0) return [compatible(`${place}: accepts more than the listed values`)]
  return [
    ...old.filter((value) => !now.includes(value)).map((value) => breaking(`${place}: value ${value} removed`)),
    // New values do not break clients, because the guides tell clients to expect them.
    ...now.filter((value) => !old.includes(value)).map((value) => compatible(`${place}: value ${value} added`))
  ]
}

const bounds = (left: Node, right: Node, place: string): ReadonlyArray<Change> =>
  [
    ["maximum", -1],
    ["maxLength", -1],
    ["maxItems", -1],
    ["minimum", 1],
    ["minLength", 1],
    ["minItems", 1]
  ].flatMap(([key, sign]) => {
    const [old, now] = [left[String(key)], right[String(key)]]
    if (old === now || now === undefined) return []
    const isTighter = old === undefined || (Number(now) - Number(old)) * Number(sign) > 0
    return isTighter ? [breaking(`${place}: ${key} ${typeof old === "number" ? old : "none"} -> ${Number(now)}`)] : []
  })

const flat = (document: unknown) =>
  Object.fromEntries(
    Object.entries(nodeOf(nodeOf(document)["paths"])).flatMap(([path, item]) =>
      Object.entries(nodeOf(item)).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, nodeOf(operation)])
    )
  )

/** Compares two API documents as a client sees them. Descriptions and examples do not count. */
export const changesBetween = (before: unknown, after: unknown): ReadonlyArray<Change> => {
  const [was, is] = [resolved(before), resolved(after)]
  const seen = new Set<string>()

  const properties = (left: Node, right: Node, place: string, direction: Direction): ReadonlyArray<Change> => {
    const [old, now] = [nodeOf(left["properties"]), nodeOf(right["properties"])]
    const { added, kept, lost } = keysOf(old, now)
    const needed = (schema: Node, key: string) => listOf(schema["required"]).includes(key)
    return [
      ...lost.map((key) => breaking(`${place}.${key}: removed`)),
      ...added.map((key) =>
        (direction === "request" && needed(right, key) ? breaking : compatible)(`${place}.${key}: added`)
      ),
      ...kept.flatMap((key) => {
        const [first, then] = [needed(left, key), needed(right, key)]
        const isBreaking = direction === "request" ? then : first
        const necessity = first === then ? [] : [(isBreaking ? breaking : compatible)(`${place}.${key}: necessity`)]
        return [...necessity, ...schemas(old[key], now[key], `${place}.${key}`, direction)]
      })
    ]
  }

  const schemas = (left: unknown, right: unknown, place: string, direction: Direction): ReadonlyArray<Change> => {
    const visit = `${direction} ${JSON.stringify([left, right])}`
    if (seen.has(visit)) return []
    seen.add(visit)
    const [old, now] = [was(left), is(right)]
    const { added, kept, lost } = keysOf(members(old), members(now))
    const alternatives = [
      ...lost.map((name) => (direction === "request" ? breaking : compatible)(`${place}: no longer ${name}`)),
      ...added.map((name) => compatible(`${place}: also ${name}`)),
      ...kept.flatMap((name) => schemas(members(old)[name], members(now)[name], place, direction))
    ]
    const isSameType = typesOf(old).join() === typesOf(now).join()
    const type = isSameType ? [] : [breaking(`${place}: type ${typesOf(old).join("|")} -> ${typesOf(now).join("|")}`)]
    const items = "items" in old && "items" in now ? schemas(old["items"], now["items"], `${place}[]`, direction) : []
    return [
      ...type,
      ...alternatives,
      ...values(old, now, place, direction),
      ...(direction === "request" ? bounds(old, now, place) : []),
      ...properties(old, now, place, direction),
      ...items
    ]
  }

  const contents = (left: unknown, right: unknown, place: string, direction: Direction): ReadonlyArray<Change> => {
    const { added, kept, lost } = keysOf(nodeOf(left), nodeOf(right))
    return [
      ...lost.map((type) => breaking(`${place}: ${type} removed`)),
      ...added.map((type) => compatible(`${place}: ${type} added`)),
      ...kept.flatMap((type) => {
        const [old, now] = [nodeOf(nodeOf(left)[type])["schema"], nodeOf(nodeOf(right)[type])["schema"]]
        return schemas(old, now, place, direction)
      })
    ]
  }

  const parameters = (left: Node, right: Node, place: string): ReadonlyArray<Change> => {
    const named = (operation: Node, follow: typeof was) =>
      Object.fromEntries(
        listOf(operation["parameters"]).map((parameter) => {
          const { in: where, name } = follow(parameter)
          return [`${String(where)} ${String(name)}`, follow(parameter)]
        })
      )
    const [old, now] = [named(left, was), named(right, is)]
    const { added, kept, lost } = keysOf(old, now)
    return [
      ...lost.map((name) => breaking(`${place} ${name}: removed`)),
      ...added.map((name) => (now[name]?.["required"] === true ? breaking : compatible)(`${place} ${name}: added`)),
      ...kept.flatMap((name) => schemas(old[name]?.["schema"], now[name]?.["schema"], `${place} ${name}`, "request"))
    ]
  }

  const operations = (left: Node, right: Node, place: string): ReadonlyArray<Change> => {
    const [old, now] = [nodeOf(left["responses"]), nodeOf(right["responses"])]
    const { added, kept, lost } = keysOf(old, now)
    return [
      ...parameters(left, right, place),
      ...contents(
        nodeOf(left["requestBody"])["content"],
        nodeOf(right["requestBody"])["content"],
        `${place} body`,
        "request"
      ),
      ...lost.map((status) => breaking(`${place} ${status}: removed`)),
      ...added.map((status) => compatible(`${place} ${status}: added`)),
      ...kept.flatMap((status) =>
        contents(was(old[status])["content"], is(now[status])["content"], `${place} ${status}`, "answer")
      )
    ]
  }

  const [old, now] = [flat(before), flat(after)]
  const { added, kept, lost } = keysOf(old, now)
  return [
    ...lost.map((route) => breaking(`${route}: removed`)),
    ...added.map((route) => compatible(`${route}: added`)),
    ...kept.flatMap((route) => operations(old[route] ?? {}, now[route] ?? {}, route))
  ]
}
