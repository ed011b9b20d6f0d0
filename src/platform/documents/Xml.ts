/** Part of an XML document as text; null if the element is omitted. */
export type XmlPart = string | null

type Attributes = Readonly<Record<string, string>>

const header = `<?xml version="1.0" encoding="UTF-8"?>\n`

/** Builds an element around text; null if the text is blank, because no format that we write has empty elements. */
export const textElement = (name: string, text: string | null, attributes: Attributes = {}): XmlPart =>
  text === null || !/[^ \t\r\n]/.test(text) ? null : `<${name}${written(attributes)}>${escaped(text)}</${name}>`

/** Builds an element around other elements, in the given order; null if all of them are omitted. */
export const element = (name: string, ...parts: ReadonlyArray<XmlPart>): XmlPart => {
  const content = parts.filter((part) => part !== null).join("")
  return content === "" ? null : `<${name}>${content}</${name}>`
}

/** At least one of `parts` must not be null, because no format that we write has an empty root. */
export const xmlDocument = (name: string, attributes: Attributes, parts: ReadonlyArray<XmlPart>): string =>
  `${header}<${name}${written(attributes)}>${parts.filter((part) => part !== null).join("")}</${name}>\n`

const written = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join("")

/** Characters that are written as references. XML parsers would turn a literal carriage return into a line feed. */
const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;"
}

const escaped = (text: string): string =>
  text.replace(unspeakable, "\ufffd").replace(/[&<>"\r]/g, (character) => references[character] ?? character)

/** Characters that no XML 1.0 document may contain, not even as a reference (section 2.2). */
const unspeakable =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
