import { Equal } from "effect"
import { shown_as } from "../kernel/Described.ts"

export interface Node {
  readonly [key: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the name of the component that a reference names. */
export const nameIn = (reference: unknown): string => String(reference).split("/").at(-1) ?? ""

/** Keywords that describe a schema without changing which values it accepts. */
const notes = new Set(["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", shown_as])

/**
 * Makes schemas as readers and client generators expect them: without `_tag`, which is never sent, without the bounds
 * of JavaScript's integers, without `additionalProperties: false`, because the service ignores unknown keys, and
 * without `allOf` where one object is equivalent.
 */
export const readable = (value: unknown): unknown => {
  const plain = simplified(value)
  return isNode(plain) ? shown(plain) : plain
}

const simplified = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(readable)
  if (!isNode(value)) return value
  const node = Object.entries(value).map(([key, part]) => [
    key,
    // The members of `allOf` are merged first, so their annotation `shown_as` must not be applied yet.
    key === "allOf" && Array.isArray(part) ? part.map(simplified) : readable(part)
  ])
  return merged(nullable(listed(open(bounded(untagged(Object.fromEntries(node)))))))
}

const omit = (node: Node, key: string): Node => {
  const { [key]: _, ...rest } = node
  return rest
}

const untagged = (node: Node): Node =>
  isNode(node["properties"]) && "_tag" in node["properties"]
    ? { ...node, properties: omit(node["properties"], "_tag") }
    : node

const bounded = (node: Node): Node => {
  const low = node["minimum"] === Number.MIN_SAFE_INTEGER ? omit(node, "minimum") : node
  return low["maximum"] === Number.MAX_SAFE_INTEGER ? omit(low, "maximum") : low
}

const open = (node: Node): Node =>
  typeof node["additionalProperties"] === "boolean" ? omit(node, "additionalProperties") : node

/** Writes a union of null and one plain type in the short form `{"type":["string","null"]}`. */
const nullable = (node: Node): Node => {
  const { anyOf, ...rest } = node
  if (!Array.isArray(anyOf)) return node
  const members = anyOf.filter((member, index) => anyOf.findIndex((other) => Equal.equals(other, member)) === index)
  if (members.some((member) => isNode(member) && Object.keys(member).length === 0)) return rest
  if (members.length === 1 && isNode(members[0])) return { allOf: members, ...rest }
  const [value, ...others] = members.filter((member) => !isNull(member))
  if (!isNode(value) || others.length > 0) return { ...rest, anyOf: members }
  if (typeof value["type"] !== "string" || shown_as in value) return { ...rest, anyOf: members }
  const values = Array.isArray(value["enum"]) ? { enum: [...value["enum"], null] } : {}
  return { ...value, ...values, type: [value["type"], "null"], ...rest }
}

const listed = (node: Node): Node =>
  node["type"] === "array" && !("items" in node) && !("prefixItems" in node) ? { ...node, items: {} } : node

const isNull = (member: unknown): boolean => isNode(member) && member["type"] === "null"

const isPlain = (node: Node) => Object.keys(node).every((key) => notes.has(key))

/** Merges the members of `allOf` where no keyword collides. Of several descriptions or other notes, the last counts. */
const merged = (node: Node): Node => {
  const { allOf, ...rest } = node
  if (!Array.isArray(allOf)) return node
  return allOf.reduce<Node>((whole, member) => {
    if (!isNode(member)) return whole
    const keys = Object.keys(member)
    // Some tools ignore all keywords beside a reference, except notes such as `description`.
    const mayJoin = "$ref" in member ? isPlain(whole) : !("$ref" in whole) || isPlain(member)
    if (mayJoin && keys.every((key) => notes.has(key) || !(key in whole))) return { ...whole, ...member }
    const { $ref, ...others } = whole
    if (typeof $ref === "string") return { ...others, allOf: [{ $ref }, member] }
    const before = Array.isArray(whole["allOf"]) ? whole["allOf"] : []
    return { ...whole, allOf: [...before, member] }
  }, rest)
}

/** Replaces a schema by the one in its annotation `shown_as`, and keeps its notes, such as `description`. */
const shown = (node: Node): Node => {
  const form = node[shown_as]
  if (!isNode(form)) return node
  const kept = Object.entries(node).filter(([key]) => key !== shown_as && notes.has(key))
  return { ...form, ...Object.fromEntries(kept) }
}
