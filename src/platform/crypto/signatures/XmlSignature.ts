import { Option } from "effect"
import { hash } from "node:crypto"
import type { SignedXml } from "xml-crypto"
import { element, textElement } from "../../documents/Xml.ts"
import { atFirstUse } from "../../packages/AtFirstUse.ts"
import { type Certificate, certificateOf, type SignatureCheck } from "./Certificates.ts"
import { sha256Hex } from "../Digest.ts"
import type { SigningIdentity } from "./Pkcs12.ts"

const xmlCrypto = atFirstUse("xml-crypto")

/** Accepted algorithms. SHA-1 is not accepted, because it no longer proves who signed. */
const signature_algorithms = ["rsa-sha256", "rsa-sha512", "ecdsa-sha256"]
const digest_algorithms = ["sha256", "sha512"]

/** The signed text in canonical form; none if the signature is wrong. The document may have unsigned elements, too. */
export const signedText = Option.liftThrowable((xml: string, certificate: Certificate): string => {
  const signature = loaded(signatureIn(xml) ?? "", certificate)
  if (!signature.checkSignature(xml)) throw new Error("The signature is wrong.")
  const [signed, ...others] = signature.getSignedReferences()
  if (signed === undefined || others.length > 0) throw new Error("The signature refers to more than one element.")
  return signed
})

/** Searches for the start and the end separately, because one regular expression for both takes quadratic time. */
const signatureIn = (xml: string): string | undefined => {
  const start = xml.search(/<(?:[\w-]+:)?Signature[\s>]/)
  let end = -1
  for (const { 0: tag, index } of xml.matchAll(/<\/(?:[\w-]+:)?Signature>/g)) end = index + tag.length
  return start >= 0 && end > start ? xml.slice(start, end) : undefined
}

const loaded = (text: string, certificate: Certificate): SignedXml => {
  const { SignedXml } = xmlCrypto()
  const signature = new SignedXml({ publicCert: certificate.toString(), getCertFromKeyInfo: () => null })
  signature.SignatureAlgorithms = only(signature.SignatureAlgorithms, signature_algorithms)
  signature.HashAlgorithms = only(signature.HashAlgorithms, digest_algorithms)
  signature.loadSignature(text)
  return signature
}

const characters_max = 2_000_000

/**
 * Checks a signature that is inside the document and covers all of it (XAdES enveloped). None if there is no signature.
 */
export const envelopedSignature = (xml: string): Option.Option<SignatureCheck> =>
  Option.map(Option.fromUndefinedOr(signatureIn(xml)), (text) => {
    const certificates = Array.from(
      text.matchAll(/<(?:[\w-]+:)?X509Certificate>([^<]+)</g),
      ([, base64 = ""]) => base64
    ).flatMap((base64) => Option.toArray(certificateOf(base64)))
    const unchecked = (reason: string): SignatureCheck => ({ fits: null, reason, certificates })
    if (xml.length > characters_max) return unchecked("The document is too long to check its signature.")
    const [certificate] = certificates
    if (certificate === undefined) return unchecked("The signature holds no certificate.")
    try {
      const signature = loaded(text, certificate)
      if (!signature.checkSignature(xml)) return { fits: false, reason: wrong, certificates }
      const isWhole = signature.getReferences().some(({ uri }) => uri === "" || isRoot(xml, uri ?? ""))
      return {
        fits: isWhole,
        reason: isWhole ? null : "The signature does not cover the whole document.",
        certificates
      }
    } catch (cause) {
      const isWrong = String(cause).includes("invalid signature")
      return isWrong
        ? { fits: false, reason: wrong, certificates }
        : unchecked("The form of the signature is not supported.")
    }
  })

const wrong = "The signature does not match the content."

/** True if the URI refers to the root element by its id. */
const isRoot = (xml: string, uri: string): boolean => {
  const [root = ""] = /<[A-Za-z_][^>]*>/.exec(xml) ?? []
  return uri.startsWith("#") && ["Id", "ID"].some((name) => root.includes(` ${name}="${uri.slice(1)}"`))
}

/** Keeps the algorithms whose URIs end with one of `names`. */
const only = <A>(all: Readonly<Record<string, A>>, names: ReadonlyArray<string>): Record<string, A> =>
  Object.fromEntries(Object.entries(all).filter(([uri]) => names.some((name) => uri.endsWith(`#${name}`))))

const dsig = "http://www.w3.org/2000/09/xmldsig#"
const canonical_form = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
const sha1 = `${dsig}sha1`
const sha256 = "http://www.w3.org/2001/04/xmlenc#sha256"
/** The object identifier of XML documents. */
const xml_object = "urn:oid:1.2.840.10003.5.109.10"

/** A document with the rules under which a signature is made. */
interface SignaturePolicy {
  readonly identifier: string
  /** SHA-1 of the document in base64, as its publisher states it. */
  readonly sha1: string
  readonly location: string
}

interface Signing {
  readonly policy: SignaturePolicy
  /** Time of the signature in RFC 3339, with the offset of the signer's time zone. */
  readonly signed_at: string
  /** XPath of the element to which the signature is appended as the last child. */
  readonly place: string
}

/** Signs with RSA and SHA-256 inside the document (XAdES enveloped, EPES: ETSI TS 101 903, now ETSI EN 319 132). */
export const signedEnveloped = (xml: string, { certificate, key }: SigningIdentity, signing: Signing): string => {
  const id = `xmldsig-${sha256Hex(xml).slice(0, 32)}`
  const [document, properties] = [`${id}-ref0`, `${id}-signedprops`]
  const { SignedXml } = xmlCrypto()
  const signature = new SignedXml({
    privateKey: key.export({ format: "pem", type: "pkcs8" }),
    publicCert: certificate.toString(),
    canonicalizationAlgorithm: canonical_form,
    signatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    objects: [{ content: qualifyingProperties(certificate, signing, { id, document, properties }) }]
  })
  signature.addReference({
    id: document,
    xpath: "/*",
    isEmptyUri: true,
    transforms: [`${dsig}enveloped-signature`],
    digestAlgorithm: sha256
  })
  signature.addReference({
    xpath: `//*[@Id='${properties}']`,
    type: "http://uri.etsi.org/01903#SignedProperties",
    transforms: [canonical_form],
    digestAlgorithm: sha256
  })
  signature.computeSignature(xml, {
    prefix: "ds",
    attrs: { Id: id },
    location: { reference: signing.place, action: "append" }
  })
  return signature.getSignedXml()
}

interface Names {
  readonly id: string
  readonly document: string
  readonly properties: string
}

/** Builds the statements about who signs, when, and under which policy. The signature covers them, too. */
const qualifyingProperties = (
  certificate: Certificate,
  { policy, signed_at }: Signing,
  { document, id, properties }: Names
): string => {
  const signer = element(
    "xades:Cert",
    element(
      "xades:CertDigest",
      digestMethod(sha256),
      textElement("ds:DigestValue", hash("sha256", certificate.raw, "base64"))
    ),
    element(
      "xades:IssuerSerial",
      textElement("ds:X509IssuerName", certificate.issuer.split("\n").toReversed().join(",")),
      textElement("ds:X509SerialNumber", String(BigInt(`0x${certificate.serialNumber}`)))
    )
  )
  const policyId = element(
    "xades:SignaturePolicyId",
    element("xades:SigPolicyId", textElement("xades:Identifier", policy.identifier), "<xades:Description/>"),
    element("xades:SigPolicyHash", digestMethod(sha1), textElement("ds:DigestValue", policy.sha1)),
    element(
      "xades:SigPolicyQualifiers",
      element("xades:SigPolicyQualifier", textElement("xades:SPURI", policy.location))
    )
  )
  const stated = element(
    "xades:SignedSignatureProperties",
    textElement("xades:SigningTime", signed_at),
    element("xades:SigningCertificate", signer),
    element("xades:SignaturePolicyIdentifier", policyId)
  )
  const format = [
    element("xades:ObjectIdentifier", textElement("xades:Identifier", xml_object)),
    textElement("xades:MimeType", "text/xml"),
    textElement("xades:Encoding", "UTF-8")
  ].join("")
  return [
    `<xades:QualifyingProperties xmlns:xades="http://uri.etsi.org/01903/v1.3.2#" xmlns:ds="${dsig}" Target="#${id}">`,
    `<xades:SignedProperties Id="${properties}">${stated}<xades:SignedDataObjectProperties>`,
    `<xades:DataObjectFormat ObjectReference="#${document}">${format}</xades:DataObjectFormat>`,
    "</xades:SignedDataObjectProperties></xades:SignedProperties></xades:QualifyingProperties>"
  ].join("")
}

const digestMethod = (algorithm: string) => `<ds:DigestMethod Algorithm="${algorithm}"/>`
