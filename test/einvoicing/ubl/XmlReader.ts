import { BigDecimal, Effect, Stream } from "effect"
import { Xml } from "effect/encoding"

/** Reads the XML without the code that wrote it, and returns the texts at each path. */
export const read = (xml: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const events = Effect.runSync(Stream.make(xml).pipe(Stream.pipeThroughChannel(Xml.decodeString()), Stream.runCollect))
  const found = new Map<string, Array<string>>()
  const path: Array<string> = []
  let text = ""
  for (const event of events) {
    if (event._tag === "StartElement") {
      path.push(event.name.replace(/^\w+:/, ""))
      for (const [name, value] of Object.entries(event.attributes)) {
        const key = `${path.slice(1).join("/")}@${name}`
        found.set(key, [...(found.get(key) ?? []), value])
      }
      text = ""
    } else if (event._tag === "Text") text += event.text
    else if (event._tag === "EndElement") {
      const key = path.slice(1).join("/")
      if (text.trim() !== "") found.set(key, [...(found.get(key) ?? []), text])
      path.pop()
      text = ""
    }
  }
  return found
}

export const all = (xml: ReadonlyMap<string, ReadonlyArray<string>>, path: string) => xml.get(path) ?? []
export const one = (xml: ReadonlyMap<string, ReadonlyArray<string>>, path: string) => xml.get(path)?.join("|") ?? null
export const sum = (texts: ReadonlyArray<string>) =>
  BigDecimal.format(BigDecimal.sumAll(texts.map(BigDecimal.fromStringUnsafe)))
export const total = (...texts: ReadonlyArray<string | null>) => sum(texts.map((text) => text ?? "0"))
