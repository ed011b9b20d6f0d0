import { X509Certificate } from "node:crypto"

const certificates_max = 4

/** Reads the certificates of a PEM file. Throws if one of them is malformed. */
export const certificatesIn = (pem: string): ReadonlyArray<X509Certificate> =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (text) => new X509Certificate(text)
  )

/**
 * True if the first certificate leads to a trusted one by the others, and each of them is valid at this time. The
 * sender chose the order of the others, so each step looks for the issuer among all of them.
 */
export const isTrusted = (
  [leaf, ...others]: ReadonlyArray<X509Certificate>,
  trusted: ReadonlyArray<X509Certificate>,
  at_ms: number
): boolean => {
  let current = leaf
  for (let step = 0; step < certificates_max && current !== undefined; step++) {
    const certificate = current
    if (!isValidAt(certificate, at_ms)) return false
    if (trusted.some((authority) => isValidAt(authority, at_ms) && issued(authority, certificate))) return true
    current = others.find((other) => other !== certificate && issued(other, certificate))
  }
  return false
}

const isValidAt = ({ validFromDate, validToDate }: X509Certificate, at_ms: number): boolean =>
  validFromDate.getTime() <= at_ms && at_ms <= validToDate.getTime()

const issued = (authority: X509Certificate, certificate: X509Certificate): boolean =>
  authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
