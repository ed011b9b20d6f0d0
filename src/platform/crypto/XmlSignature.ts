import { Option } from "effect"
import { SignedXml } from "xml-crypto"
import type { Certificate } from "./Certificates.ts"

/** SHA-1 is left out, because it no longer proves who signed. */
const signature_algorithms = ["rsa-sha256", "rsa-sha512", "ecdsa-sha256"]
const digest_algorithms = ["sha256", "sha512"]

/**
 * Returns the canonical form of what the certificate's owner has signed; none if the signature is wrong. Only this text
 * is proved, because a document may hold other elements beside it.
 */
export const signedText = Option.liftThrowable((xml: string, certificate: Certificate): string => {
  const signature = new SignedXml({ publicCert: certificate.toString(), getCertFromKeyInfo: () => null })
  signature.SignatureAlgorithms = only(signature.SignatureAlgorithms, signature_algorithms)
  signature.HashAlgorithms = only(signature.HashAlgorithms, digest_algorithms)
  const [text] = /<(?:[\w-]+:)?Signature[\s>][^]*<\/(?:[\w-]+:)?Signature>/.exec(xml) ?? []
  signature.loadSignature(text ?? "")
  if (!signature.checkSignature(xml)) throw new Error("The signature is wrong.")
  const [signed, ...others] = signature.getSignedReferences()
  if (signed === undefined || others.length > 0) throw new Error("The signature is not about one thing.")
  return signed
})

/** Keeps the algorithms whose names end with one of these. */
const only = <A>(all: Readonly<Record<string, A>>, names: ReadonlyArray<string>): Record<string, A> =>
  Object.fromEntries(Object.entries(all).filter(([uri]) => names.some((name) => uri.endsWith(`#${name}`))))
