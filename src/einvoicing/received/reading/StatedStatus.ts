import { Option } from "effect"
import { type XmlTree, xmlTree } from "../../../platform/documents/XmlTree.ts"
import { cut } from "../../../kernel/Text.ts"

/** Maximum length of a message that is read. Real messages are short, and reading a long text blocks the process. */
const message_characters_max = 256 * 1024
/** No document of an organization has a longer number. PostgreSQL cannot index texts of several thousand characters. */
const number_characters_max = 255
/** The ids of jobs contain the identifiers of messages, and have at most 255 characters. */
const identifier_characters_max = 180
const code_characters_max = 40
const reason_characters_max = 1_000

/** Reads a message about a document; none if the text is malformed or too long. */
export const messageTree = (xml: string): Option.Option<XmlTree> =>
  xml.length > message_characters_max ? Option.none() : xmlTree(xml)

interface Stated {
  readonly number: string | undefined
  readonly code: string | undefined
  readonly reasons: ReadonlyArray<string>
}

interface StatedStatus {
  readonly number: string
  readonly code: string
  readonly reason: string | null
}

/**
 * Returns the status of the document that a message names; none if the message states no status, or a number that no
 * document can have.
 */
export const statedStatus = ({ code, number, reasons }: Stated): Option.Option<StatedStatus> => {
  if (number === undefined || code === undefined || number.length > number_characters_max) return Option.none()
  return Option.some({ number, ...shortStatus(code, reasons) })
}

/** Cuts the code of a status and the text of its reasons, because both may have any length. */
export const shortStatus = (code: string, reasons: ReadonlyArray<string>): Omit<StatedStatus, "number"> => ({
  code: cut(code, code_characters_max),
  reason: reasons.length === 0 ? null : cut(reasons.join("; "), reason_characters_max)
})

/** Cuts an identifier that a message states, which may have any length. */
export const shortIdentifier = (identifier: string): string => cut(identifier, identifier_characters_max)
