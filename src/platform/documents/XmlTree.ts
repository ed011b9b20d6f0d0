import { Effect, Option, Stream } from "effect"
import { Xml } from "effect/encoding"

const depth_max = 64
/** Maximum length of a document without its embedded files, which is that of an Italian invoice file (5 MB). */
const characters_max = 5_000_000
/** Minimum length of a text that counts as an embedded file. No field is that long. */
const file_characters_min = 100_000

/** The name of an XML element without its namespace prefix, which each producer chooses. */
export const localName = (name: string): string => name.slice(name.indexOf(":") + 1)

/** An XML element; the names are without namespace prefixes. */
export interface XmlTree {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<XmlTree>
  readonly text: string
}

/**
 * The root element without embedded files; none when the text is malformed or exceeds the limits. Entities of a DTD are
 * not expanded.
 */
export const xmlTree = (xml: string): Option.Option<XmlTree> => {
  const text = withoutFiles(xml)
  return text.length > characters_max ? Option.none() : treeOf(text)
}

const treeOf = (xml: string): Option.Option<XmlTree> =>
  Stream.make(xml).pipe(
    Stream.pipeThroughChannel(Xml.decodeString({ maxDepth: depth_max, maxTokenSize: characters_max })),
    Stream.pipeThroughChannel(Xml.elements(["*"], { maxElementSize: characters_max })),
    Stream.runHead,
    Effect.map(Option.map(toTree)),
    Effect.orElseSucceed(() => Option.none<XmlTree>()),
    // Never waits, because the whole text is in memory.
    Effect.runSync
  )

/** Removes files that an invoice embeds as base64. They would exceed the limits, and no field is read from them. */
const withoutFiles = (xml: string): string => {
  const parts: Array<string> = []
  let from = 0
  let end = xml.indexOf(">")
  while (end >= 0) {
    const next = xml.indexOf("<", end)
    if (next < 0) break
    if (next - end > file_characters_min) {
      parts.push(xml.slice(from, end + 1))
      from = next
    }
    end = xml.indexOf(">", next)
  }
  return parts.join("") + xml.slice(from)
}

/** Follows the path by the first child of each name. */
export const at = (tree: XmlTree | undefined, ...path: ReadonlyArray<string>): XmlTree | undefined => {
  let found = tree
  for (const name of path) found = found?.children.find((child) => child.name === name)
  return found
}

export const all = (tree: XmlTree | undefined, name: string): ReadonlyArray<XmlTree> =>
  tree?.children.filter((child) => child.name === name) ?? []

/** The text without surrounding white space; undefined when it is empty. */
export const textAt = (tree: XmlTree | undefined, ...path: ReadonlyArray<string>): string | undefined =>
  at(tree, ...path)?.text.trim() || undefined

const toTree = ({ attributes, children, name }: Xml.Element): XmlTree => ({
  name: localName(name),
  attributes,
  children: children.flatMap((child) => (typeof child === "string" ? [] : toTree(child))),
  text: children.filter((child) => typeof child === "string").join("")
})
