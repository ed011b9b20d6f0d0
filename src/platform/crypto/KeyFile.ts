import { Constructed, fromBER, Integer, ObjectIdentifier, OctetString } from "asn1js"
import { Option } from "effect"
import { createDecipheriv, createPrivateKey, type KeyObject, pbkdf2Sync, X509Certificate } from "node:crypto"
import { type Certificate, opensWith } from "./Certificates.ts"

/** A private key with the certificates of its owner; the first one is the owner's. */
export interface KeyFile {
  readonly key: KeyObject
  readonly certificates: readonly [Certificate, ...ReadonlyArray<Certificate>]
}

type Block = ReturnType<typeof fromBER>["result"]

const encrypted_data = "1.2.840.113549.1.7.6"
const certificate_bag = "1.2.840.113549.1.12.10.1.3"
const key_bags = ["1.2.840.113549.1.12.10.1.1", "1.2.840.113549.1.12.10.1.2"]

const ciphers: Readonly<Record<string, readonly [name: string, key_bytes: number]>> = {
  "2.16.840.1.101.3.4.1.2": ["aes-128-cbc", 16],
  "2.16.840.1.101.3.4.1.22": ["aes-192-cbc", 24],
  "2.16.840.1.101.3.4.1.42": ["aes-256-cbc", 32]
}
const pseudo_random_functions: Readonly<Record<string, string>> = {
  "1.2.840.113549.2.9": "sha256",
  "1.2.840.113549.2.10": "sha384",
  "1.2.840.113549.2.11": "sha512"
}
const default_function = "sha1"

/**
 * Opens a PKCS#12 file (RFC 7292) that is encrypted with AES (PBES2). None if the passphrase is wrong, if the file has
 * no key with a certificate, or if it is encrypted in an older way.
 */
export const keyFileOf = (pfx: Uint8Array, passphrase: string): Option.Option<KeyFile> =>
  opensWith(pfx, passphrase) ? Option.flatten(opened(pfx, passphrase)) : Option.none()

const opened = Option.liftThrowable((pfx: Uint8Array, passphrase: string): Option.Option<KeyFile> => {
  const [, content] = childrenOf(fromBER(pfx).result)
  const bags = childrenOf(contained(content)).flatMap((part) => childrenOf(safeOf(part, passphrase)))
  const found = bags.flatMap((bag) => (key_bags.includes(oidOf(childrenOf(bag)[0])) ? [inner(bag)] : []))
  const [key] = found.map((der) =>
    createPrivateKey({ key: Buffer.from(der), format: "der", type: "pkcs8", passphrase })
  )
  const certificates = bags.flatMap((bag) =>
    oidOf(childrenOf(bag)[0]) === certificate_bag ? [certificateIn(inner(bag))] : []
  )
  const owner = certificates.find((certificate) => key !== undefined && certificate.checkPrivateKey(key))
  if (key === undefined || owner === undefined) return Option.none()
  return Option.some({ key, certificates: [owner, ...certificates.filter((one) => one !== owner)] })
})

const childrenOf = (block: Block | undefined): ReadonlyArray<Block> =>
  block instanceof Constructed ? block.valueBlock.value : []

const oidOf = (block: Block | undefined): string => (block instanceof ObjectIdentifier ? block.getValue() : "")

const bytesOf = (block: Block | undefined): Uint8Array => {
  if (!(block instanceof OctetString)) throw new TypeError("The key file is malformed.")
  return new Uint8Array(block.getValue())
}

const numberOf = (block: Block | undefined): number => (block instanceof Integer ? block.valueBlock.valueDec : 0)

/** Reads the structure in the octets of a ContentInfo. */
const contained = (info: Block | undefined): Block => fromBER(bytesOf(childrenOf(childrenOf(info)[1])[0])).result

/** Returns the encoding of a bag's value. */
const inner = (bag: Block): Uint8Array => childrenOf(childrenOf(bag)[1])[0]?.valueBeforeDecodeView ?? new Uint8Array()

const certificateIn = (der: Uint8Array): Certificate =>
  new X509Certificate(bytesOf(childrenOf(childrenOf(fromBER(der).result)[1])[0]))

/** Returns the bags of a part, which may be encrypted. */
const safeOf = (part: Block, passphrase: string): Block => {
  const [type, value] = childrenOf(part)
  if (oidOf(type) !== encrypted_data) return contained(part)
  const [, algorithm, content] = childrenOf(childrenOf(childrenOf(value)[0])[1])
  return fromBER(decrypted(childrenOf(algorithm)[1], encryptedIn(content), passphrase)).result
}

/** The octets have a tag of their own, and some writers divide them. */
const encryptedIn = (content: Block | undefined): Uint8Array => {
  const parts = childrenOf(content)
  if (parts.length > 0) return Buffer.concat(parts.map(bytesOf))
  const value = content?.valueBlock
  if (value === undefined || !("valueHexView" in value)) throw new TypeError("The key file is malformed.")
  return value.valueHexView
}

/** Decrypts with PBKDF2 and AES (PBES2, RFC 8018). */
const decrypted = (parameters: Block | undefined, content: Uint8Array, passphrase: string): Uint8Array => {
  const [derivation, encryption] = childrenOf(parameters)
  const [salt, iterations, ...options] = childrenOf(childrenOf(derivation)[1])
  const [cipher, vector] = childrenOf(encryption)
  const [name, key_bytes] = ciphers[oidOf(cipher)] ?? []
  if (name === undefined || key_bytes === undefined) throw new TypeError("The key file is not encrypted with AES.")
  const digest = pseudo_random_functions[oidOf(childrenOf(options.at(-1))[0])] ?? default_function
  const key = pbkdf2Sync(passphrase, bytesOf(salt), numberOf(iterations), key_bytes, digest)
  const decipher = createDecipheriv(name, key, bytesOf(vector))
  return Buffer.concat([decipher.update(content), decipher.final()])
}
