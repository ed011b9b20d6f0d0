import { Constructed, fromBER, ObjectIdentifier } from "asn1js"
import { createHash, type KeyObject, sign } from "node:crypto"
import type { Certificate } from "./Certificates.ts"
import type { KeyFile } from "./KeyFile.ts"

const sequence = 0x30
const set = 0x31
const octets = 0x04
const utc_time = 0x17
/** The context tag 0. */
const option = 0xa0
const version_1 = Uint8Array.of(0x02, 1, 1)
const null_value = Uint8Array.of(0x05, 0)
const byte_max = 0x7f

/** Writes a value of the Distinguished Encoding Rules (X.690). */
const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const body = Buffer.concat(parts)
  if (body.length <= byte_max) return Buffer.concat([Uint8Array.of(tag, body.length), body])
  const digits = body.length.toString(16)
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex")
  return Buffer.concat([Uint8Array.of(tag, byte_max + 1 + length.length), length, body])
}

const oid = (value: string): Uint8Array => new Uint8Array(new ObjectIdentifier({ value }).toBER())

const data = oid("1.2.840.113549.1.7.1")
const signed_data = oid("1.2.840.113549.1.7.2")
const content_type = oid("1.2.840.113549.1.9.3")
const message_digest = oid("1.2.840.113549.1.9.4")
const signing_time = oid("1.2.840.113549.1.9.5")
const signing_certificate_v2 = oid("1.2.840.113549.1.9.16.2.47")
const sha256 = der(sequence, oid("2.16.840.1.101.3.4.2.1"))
const rsa_with_sha256 = der(sequence, oid("1.2.840.113549.1.1.11"), null_value)
const ecdsa_with_sha256 = der(sequence, oid("1.2.840.10045.4.3.2"))

const hashOf = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

/** True for the kinds of keys with which `cmsSigned` signs. */
export const canSign = ({ asymmetricKeyType }: KeyObject): boolean =>
  asymmetricKeyType === "rsa" || asymmetricKeyType === "ec"

/** Signs with the signature around the content: CAdES-BES (ETSI EN 319 122-1), which a `.p7m` file holds. */
export const cmsSigned = (content: Uint8Array, { certificates, key }: KeyFile, at: Date): Uint8Array => {
  const [owner] = certificates
  const attributes = attributesOf(content, owner, at)
  const { issuer, serial } = namesOf(owner)
  const signer = der(
    sequence,
    version_1,
    der(sequence, issuer, serial),
    sha256,
    der(option, ...attributes),
    key.asymmetricKeyType === "ec" ? ecdsa_with_sha256 : rsa_with_sha256,
    // The signature is about the attributes as a SET (RFC 5652, 5.4).
    der(octets, sign("sha256", der(set, ...attributes), key))
  )
  const signed = der(
    sequence,
    version_1,
    der(set, sha256),
    der(sequence, data, der(option, der(octets, content))),
    der(option, ...certificates.map(({ raw }) => raw)),
    der(set, signer)
  )
  return der(sequence, signed_data, der(option, signed))
}

/** The members of a SET are sorted by their encoding. */
const attributesOf = (content: Uint8Array, owner: Certificate, at: Date): ReadonlyArray<Uint8Array> =>
  [
    attribute(content_type, data),
    attribute(message_digest, der(octets, hashOf(content))),
    attribute(
      signing_time,
      der(
        utc_time,
        Buffer.from(
          `${at
            .toISOString()
            .replace(/[-:T]|\..*/g, "")
            .slice(2)}Z`
        )
      )
    ),
    attribute(signing_certificate_v2, der(sequence, der(sequence, der(sequence, der(octets, hashOf(owner.raw))))))
  ].toSorted((left, right) => Buffer.compare(left, right))

const attribute = (type: Uint8Array, value: Uint8Array): Uint8Array => der(sequence, type, der(set, value))

const explicit_version = 0

/** Returns the issuer and the serial number as the certificate encodes them. */
const namesOf = ({ raw }: Certificate) => {
  const [tbs] = childrenOf(fromBER(raw).result)
  const fields = childrenOf(tbs).filter(
    ({ idBlock }) => !(idBlock.tagClass === 3 && idBlock.tagNumber === explicit_version)
  )
  const [serial, , issuer] = fields.map(({ valueBeforeDecodeView }) => valueBeforeDecodeView)
  if (serial === undefined || issuer === undefined) throw new TypeError("The certificate is malformed.")
  return { serial, issuer }
}

const childrenOf = (block: ReturnType<typeof fromBER>["result"] | undefined) =>
  block instanceof Constructed ? block.valueBlock.value : []
