import { Option } from "effect"
import { createPrivateKey, type KeyObject } from "node:crypto"
import { Duplex } from "node:stream"
import { createSecureContext, TLSSocket } from "node:tls"
import { atFirstUse } from "../../packages/AtFirstUse.ts"
import type { Certificate } from "./Certificates.ts"

const asn1 = atFirstUse("@peculiar/asn1-schema")
const pfxFile = atFirstUse("@peculiar/asn1-pfx")

export interface SigningIdentity {
  readonly key: KeyObject
  readonly certificate: Certificate
}

/** Type of a part of the file that is not encrypted as a whole: it contains keys that are encrypted separately. */
const plain_data = "1.2.840.113549.1.7.1"

/**
 * Reads the key and the certificate of a PKCS#12 file, which Node.js itself opens only for TLS. None if the passphrase
 * is wrong, or if there is no certificate or no separately encrypted key; all common programs encrypt keys separately.
 */
export const identityIn = Option.liftThrowable((pfx: Uint8Array, passphrase: string): SigningIdentity => {
  const { AsnConvert } = asn1()
  const { AuthenticatedSafe, PFX } = pfxFile()
  const { authSafe } = AsnConvert.parse(pfx, PFX)
  const [encrypted] = Array.from(AsnConvert.parse(contentOf(authSafe.content), AuthenticatedSafe)).flatMap(
    ({ content, contentType }) => (contentType === plain_data ? keysIn(contentOf(content)) : [])
  )
  if (encrypted === undefined) throw new Error("The file has no separately encrypted key.")
  const key = createPrivateKey({ key: Buffer.from(encrypted), format: "der", type: "pkcs8", passphrase })
  return { key, certificate: certificateIn(pfx, passphrase) }
})

const contentOf = (content: ArrayBuffer) => {
  const { AsnConvert, OctetString } = asn1()
  return AsnConvert.parse(content, OctetString).buffer
}

const keysIn = (safe: ArrayBuffer) => {
  const { id_pkcs8ShroudedKeyBag, SafeContents } = pfxFile()
  return Array.from(asn1().AsnConvert.parse(safe, SafeContents)).flatMap(({ bagId, bagValue }) =>
    bagId === id_pkcs8ShroudedKeyBag ? [bagValue] : []
  )
}

/** Returns the certificate that a TLS server with this file would present. */
const certificateIn = (pfx: Uint8Array, passphrase: string): Certificate => {
  const secureContext = createSecureContext({ pfx: Buffer.from(pfx), passphrase })
  const socket = new TLSSocket(new Duplex({ read: () => {} }), { secureContext })
  const certificate = socket.getX509Certificate()
  socket.destroy()
  if (certificate === undefined) throw new Error("The file has no certificate.")
  return certificate
}
