import { textElement, type XmlPart } from "../../platform/documents/Xml.ts"

/** Letters and signs that Unicode does not decompose, with the spelling that FatturaPA allows. */
const spellings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "‘": "'",
    "’": "'",
    "‚": ",",
    "“": '"',
    "”": '"',
    "„": '"',
    "–": "-",
    "—": "-",
    "…": "...",
    "•": "-",
    "€": "EUR",
    "™": "(TM)",
    Œ: "OE",
    œ: "oe",
    Ł: "L",
    ł: "l",
    Đ: "D",
    đ: "d",
    ı: "i",
    ẞ: "SS"
  })
)

const latin_1 = /^[\u0020-\u00ff]*$/

/** Writes a letter beyond Latin-1 without its accents, if that gives a letter of Latin-1. */
const folded = (character: string): string => {
  if (latin_1.test(character)) return character
  const plain = spellings.get(character) ?? character.normalize("NFKD").replace(/\p{M}/gu, "")
  return latin_1.test(plain) ? plain : character
}

/** Returns the text in one line and, as far as possible, in Latin-1, which is all that FatturaPA allows. */
export const latin = (text: string): string =>
  Array.from(text.normalize("NFC").replace(/\s+/g, " ").trim(), folded).join("")

export const ascii = (text: string): string =>
  Array.from(latin(text), (character) =>
    isAscii(character) ? character : character.normalize("NFKD").replace(/\p{M}/gu, "")
  ).join("")

export const isLatin = (text: string): boolean => latin_1.test(latin(text))

const isAscii = (text: string): boolean => /^[\u0020-\u007f]*$/.test(text)

export const fitsAscii = (text: string, characters_max: number): boolean =>
  isAscii(ascii(text)) && ascii(text).length <= characters_max

export const fitsLatin = (text: string, characters_max: number): boolean =>
  isLatin(text) && latin(text).length <= characters_max

export const latinElement = (name: string, text: string | null): XmlPart =>
  textElement(name, text === null ? null : latin(text))

/** Writes a text as ASCII if it fits into `characters_max`; otherwise omits it. */
export const codeElement = (name: string, text: string | null, characters_max: number): XmlPart =>
  text === null || !fitsAscii(text, characters_max) ? null : textElement(name, ascii(text))
