import { Option } from "effect"
import { X509Certificate } from "node:crypto"
import { createSecureContext } from "node:tls"

const chain_length_max = 4

export type Certificate = X509Certificate

export interface SignatureCheck {
  /** True if the signature covers exactly the checked content; null if this kind of signature is not supported. */
  readonly fits: boolean | null
  /** The reason why the signature does not fit or was not checked; null if it fits. */
  readonly reason: string | null
  /** The certificates in the signature. If the signature fits, the first one is the signer's. */
  readonly certificates: ReadonlyArray<Certificate>
}

/** Throws if a certificate is malformed. */
export const certificatesIn = (pem: string): ReadonlyArray<Certificate> =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (text) => new X509Certificate(text)
  )

/** Throws if the certificate is malformed. */
export const certificateIn = (der: Uint8Array): Certificate => new X509Certificate(der)

/** Reads a certificate in base64, as it stands in XML; none if it is malformed. */
export const certificateOf = (base64: string): Option.Option<Certificate> =>
  Option.liftThrowable((text: string) => new X509Certificate(Buffer.from(text, "base64")))(base64)

/** True if the passphrase opens the file. Also false for the outdated encryption RC2, which OpenSSL 3 refuses. */
export const opensWith = (pfx: Uint8Array, passphrase: string): boolean =>
  Option.isSome(Option.liftThrowable(() => createSecureContext({ pfx: Buffer.from(pfx), passphrase }))())

/**
 * True if a chain leads from the first certificate to a trusted one, all valid at this time. The sender may put the
 * others in any order, so each step searches all of them for the issuer.
 */
export const isTrusted = (
  [leaf, ...others]: ReadonlyArray<Certificate>,
  trusted: ReadonlyArray<Certificate>,
  at_ms: number
): boolean => {
  let current = leaf
  for (let step = 0; step < chain_length_max && current !== undefined; step++) {
    const certificate = current
    if (!isValidAt(certificate, at_ms)) return false
    if (trusted.some((authority) => isValidAt(authority, at_ms) && issued(authority, certificate))) return true
    current = others.find((other) => other !== certificate && issued(other, certificate))
  }
  return false
}

export const isValidAt = ({ validFromDate, validToDate }: Certificate, at_ms: number): boolean =>
  validFromDate.getTime() <= at_ms && at_ms <= validToDate.getTime()

const issued = (authority: Certificate, certificate: Certificate): boolean =>
  authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
