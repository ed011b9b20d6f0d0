import type { SignerInfo } from "@peculiar/asn1-cms"
import type { BaseBlock } from "asn1js"
import { Option } from "effect"
import { constants, createHash, verify, X509Certificate } from "node:crypto"
import { atFirstUse } from "../../packages/AtFirstUse.ts"
import type { SignatureCheck } from "./Certificates.ts"

const asn1 = atFirstUse("@peculiar/asn1-schema")
const cms = atFirstUse("@peculiar/asn1-cms")
const ber = atFirstUse("asn1js")

/** Accepted hash functions by object identifier. SHA-1 is not accepted, because it no longer proves who signed. */
const digests: Readonly<Record<string, string>> = {
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512"
}
const rsa_pss = "1.2.840.113549.1.1.10"
const message_digest = "1.2.840.113549.1.9.4"
const signing_certificate_v2 = "1.2.840.113549.1.9.16.2.47"
const default_certificate_digest = "sha256"

/**
 * Checks the signatures of a CMS message (CAdES, S/MIME) over its own content, or over `detached` content. None if the
 * bytes are not such a message.
 */
export const cmsSignature = Option.liftThrowable((bytes: Uint8Array, detached?: Uint8Array): SignatureCheck => {
  const { AsnConvert } = asn1()
  const { ContentInfo, SignedData } = cms()
  const { content } = AsnConvert.parse(bytes, ContentInfo)
  const { encapContentInfo, signerInfos } = AsnConvert.parse(content, SignedData)
  const { eContent } = encapContentInfo
  const own = eContent?.single?.buffer ?? (eContent?.any === undefined ? undefined : joined(eContent.any))
  const signed = detached ?? (own === undefined ? undefined : new Uint8Array(own))
  const { certificates, signed_attributes } = encodedPartsOf(content)
  if (signed === undefined) return { fits: false, reason: "The signature has no content.", certificates }
  const checks = Array.from(signerInfos, (signer, index) =>
    checkedSigner({ signer, attributes: signed_attributes[index] }, signed, certificates)
  )
  const failure = checks.find(({ fits }) => fits !== true)
  return failure ?? checks[0] ?? { fits: false, reason: "The file has no signature.", certificates }
})

/** Joins the parts into which a streaming signer divides the content. */
const joined = (any: ArrayBuffer): ArrayBuffer => {
  const { fromBER, OctetString } = ber()
  const { result } = fromBER(any)
  if (!(result instanceof OctetString)) throw new TypeError("The signed file has no content.")
  return result.getValue()
}

/** Returns certificates and signed attributes in their original encoding, because signatures cover these bytes. */
const encodedPartsOf = (signed_data: ArrayBuffer) => {
  const { fromBER, Sequence } = ber()
  const parts = childrenOf(fromBER(signed_data).result)
  const certificates = childrenOf(parts.find(isFirstOption)).filter((block) => block instanceof Sequence)
  return {
    certificates: certificates.flatMap((block) => Option.toArray(parsed(block.valueBeforeDecodeView))),
    signed_attributes: childrenOf(parts.at(-1)).map(
      (signer) => childrenOf(signer).find(isFirstOption)?.valueBeforeDecodeView
    )
  }
}

const childrenOf = (block: BaseBlock | undefined): ReadonlyArray<BaseBlock> =>
  block instanceof ber().Constructed ? block.valueBlock.value : []

/** True for context tag 0, which marks the certificates of a message and the attributes of a signer. */
const isFirstOption = ({ idBlock }: BaseBlock): boolean => idBlock.tagClass === 3 && idBlock.tagNumber === 0

const parsed = Option.liftThrowable((der: Uint8Array) => new X509Certificate(der))

interface Signer {
  readonly signer: SignerInfo
  /** The signed attributes as DER; undefined when the signature covers only the content. */
  readonly attributes: Uint8Array | undefined
}

const checkedSigner = (
  { attributes, signer }: Signer,
  content: Uint8Array,
  certificates: ReadonlyArray<X509Certificate>
): SignatureCheck => {
  const digest = digests[signer.digestAlgorithm.algorithm]
  if (digest === undefined)
    return { fits: null, reason: "The algorithm of the signature is not supported.", certificates }
  const certificate = certificates.find(
    (one) => isSigner(signer, one) && verifies({ signer, attributes }, one, { content, digest })
  )
  if (certificate === undefined)
    return { fits: false, reason: "The signature does not match the content.", certificates }
  return { fits: true, reason: null, certificates: [certificate, ...certificates.filter((one) => one !== certificate)] }
}

const isSigner = ({ sid }: SignerInfo, certificate: X509Certificate): boolean => {
  const serial = sid.issuerAndSerialNumber?.serialNumber
  return (
    serial === undefined ||
    BigInt(`0x${Buffer.from(serial).toString("hex")}`) === BigInt(`0x${certificate.serialNumber}`)
  )
}

interface Signed {
  readonly content: Uint8Array
  readonly digest: string
}

const verifies = (
  { attributes, signer }: Signer,
  certificate: X509Certificate,
  { content, digest }: Signed
): boolean => {
  const { signature, signatureAlgorithm } = signer
  const named = attributeOf(signer, signing_certificate_v2)
  if (named !== undefined && !namesCertificate(named, certificate)) return false
  if (attributes !== undefined && !statesDigest(signer, { content, digest })) return false
  const signed = attributes === undefined ? content : asSet(attributes)
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
  const key = certificate.publicKey
  const isPss = signatureAlgorithm.algorithm === rsa_pss
  return verify(digest, signed, isPss ? { key, ...pss } : key, new Uint8Array(signature.buffer))
}

const attributeOf = ({ signedAttrs }: SignerInfo, type: string): ArrayBuffer | undefined =>
  signedAttrs?.find(({ attrType }) => attrType === type)?.attrValues[0]

const statesDigest = (signer: SignerInfo, { content, digest }: Signed): boolean => {
  const stated = attributeOf(signer, message_digest)
  const computed = createHash(digest).update(content).digest()
  const { AsnConvert, OctetString } = asn1()
  return stated !== undefined && computed.equals(new Uint8Array(AsnConvert.parse(stated, OctetString).buffer))
}

const set_tag = 0x31

/** Replaces the tag of the attributes with that of a SET, because the signature covers a SET (RFC 5652, 5.4). */
const asSet = (attributes: Uint8Array): Uint8Array => Uint8Array.of(set_tag, ...attributes.subarray(1))

/** True if the attribute contains the hash of this certificate (RFC 5035), as CAdES requires. */
const namesCertificate = (attribute: ArrayBuffer, { raw }: X509Certificate): boolean => {
  const { fromBER, ObjectIdentifier, OctetString } = ber()
  const [list] = childrenOf(fromBER(attribute).result)
  const parts = childrenOf(childrenOf(list)[0])
  const [algorithm] = childrenOf(parts[0])
  const digest = algorithm instanceof ObjectIdentifier ? digests[algorithm.getValue()] : undefined
  const hash = parts.find((part) => part instanceof OctetString)
  const expected = createHash(digest ?? default_certificate_digest)
    .update(raw)
    .digest()
  return hash !== undefined && expected.equals(new Uint8Array(hash.getValue()))
}
