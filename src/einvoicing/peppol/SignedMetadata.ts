import { Data, Effect, Option } from "effect"
import { X509Certificate } from "node:crypto"
import { SignedXml } from "xml-crypto"
import { all, at, textAt, type XmlTree, xmlTree } from "../../expenses/receipts/extraction/XmlTree.ts"
import { isTrusted } from "../../platform/crypto/Certificates.ts"

/** SHA-1 is left out, because it no longer proves who signed. */
const signature_algorithms = ["rsa-sha256", "rsa-sha512", "ecdsa-sha256"]
const digest_algorithms = ["sha256", "sha512"]

/** The answer of an SMP proves nothing; the reason is for operators. */
export class MetadataForged extends Data.TaggedError("MetadataForged")<{ readonly reason: string }> {}

/**
 * Verifies the signature of an SMP over its whole answer, and that its certificate leads to a trusted authority. Returns
 * what was signed: an answer may hold other elements beside it, which prove nothing.
 */
export const signedMetadata = Effect.fn("SignedMetadata.verify")(function* (
  xml: string,
  trusted: ReadonlyArray<X509Certificate>,
  at_ms: number
) {
  const root = Option.getOrUndefined(xmlTree(xml))
  if (/<!DOCTYPE/i.test(xml)) return yield* forged("The answer has a DOCTYPE.")
  const signatures = all(root, "Signature")
  if (signatures.length !== 1) return yield* forged("The answer does not have one signature.")
  const certificates = yield* Effect.try({
    try: () => certificatesOf(signatures[0]),
    catch: () => new MetadataForged({ reason: "A certificate is malformed." })
  })
  if (!isTrusted(certificates, trusted, at_ms)) return yield* forged("The certificate is of no trusted authority.")
  const signed = yield* Effect.try({
    try: () => verified(xml, certificates[0]),
    catch: () => new MetadataForged({ reason: "The signature cannot be verified." })
  })
  const tree = signed === undefined ? Option.none<XmlTree>() : xmlTree(signed)
  if (Option.isNone(tree)) return yield* forged("The signature does not fit the answer.")
  if (tree.value.name !== "SignedServiceMetadata") return yield* forged("The signature is not of the whole answer.")
  return tree.value
})

const forged = (reason: string) => new MetadataForged({ reason })

const certificatesOf = (signature: XmlTree | undefined): ReadonlyArray<X509Certificate> =>
  all(at(signature, "KeyInfo"), "X509Data")
    .flatMap((data) => all(data, "X509Certificate"))
    .map(({ text }) => new X509Certificate(Buffer.from(text, "base64")))

/** Returns the canonical form of what was signed; undefined if the signature is wrong. */
const verified = (xml: string, certificate: X509Certificate | undefined): string | undefined => {
  const signature = new SignedXml({ publicCert: certificate?.toString() ?? "", getCertFromKeyInfo: () => null })
  signature.SignatureAlgorithms = only(signature.SignatureAlgorithms, signature_algorithms)
  signature.HashAlgorithms = only(signature.HashAlgorithms, digest_algorithms)
  const [text] = /<(?:[\w-]+:)?Signature[\s>][^]*<\/(?:[\w-]+:)?Signature>/.exec(xml) ?? []
  if (text === undefined) return undefined
  signature.loadSignature(text)
  if (!signature.checkSignature(xml)) return undefined
  const [signed, ...others] = signature.getSignedReferences()
  return others.length === 0 ? signed : undefined
}

/** Keeps the algorithms whose names end with one of these. */
const only = <A>(all: Readonly<Record<string, A>>, names: ReadonlyArray<string>): Record<string, A> =>
  Object.fromEntries(Object.entries(all).filter(([uri]) => names.some((name) => uri.endsWith(`#${name}`))))

/** The participant and the document type that the answer is about. */
export const subjectOf = (metadata: XmlTree) => {
  const information = at(metadata, "ServiceMetadata", "ServiceInformation")
  const named = (name: string) => {
    const element = at(information, name)
    return `${element?.attributes["scheme"] ?? ""}::${element?.text.trim() ?? ""}`
  }
  return { participant: named("ParticipantIdentifier"), document_type: named("DocumentIdentifier") }
}

/** The address of another SMP that this one refers to. */
export const redirectOf = (metadata: XmlTree): string | undefined =>
  at(metadata, "ServiceMetadata", "Redirect")?.attributes["href"]

interface Wanted {
  readonly process: string
  readonly transport: string
  readonly at_ms: number
}

/** True if the participant has an active endpoint for the process and the transport. */
export const hasEndpoint = (metadata: XmlTree, { at_ms, process, transport }: Wanted): boolean =>
  all(at(metadata, "ServiceMetadata", "ServiceInformation", "ProcessList"), "Process")
    .filter((offered) => textAt(offered, "ProcessIdentifier") === process)
    .flatMap((offered) => all(at(offered, "ServiceEndpointList"), "Endpoint"))
    .some(
      (endpoint) =>
        endpoint.attributes["transportProfile"] === transport &&
        timeAt(endpoint, "ServiceActivationDate", 0) <= at_ms &&
        at_ms < timeAt(endpoint, "ServiceExpirationDate", Number.POSITIVE_INFINITY) &&
        hasValidCertificate(endpoint, at_ms)
    )

const timeAt = (endpoint: XmlTree, name: string, otherwise: number): number => {
  const text = textAt(endpoint, name)
  return text === undefined ? otherwise : Date.parse(text)
}

const hasValidCertificate = (endpoint: XmlTree, at_ms: number): boolean => {
  const text = textAt(endpoint, "Certificate")
  if (text === undefined) return false
  try {
    const { validFromDate, validToDate } = new X509Certificate(Buffer.from(text, "base64"))
    return validFromDate.getTime() <= at_ms && at_ms <= validToDate.getTime()
  } catch {
    return false
  }
}
