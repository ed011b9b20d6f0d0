import {
  Attribute,
  CertificateChoices,
  CertificateSet,
  CMSVersion,
  ContentInfo,
  DigestAlgorithmIdentifier,
  DigestAlgorithmIdentifiers,
  EncapsulatedContent,
  EncapsulatedContentInfo,
  id_contentType,
  id_data,
  id_messageDigest,
  id_signedData,
  id_signingTime,
  IssuerAndSerialNumber,
  SignatureAlgorithmIdentifier,
  SignedData,
  SignerIdentifier,
  SignerInfo,
  SignerInfos,
  SigningTime
} from "@peculiar/asn1-cms"
import { AsnConvert, AsnSerializer, OctetString } from "@peculiar/asn1-schema"
import { Certificate as CertificateFields } from "@peculiar/asn1-x509"
import { fromBER, ObjectIdentifier, OctetString as OctetBlock, Sequence, Set as SetBlock } from "asn1js"
import { createHash, type KeyObject, sign } from "node:crypto"
import type { Certificate } from "./Certificates.ts"
import type { SigningIdentity } from "./Pkcs12.ts"

const signing_certificate_v2 = "1.2.840.113549.1.9.16.2.47"
const sha256 = new DigestAlgorithmIdentifier({ algorithm: "2.16.840.1.101.3.4.2.1" })
const rsa_with_sha256 = new SignatureAlgorithmIdentifier({ algorithm: "1.2.840.113549.1.1.11", parameters: null })
const ecdsa_with_sha256 = new SignatureAlgorithmIdentifier({ algorithm: "1.2.840.10045.4.3.2" })

const hashOf = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

/** True for the kinds of keys with which `cmsSigned` signs. */
export const canSign = ({ asymmetricKeyType }: KeyObject): boolean =>
  asymmetricKeyType === "rsa" || asymmetricKeyType === "ec"

/**
 * Signs with the signature around the content: CAdES-BES (ETSI EN 319 122-1), which a `.p7m` file holds. CAdES-BES
 * demands the certificate of the signer but not those of its issuers.
 */
export const cmsSigned = (content: Uint8Array, { certificate, key }: SigningIdentity, at: Date): Uint8Array => {
  const signedAttrs = attributesOf(content, certificate, at)
  const { issuer, serialNumber } = AsnConvert.parse(certificate.raw, CertificateFields).tbsCertificate
  // The signature covers the attributes as a SET (RFC 5652, 5.4).
  const signed = new SetBlock({ value: signedAttrs.map((attribute) => AsnSerializer.toASN(attribute)) }).toBER()
  const signer = new SignerInfo({
    version: CMSVersion.v1,
    sid: new SignerIdentifier({ issuerAndSerialNumber: new IssuerAndSerialNumber({ issuer, serialNumber }) }),
    digestAlgorithm: sha256,
    signedAttrs,
    signatureAlgorithm: key.asymmetricKeyType === "ec" ? ecdsa_with_sha256 : rsa_with_sha256,
    signature: new OctetString(sign("sha256", new Uint8Array(signed), key))
  })
  const message = new SignedData({
    version: CMSVersion.v1,
    digestAlgorithms: new DigestAlgorithmIdentifiers([sha256]),
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: id_data,
      eContent: new EncapsulatedContent({ single: new OctetString(content) })
    }),
    certificates: new CertificateSet([embedded(certificate)]),
    signerInfos: new SignerInfos([signer])
  })
  const info = new ContentInfo({ contentType: id_signedData, content: AsnConvert.serialize(message) })
  return new Uint8Array(AsnConvert.serialize(info))
}

/** Returns the signed attributes, sorted by their encodings as the members of every SET are. */
const attributesOf = (content: Uint8Array, { raw }: Certificate, at: Date): Array<Attribute> => {
  // The list of ESSCertIDv2 (RFC 5035) has the SHA-256 of the signer's certificate as its only value.
  const named = new Sequence({ value: [new OctetBlock({ valueHex: hashOf(raw) })] })
  const attributes = [
    attribute(id_contentType, new ObjectIdentifier({ value: id_data })),
    attribute(id_messageDigest, new OctetString(hashOf(content))),
    attribute(id_signingTime, new SigningTime(at)),
    attribute(signing_certificate_v2, new Sequence({ value: [new Sequence({ value: [named] })] }))
  ]
  return attributes.toSorted((left, right) => Buffer.compare(encoded(left), encoded(right)))
}

const attribute = (attrType: string, value: unknown) =>
  new Attribute({ attrType, attrValues: [AsnConvert.serialize(value)] })

const encoded = (value: Attribute): Uint8Array => new Uint8Array(AsnConvert.serialize(value))

/**
 * Embeds a certificate byte for byte, because its hash and the signature of its issuer cover these bytes. The serializer
 * uses `toASN` of the values that have `fromASN` too.
 */
const embedded = ({ raw }: Certificate): CertificateChoices => {
  const toASN = () => fromBER(raw).result
  return Object.assign(new CertificateChoices(), { toASN, fromASN: toASN })
}
