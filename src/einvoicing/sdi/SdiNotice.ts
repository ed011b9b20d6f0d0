import { Option } from "effect"
import { all, at, textAt, type XmlTree } from "../../platform/documents/XmlTree.ts"
import { signedContent, xmlText } from "../../platform/documents/XmlBytes.ts"
import { messageTree, shortIdentifier, shortStatus } from "../received/reading/StatedStatus.ts"

export interface SdiNotice {
  /** RC, NS, MC, AT, DT, EC01 or EC02 about a sent file, and MT about an incoming one. */
  readonly code: string
  readonly id: string
  readonly sdi_id: string | null
  readonly file_name: string
  /** SHA-256 of the file in lower-case hexadecimal; messages about files for public offices lack the hash. */
  readonly sha256: string | null
  /** The errors of a refused file, or the description of another outcome. */
  readonly reason: string | null
  /** The codes of the errors, such as 00404. */
  readonly errors: ReadonlyArray<string>
}

/** Codes by root element. If a code has two elements, the first is for public offices, the second for businesses. */
const codes: ReadonlyMap<string, string> = new Map([
  ["RicevutaConsegna", "RC"],
  ["NotificaScarto", "NS"],
  ["RicevutaScarto", "NS"],
  ["NotificaMancataConsegna", "MC"],
  ["RicevutaImpossibilitaRecapito", "MC"],
  ["AttestazioneTrasmissioneFattura", "AT"],
  ["NotificaDecorrenzaTermini", "DT"],
  ["NotificaEsito", "NE"],
  ["MetadatiInvioFile", "MT"],
  ["FileMetadati", "MT"]
])

const sha256_pattern = /^[0-9a-f]{64}$/

/** Reads a message of the SdI; none for any other file. The signature in the message is not verified. */
export const readNotice = (bytes: Uint8Array): Option.Option<SdiNotice> =>
  Option.flatMap(messageTree(xmlText(Option.getOrElse(signedContent(bytes), () => bytes))), noticeOf)

const noticeOf = (root: XmlTree): Option.Option<SdiNotice> => {
  const code = codes.get(root.name)
  const file_name = textAt(root, "NomeFile")
  if (code === undefined || file_name === undefined) return Option.none()
  const errors = all(at(root, "ListaErrori"), "Errore")
  const listed = errors.map((error) => [textAt(error, "Codice"), textAt(error, "Descrizione")].join(" ").trim())
  const outcome = at(root, "EsitoCommittente")
  const description = textAt(outcome ?? root, "Descrizione")
  const reasons = listed.length > 0 || description === undefined ? listed : [description]
  const sdi_id = textAt(root, "IdentificativoSdI")
  const hash = (textAt(root, "Hash") ?? textAt(root, "HashFileOriginale") ?? "").toLowerCase()
  return Option.some({
    ...shortStatus(code === "NE" ? (textAt(outcome, "Esito") ?? code) : code, reasons),
    id: shortIdentifier(textAt(root, "MessageId") ?? ""),
    sdi_id: sdi_id === undefined ? null : shortIdentifier(sdi_id),
    file_name: shortIdentifier(file_name),
    sha256: sha256_pattern.test(hash) ? hash : null,
    errors: errors.flatMap((error) => textAt(error, "Codice") ?? [])
  })
}
