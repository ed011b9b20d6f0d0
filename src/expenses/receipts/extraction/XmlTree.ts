import { Effect, Option, Stream } from "effect"
import { Xml } from "effect/encoding"

const depth_max = 64
const characters_max = 2_000_000

/** An XML element without namespace prefixes, because each producer chooses its own. */
export interface XmlTree {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<XmlTree>
  readonly text: string
}

/** The root element; none when the text is malformed or exceeds the limits. Entities of a DTD are not expanded. */
export const xmlTree = (xml: string): Option.Option<XmlTree> =>
  Stream.make(xml).pipe(
    Stream.pipeThroughChannel(Xml.decodeString({ maxDepth: depth_max, maxTokenSize: characters_max })),
    Stream.pipeThroughChannel(Xml.elements(["*"], { maxElementSize: characters_max })),
    Stream.runHead,
    Effect.map(Option.map(toTree)),
    Effect.orElseSucceed(() => Option.none<XmlTree>()),
    // Never waits, because the whole text is in memory.
    Effect.runSync
  )

/** Follows the path by the first child of each name. */
export const at = (tree: XmlTree | undefined, ...path: ReadonlyArray<string>): XmlTree | undefined =>
  path.reduce((parent, name) => parent?.children.find((child) => child.name === name), tree)

export const all = (tree: XmlTree | undefined, name: string): ReadonlyArray<XmlTree> =>
  tree?.children.filter((child) => child.name === name) ?? []

/** The text without surrounding white space; undefined when it is empty. */
export const textAt = (tree: XmlTree | undefined, ...path: ReadonlyArray<string>): string | undefined =>
  at(tree, ...path)?.text.trim() || undefined

const toTree = ({ attributes, children, name }: Xml.Element): XmlTree => ({
  name: name.slice(name.indexOf(":") + 1),
  attributes,
  children: children.flatMap((child) => (typeof child === "string" ? [] : toTree(child))),
  text: children.filter((child) => typeof child === "string").join("")
})
