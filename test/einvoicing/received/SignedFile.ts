/** A value of ASN.1 in its distinguished encoding. */
export const tlv = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Uint8Array.of(tag, ...size), content])
}
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, "hex"))
const data_oid = oid("2a864886f70d010701")
const signed_oid = oid("2a864886f70d010702")

/** A signed file around the content, without the certificates and signatures, which nobody reads here. */
export const enveloped = (octets: Uint8Array): Uint8Array => {
  const content = tlv(0x30, data_oid, tlv(0xa0, octets))
  return tlv(0x30, signed_oid, tlv(0xa0, tlv(0x30, tlv(0x02, Uint8Array.of(1)), tlv(0x31), content, tlv(0x31))))
}
