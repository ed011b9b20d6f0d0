import { Option } from "effect"
import { atFirstUse } from "../packages/AtFirstUse.ts"

const asn1 = atFirstUse("@peculiar/asn1-schema")
const cms = atFirstUse("@peculiar/asn1-cms")
const ber = atFirstUse("asn1js")

/** First byte of a SEQUENCE, and so of every message of the Cryptographic Message Syntax (CMS). */
const sequence = 0x30
/** The first base64 characters of a SEQUENCE that is longer than 127 bytes. */
const base64_start = "MI"
/** White space matches only one part of the pattern at each position, so that a long file causes no backtracking. */
const base64 = /^[A-Za-z0-9+/\s]+(?:=[=\s]*)?$/

/** Returns the content under an enveloping signature (CAdES, `.p7m`), unverified; none for other files. */
export const signedContent = (bytes: Uint8Array): Option.Option<Uint8Array> =>
  Option.flatMap(signedMessage(bytes), enveloped)

/** Returns the BER bytes of a possible signed message, decoded if the file is in base64; none for other files. */
export const signedMessage = (bytes: Uint8Array): Option.Option<Uint8Array> => {
  if (bytes[0] === sequence) return Option.some(bytes)
  if (new TextDecoder("latin1").decode(bytes.subarray(0, base64_start.length)) !== base64_start) return Option.none()
  const text = new TextDecoder("latin1").decode(bytes)
  return base64.test(text) ? Option.some(Buffer.from(text, "base64")) : Option.none()
}

const enveloped = Option.liftThrowable((bytes: Uint8Array): Uint8Array => {
  const { AsnConvert } = asn1()
  const { ContentInfo, SignedData } = cms()
  const { content } = AsnConvert.parse(bytes, ContentInfo)
  const { eContent } = AsnConvert.parse(content, SignedData).encapContentInfo
  if (eContent?.single !== undefined) return new Uint8Array(eContent.single.buffer)
  // A streaming signer divides the content into parts.
  const { fromBER, OctetString } = ber()
  const { result } = fromBER(eContent?.any ?? new ArrayBuffer(0))
  if (!(result instanceof OctetString)) throw new TypeError("The signed file has no content.")
  return new Uint8Array(result.getValue())
})

const declaration_bytes = 200
const declaration = /^<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/

/** Reads valid UTF-8 as UTF-8, because some producers declare another encoding. Other bytes are read as declared. */
export const xmlText = (bytes: Uint8Array): string =>
  decoded("utf-8", bytes).pipe(
    Option.orElse(() => decoded(encodingOf(bytes), bytes)),
    Option.getOrElse(() => new TextDecoder().decode(bytes))
  )

const encodingOf = (bytes: Uint8Array): string => {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, declaration_bytes))
  if (head.startsWith("\u00ff\u00fe")) return "utf-16le"
  if (head.startsWith("\u00fe\u00ff")) return "utf-16be"
  return declaration.exec(head)?.[1] ?? "windows-1252"
}

/** With `stream`, the bytes may end within a character, because only the beginning of an upload may be given. */
const decoded = Option.liftThrowable((encoding: string, bytes: Uint8Array) =>
  new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
)
