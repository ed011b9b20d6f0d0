import { element, textElement, type XmlPart } from "../../platform/documents/Xml.ts"
import { ascii, fitsAscii } from "./FatturaText.ts"

export const reference_characters_max = 20

/** A reference to an order or a contract, with the codes of a public tender: CIG (the tender) and CUP (the project). */
interface Reference {
  /** The reference without the codes, or a code if there is nothing else; null if the reference is too long. */
  readonly document: string | null
  readonly cig: string | null
  readonly cup: string | null
}

const cig_pattern = /\bCIG[\s:]+([A-Z0-9]{10})\b/i
const cup_pattern = /\bCUP[\s:]+([A-Z0-9]{15})\b/i

/** Reads the codes of a public tender out of a reference such as "Contratto 7 CIG Z1234567AB CUP J31B05000060001". */
const referenceIn = (text: string): Reference => {
  const cig = cig_pattern.exec(text)?.[1]?.toUpperCase() ?? null
  const cup = cup_pattern.exec(text)?.[1]?.toUpperCase() ?? null
  const rest = text.replace(cig_pattern, "").replace(cup_pattern, "").replace(/\s+/g, " ").trim()
  const document = rest === "" ? (cig ?? cup) : ascii(rest)
  return { document: document !== null && fitsAscii(document, reference_characters_max) ? document : null, cig, cup }
}

/** The words by which a document says why it has no tender code: "Senza CIG: fornitura di energia". */
const absent_cig = /\b(?:senza|esente|no)[\s-]+CIG\b/i

/** True if a reference contains the tender code (CIG), or a text says why there is none. */
export const accountsForCig = (references: ReadonlyArray<string>, texts: ReadonlyArray<string>): boolean =>
  references.some((text) => cig_pattern.test(text)) || [...references, ...texts].some((text) => absent_cig.test(text))

/** True if the reference fits into a reference field of FatturaPA. */
export const isReference = (text: string | null): boolean => text !== null && referenceIn(text).document !== null

/** If a reference is too long, its tender or project code (CIG, CUP) replaces it: the schema requires an identifier. */
export const referenceElement = (name: string, text: string | null): XmlPart => {
  if (text === null) return null
  const { cig, cup, document } = referenceIn(text)
  const identifier = textElement("IdDocumento", document ?? cig ?? cup)
  return identifier === null
    ? null
    : element(name, identifier, textElement("CodiceCUP", cup), textElement("CodiceCIG", cig))
}
