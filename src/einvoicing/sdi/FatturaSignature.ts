import { DateTime, Effect, Option } from "effect"
import {
  type Certificate,
  isTrusted,
  isValidAt,
  type SignatureCheck
} from "../../platform/crypto/signatures/Certificates.ts"
import { cmsSignature } from "../../platform/crypto/signatures/CmsSignature.ts"
import { cmsSigned } from "../../platform/crypto/signatures/CmsSigner.ts"
import type { SigningIdentity } from "../../platform/crypto/signatures/Pkcs12.ts"
import { envelopedSignature } from "../../platform/crypto/signatures/XmlSignature.ts"
import { signedContent, signedMessage, xmlText } from "../../platform/documents/XmlBytes.ts"
import { type SignatureFault, SignatureUnfit, type SignedFile, type Signing } from "../providers/Signing.ts"
import { isSameButSigned } from "./SignedXml.ts"

const xml_type = "application/xml"
/** Content type of a CAdES file (`.p7m`). */
export const p7m_type = "application/pkcs7-mime"

const signature_element = /<(?:[\w-]+:)?Signature[\s>]/
const header_characters = 4_000

interface Signer {
  /** Opens the key with which the service signs; none if the organization signs elsewhere. */
  readonly own: () => Option.Option<SigningIdentity>
  /** Certificates of the authorities that are trusted to certify signers; empty without a trust list. */
  readonly trusted: ReadonlyArray<Certificate>
}

/** The Sistema di Interscambio accepts files for public offices (FPA12) only with a signature (error 00102). */
export const fatturaSigning = ({ own, trusted }: Signer): Signing => ({
  isRequired: (xml) => {
    if (Option.isSome(signedContent(xml))) return false
    const text = xmlText(xml)
    const isForOffice = text.slice(0, header_characters).includes("<FormatoTrasmissione>FPA12</FormatoTrasmissione>")
    return isForOffice && !signature_element.test(text)
  },
  sign: Effect.fnUntraced(function* (xml: Uint8Array) {
    const at = DateTime.toDateUtc(yield* DateTime.now)
    // An expired certificate is refused (error 00100), so the organization has to sign elsewhere.
    const valid = Option.filter(own(), ({ certificate }) => isValidAt(certificate, at.getTime()))
    return Option.map(valid, (signer) => signedFile(cmsSigned(xml, signer, at), p7m_type, signer.certificate))
  }),
  check: Effect.fnUntraced(function* (xml: Uint8Array, file: Uint8Array) {
    const { check, content_type, holds, bytes } = yield* Option.match(signedMessage(file), {
      onNone: () => insideOf(file, xml),
      onSome: (message) => aroundOf(message, xml)
    })
    if (!holds) return yield* unfit("other_content", "The signature belongs to another file than the issued document.")
    if (check.fits === null) return yield* unfit("unsupported_signature", check.reason)
    const [signer] = check.certificates
    if (!check.fits || signer === undefined) return yield* unfit("broken_signature", check.reason)
    const at_ms = (yield* DateTime.now).epochMilliseconds
    if (!isValidAt(signer, at_ms))
      return yield* unfit("expired_certificate", "The signer's certificate is currently not valid.")
    if (trusted.length > 0 && !isTrusted(check.certificates, trusted, at_ms)) {
      return yield* unfit("untrusted_certificate", "The signer's certificate was not issued by a configured authority.")
    }
    return signedFile(bytes, content_type, signer)
  })
})

interface Handed {
  readonly bytes: Uint8Array
  readonly content_type: string
  readonly check: SignatureCheck
  /** True if the content under the signature is the issued document. */
  readonly holds: boolean
}

const unfit = (fault: SignatureFault, message: string | null) =>
  Effect.fail(new SignatureUnfit({ fault, message: message ?? "The signature is not valid." }))

const unsigned = () =>
  unfit("unsigned", "The file is neither a CAdES file (.p7m) nor an XML file with a XAdES signature.")

/** Reads a CAdES signature, which encloses the document. The enclosed bytes must equal those of the issued document. */
const aroundOf = (message: Uint8Array, xml: Uint8Array): Effect.Effect<Handed, SignatureUnfit> => {
  const check = cmsSignature(message)
  const content = signedContent(message)
  if (Option.isNone(check) || Option.isNone(content)) return unsigned()
  const holds = Buffer.compare(content.value, xml) === 0
  return Effect.succeed({ bytes: message, content_type: p7m_type, check: check.value, holds })
}

/** Reads a XAdES signature, which is inside the document. Signing programs may change the document's XML syntax. */
const insideOf = (file: Uint8Array, xml: Uint8Array): Effect.Effect<Handed, SignatureUnfit> => {
  const text = xmlText(file)
  const check = envelopedSignature(text)
  if (Option.isNone(check)) return unsigned()
  const holds = isSameButSigned(xmlText(xml), text)
  return Effect.succeed({ bytes: file, content_type: xml_type, check: check.value, holds })
}

const signedFile = (bytes: Uint8Array, content_type: string, signer: Certificate): SignedFile => ({
  bytes,
  content_type,
  certificate: signer.toString()
})
