import type { Attribute, CertificateChoices, SignerInfo } from "@peculiar/asn1-cms"
import { createHash, type KeyObject, sign } from "node:crypto"
import { atFirstUse } from "../../packages/AtFirstUse.ts"
import type { Certificate } from "./Certificates.ts"
import type { SigningIdentity } from "./Pkcs12.ts"

const asn1 = atFirstUse("@peculiar/asn1-schema")
const cms = atFirstUse("@peculiar/asn1-cms")
const x509 = atFirstUse("@peculiar/asn1-x509")
const ber = atFirstUse("asn1js")

const signing_certificate_v2 = "1.2.840.113549.1.9.16.2.47"
const sha256 = { algorithm: "2.16.840.1.101.3.4.2.1" }
const rsa_with_sha256 = { algorithm: "1.2.840.113549.1.1.11", parameters: null }
const ecdsa_with_sha256 = { algorithm: "1.2.840.10045.4.3.2" }

const hashOf = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()

export const canSign = ({ asymmetricKeyType }: KeyObject): boolean =>
  asymmetricKeyType === "rsa" || asymmetricKeyType === "ec"

/** Returns the message of a `.p7m` file: CAdES-BES (ETSI EN 319 122-1), enveloping, with the signer's certificate. */
export const cmsSigned = (content: Uint8Array, identity: SigningIdentity, at: Date): Uint8Array => {
  const { AsnConvert, OctetString } = asn1()
  const forms = cms()
  const message = new forms.SignedData({
    version: forms.CMSVersion.v1,
    digestAlgorithms: new forms.DigestAlgorithmIdentifiers([new forms.DigestAlgorithmIdentifier(sha256)]),
    encapContentInfo: new forms.EncapsulatedContentInfo({
      eContentType: forms.id_data,
      eContent: new forms.EncapsulatedContent({ single: new OctetString(content) })
    }),
    certificates: new forms.CertificateSet([embedded(identity.certificate)]),
    signerInfos: new forms.SignerInfos([signerOf(content, identity, at)])
  })
  const info = new forms.ContentInfo({ contentType: forms.id_signedData, content: AsnConvert.serialize(message) })
  return new Uint8Array(AsnConvert.serialize(info))
}

const signerOf = (content: Uint8Array, { certificate, key }: SigningIdentity, at: Date): SignerInfo => {
  const { AsnConvert, AsnSerializer, OctetString } = asn1()
  const forms = cms()
  const signedAttrs = attributesOf(content, certificate, at)
  const { issuer, serialNumber } = AsnConvert.parse(certificate.raw, x509().Certificate).tbsCertificate
  const algorithm = key.asymmetricKeyType === "ec" ? ecdsa_with_sha256 : rsa_with_sha256
  // The signature covers the attributes as a SET (RFC 5652, 5.4).
  const signed = new (ber().Set)({ value: signedAttrs.map((attribute) => AsnSerializer.toASN(attribute)) }).toBER()
  return new forms.SignerInfo({
    version: forms.CMSVersion.v1,
    sid: new forms.SignerIdentifier({
      issuerAndSerialNumber: new forms.IssuerAndSerialNumber({ issuer, serialNumber })
    }),
    digestAlgorithm: new forms.DigestAlgorithmIdentifier(sha256),
    signedAttrs,
    signatureAlgorithm: new forms.SignatureAlgorithmIdentifier(algorithm),
    signature: new OctetString(sign("sha256", new Uint8Array(signed), key))
  })
}

/** Returns the signed attributes, sorted by their encodings, as DER requires of a SET. */
const attributesOf = (content: Uint8Array, { raw }: Certificate, at: Date): Array<Attribute> => {
  const { id_contentType, id_data, id_messageDigest, id_signingTime, SigningTime } = cms()
  const { ObjectIdentifier, OctetString, Sequence } = ber()
  // The attribute that identifies the signer's certificate (ESSCertIDv2, RFC 5035) contains only its SHA-256.
  const named = new Sequence({ value: [new OctetString({ valueHex: hashOf(raw) })] })
  const attributes = [
    attribute(id_contentType, new ObjectIdentifier({ value: id_data })),
    attribute(id_messageDigest, new (asn1().OctetString)(hashOf(content))),
    attribute(id_signingTime, new SigningTime(at)),
    attribute(signing_certificate_v2, new Sequence({ value: [new Sequence({ value: [named] })] }))
  ]
  return attributes.toSorted((left, right) => Buffer.compare(encoded(left), encoded(right)))
}

const attribute = (attrType: string, value: unknown) =>
  new (cms().Attribute)({ attrType, attrValues: [asn1().AsnConvert.serialize(value)] })

const encoded = (value: Attribute): Uint8Array => new Uint8Array(asn1().AsnConvert.serialize(value))

/**
 * Embeds the certificate byte for byte, because signatures cover these bytes. The serializer calls `toASN` only on a
 * value that also has `fromASN`.
 */
const embedded = ({ raw }: Certificate): CertificateChoices => {
  const toASN = () => ber().fromBER(raw).result
  return Object.assign(new (cms().CertificateChoices)(), { toASN, fromASN: toASN })
}
