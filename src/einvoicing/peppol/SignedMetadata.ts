import { Data, Effect, Option } from "effect"
import { all, at, textAt, type XmlTree, xmlTree } from "../../platform/documents/XmlTree.ts"
import { type Certificate, certificateOf, isTrusted, isValidAt } from "../../platform/crypto/signatures/Certificates.ts"
import { signedText } from "../../platform/crypto/signatures/XmlSignature.ts"

/** The answer of an SMP has no valid signature; the reason is for operators. */
class MetadataForged extends Data.TaggedError("MetadataForged")<{ readonly reason: string }> {}

const forged = (reason: string) => new MetadataForged({ reason })

/** Verifies that a trusted SMP has signed its whole answer, and returns the signed content. */
export const signedMetadata = Effect.fn("SignedMetadata.verify")(function* (
  xml: string,
  trusted: ReadonlyArray<Certificate>,
  at_ms: number
) {
  if (/<!DOCTYPE/i.test(xml)) return yield* forged("The answer has a DOCTYPE.")
  const [signature, ...others] = all(Option.getOrUndefined(xmlTree(xml)), "Signature")
  if (signature === undefined || others.length > 0) return yield* forged("The answer does not have one signature.")
  const certificates = certificatesOf(signature)
  const [signer] = certificates
  if (signer === undefined || !isTrusted(certificates, trusted, at_ms)) {
    return yield* forged("The certificate was not issued by a trusted authority.")
  }
  const metadata = Option.flatMap(signedText(xml, signer), xmlTree)
  if (Option.isNone(metadata)) return yield* forged("The signature does not match the answer.")
  if (metadata.value.name !== "SignedServiceMetadata")
    return yield* forged("The signature does not cover the whole answer.")
  return metadata.value
})

const certificatesOf = (signature: XmlTree): ReadonlyArray<Certificate> =>
  all(at(signature, "KeyInfo"), "X509Data")
    .flatMap((data) => all(data, "X509Certificate"))
    .flatMap(({ text }) => Option.toArray(certificateOf(text)))

export const subjectOf = (metadata: XmlTree) => {
  const information = at(metadata, "ServiceMetadata", "ServiceInformation")
  const named = (name: string) => {
    const element = at(information, name)
    return `${element?.attributes["scheme"] ?? ""}::${element?.text.trim() ?? ""}`
  }
  return { participant: named("ParticipantIdentifier"), document_type: named("DocumentIdentifier") }
}

export const redirectOf = (metadata: XmlTree): string | undefined =>
  at(metadata, "ServiceMetadata", "Redirect")?.attributes["href"]

interface Wanted {
  readonly process: string
  readonly transport: string
  readonly at_ms: number
}

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

const hasValidCertificate = (endpoint: XmlTree, at_ms: number): boolean =>
  Option.exists(certificateOf(textAt(endpoint, "Certificate") ?? ""), (certificate) => isValidAt(certificate, at_ms))
