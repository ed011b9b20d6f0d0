import { byName } from "../kernel/Text.ts"
import { isNode, nameIn, type Node } from "./Schemas.ts"

const repeated_min = 2

/** Replaces shared parts by references. Of several parts with the same name, only the most frequent one is shared. */
export const sharing = (parts: ReadonlyArray<{ readonly name: string; readonly part: Node }>, kind: string) => {
  const counts = new Map<string, { readonly name: string; readonly part: Node; count: number }>()
  for (const { name, part } of parts) {
    const key = JSON.stringify(part)
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { name, part, count: 1 })
    else known.count++
  }
  const components = new Map<string, { readonly part: Node; readonly count: number }>()
  for (const { count, name, part } of counts.values()) {
    if (count >= repeated_min && count > (components.get(name)?.count ?? 0)) components.set(name, { part, count })
  }
  const references = new Map(
    [...components].map(([name, { part }]) => [JSON.stringify(part), { $ref: `#/components/${kind}/${name}` }])
  )
  return {
    components: Object.fromEntries([...components].map(([name, { part }]) => [name, part] as const).toSorted(byName)),
    reference: (part: Node): Node => references.get(JSON.stringify(part)) ?? part
  }
}

/** Returns a function that checks whether a schema refers to the component `name`, directly or indirectly. */
export const mentions = (schemas: Node, name: string) => {
  const known = new Map<string, boolean>()
  const leads = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(leads)
    if (!isNode(value)) return false
    const { $ref } = value
    if (typeof $ref !== "string") return Object.values(value).some(leads)
    const target = nameIn($ref)
    if (target === name) return true
    if (!known.has(target)) {
      // This entry ends the search if the component contains itself.
      known.set(target, false)
      known.set(target, leads(schemas[target]))
    }
    return known.get(target) === true
  }
  return leads
}

const nodeOf = (value: unknown): Node => (isNode(value) ? value : {})

const numbered = /^(.*)_\d+$/

/**
 * Merges equal components. Effect makes a component for each use of a generic schema, and appends a number to its name.
 * If two such components differ, the number stays, and the contract's tests refuse it.
 */
export const unified = (schemas: Node, paths: Node): { readonly schemas: Node; readonly paths: Node } => {
  const equal = new Map<string, ReadonlyArray<string>>()
  for (const [name, schema] of Object.entries(schemas)) {
    for (const base of [name, numbered.exec(name)?.[1]]) {
      if (base === undefined) continue
      const key = base + JSON.stringify(schema)
      equal.set(key, [...(equal.get(key) ?? []), name])
    }
  }
  const aliases = Object.entries(schemas).flatMap(([name, schema]) => {
    const base = numbered.exec(name)?.[1]
    const others = equal.get(base + JSON.stringify(schema))?.filter((other) => other !== name) ?? []
    const first = others.find((other) => other === base) ?? others[0]
    return base === undefined || first === undefined || first > name ? [] : [[name, first] as const]
  })
  if (aliases.length === 0) return { schemas, paths }
  const names = new Map(aliases)
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed)
    if (!isNode(value)) return value
    const entries = Object.entries(value).map(([key, part]) => {
      const alias = key === "$ref" ? names.get(nameIn(part)) : undefined
      return [key, alias === undefined ? renamed(part) : `#/components/schemas/${alias}`] as const
    })
    return Object.fromEntries(entries)
  }
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => !names.has(name)))
  // Merging may have made further components equal.
  return unified(nodeOf(renamed(kept)), nodeOf(renamed(paths)))
}
