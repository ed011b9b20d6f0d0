import { Effect, Option, Stream } from "effect"
import { Xml } from "effect/encoding"

const depth_max = 64
/** Maximum length of a text or a tag. It exceeds the 5 MB of a file that the Sistema di Interscambio accepts. */
const characters_max = 8_000_000

/** True if the signed text equals the original document, except for one signature in its root element. */
export const isSameButSigned = (original: string, signed: string): boolean => {
  const expected = partsOf(original)
  const found = partsOf(signed)
  return (
    expected !== null &&
    found !== null &&
    expected.signatures === 0 &&
    found.signatures === 1 &&
    expected.parts.length === found.parts.length &&
    expected.parts.every((part, index) => part === found.parts[index])
  )
}

interface Reading {
  readonly parts: Array<string>
  depth: number
  /** Depth of the signature that is being read; null outside a signature. */
  signature_depth: number | null
  signatures: number
}

/** Lists the elements and texts without the signature, as canonical XML compares them; null for malformed XML. */
const partsOf = (xml: string): Reading | null => {
  const reading: Reading = { parts: [], depth: 0, signature_depth: null, signatures: 0 }
  const read = Stream.make(xml).pipe(
    Stream.pipeThroughChannel(Xml.decodeString({ maxDepth: depth_max, maxTokenSize: characters_max })),
    Stream.runForEach((event) => Effect.sync(() => take(reading, event))),
    Effect.as(reading),
    Effect.option,
    // Never waits, because the whole text is in memory.
    Effect.runSync
  )
  return Option.getOrNull(read)
}

const take = (reading: Reading, event: Xml.Event): void => {
  switch (event._tag) {
    case "StartElement":
      reading.depth++
      if (reading.depth === 2 && /^(?:[\w-]+:)?Signature$/.test(event.name)) {
        reading.signatures++
        reading.signature_depth = reading.depth
      }
      return keep(reading, `<${event.name} ${attributesOf(event)}`)
    case "EndElement":
      keep(reading, `>${event.name}`)
      if (reading.depth === reading.signature_depth) reading.signature_depth = null
      reading.depth--
      return
    case "Text":
      // White space around the signature has no meaning.
      return reading.depth < 2 && event.text.trim() === "" ? undefined : keepText(reading, event.text)
    case "Doctype":
    case "ProcessingInstruction":
      return keep(reading, JSON.stringify(event))
    default:
  }
}

/** Sorts the attributes, because their order in the text has no meaning. */
const attributesOf = ({ attributes }: Xml.StartElement): string =>
  JSON.stringify(Object.entries(attributes).toSorted(([left], [right]) => (left < right ? -1 : 1)))

const keep = ({ parts, signature_depth }: Reading, part: string): void => {
  if (signature_depth === null) parts.push(part)
}

const text_mark = "#"

/** Joins texts that only a comment or the start of a CDATA section separates. */
const keepText = (reading: Reading, text: string): void => {
  const last = reading.parts.at(-1)
  if (reading.signature_depth !== null || last?.startsWith(text_mark) !== true) return keep(reading, text_mark + text)
  reading.parts[reading.parts.length - 1] = last + text
}
