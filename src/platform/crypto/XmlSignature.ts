import { Option } from "effect"
import { SignedXml } from "xml-crypto"
import { type Certificate, certificateOf, type SignatureCheck } from "./Certificates.ts"

/** SHA-1 is left out, because it no longer proves who signed. */
const signature_algorithms = ["rsa-sha256", "rsa-sha512", "ecdsa-sha256"]
const digest_algorithms = ["sha256", "sha512"]

/**
 * Returns the canonical form of what the certificate's owner has signed; none if the signature is wrong. Only this text
 * is proved, because a document may hold other elements beside it.
 */
export const signedText = Option.liftThrowable((xml: string, certificate: Certificate): string => {
  const signature = loaded(signatureIn(xml) ?? "", certificate)
  if (!signature.checkSignature(xml)) throw new Error("The signature is wrong.")
  const [signed, ...others] = signature.getSignedReferences()
  if (signed === undefined || others.length > 0) throw new Error("The signature is not about one thing.")
  return signed
})

const signatureIn = (xml: string): string | undefined =>
  /<(?:[\w-]+:)?Signature[\s>][^]*<\/(?:[\w-]+:)?Signature>/.exec(xml)?.[0]

const loaded = (text: string, certificate: Certificate): SignedXml => {
  const signature = new SignedXml({ publicCert: certificate.toString(), getCertFromKeyInfo: () => null })
  signature.SignatureAlgorithms = only(signature.SignatureAlgorithms, signature_algorithms)
  signature.HashAlgorithms = only(signature.HashAlgorithms, digest_algorithms)
  signature.loadSignature(text)
  return signature
}

const characters_max = 2_000_000

/** Checks the signature inside of a document over the whole document (XAdES enveloped); none if there is no signature. */
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
      return { fits: isWhole, reason: isWhole ? null : "The signature is not about the whole document.", certificates }
    } catch (cause) {
      const isWrong = String(cause).includes("invalid signature")
      return isWrong
        ? { fits: false, reason: wrong, certificates }
        : unchecked("The form of the signature is not supported.")
    }
  })

const wrong = "The signature does not fit the content."

/** True if the reference names the root element by its id. */
const isRoot = (xml: string, uri: string): boolean => {
  const [root = ""] = /<[A-Za-z_][^>]*>/.exec(xml) ?? []
  return uri.startsWith("#") && ["Id", "ID"].some((name) => root.includes(` ${name}="${uri.slice(1)}"`))
}

/** Keeps the algorithms whose names end with one of these. */
const only = <A>(all: Readonly<Record<string, A>>, names: ReadonlyArray<string>): Record<string, A> =>
  Object.fromEntries(Object.entries(all).filter(([uri]) => names.some((name) => uri.endsWith(`#${name}`))))
