import { Data, Effect } from "effect"
import { createHash, randomBytes } from "node:crypto"
import type { Outbound } from "../../outbound/Outbound.ts"
import { atFirstUse } from "../../packages/AtFirstUse.ts"

const asn1 = atFirstUse("@peculiar/asn1-schema")
const cms = atFirstUse("@peculiar/asn1-cms")
const tsp = atFirstUse("@peculiar/asn1-tsp")
const x509 = atFirstUse("@peculiar/asn1-x509")

const request_time_limit = "10 seconds"
const answer_bytes_max = 64 * 1024
const nonce_bytes = 8
const sha256_oid = "2.16.840.1.101.3.4.2.1"

class NoTimestamp extends Data.TaggedError("NoTimestamp")<{ readonly message: string }> {}

/** Asks an authority to confirm that the bytes exist now (RFC 3161 over HTTP); returns the token in base64. */
export const requestToken = Effect.fn("requestToken")(function* (
  { request }: Outbound["Service"],
  authority: URL,
  bytes: Uint8Array
) {
  const digest = createHash("sha256").update(bytes).digest()
  const nonce = newNonce()
  const answer = yield* request({
    method: "POST",
    url: authority.href,
    headers: { "content-type": "application/timestamp-query" },
    body: queryOf(digest, nonce),
    time_limit: request_time_limit,
    answer_bytes_max,
    trusted: true
  }).pipe(Effect.mapError(({ reason }) => new NoTimestamp({ message: reason })))
  if (answer.status !== 200) return yield* new NoTimestamp({ message: `It answered ${answer.status}.` })
  return yield* Effect.try({
    try: () => tokenIn(answer.bytes, digest, nonce),
    catch: (cause) => new NoTimestamp({ message: String(cause) })
  })
})

/** Returns a positive DER integer without leading zeros. */
const newNonce = (): Buffer => {
  const nonce = randomBytes(nonce_bytes)
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40
  return nonce
}

const queryOf = (digest: Uint8Array, nonce: Uint8Array): Uint8Array => {
  const { AsnConvert, OctetString } = asn1()
  const { MessageImprint, TimeStampReq } = tsp()
  const { AlgorithmIdentifier } = x509()
  const hashAlgorithm = new AlgorithmIdentifier({ algorithm: sha256_oid, parameters: null })
  const messageImprint = new MessageImprint({ hashAlgorithm, hashedMessage: new OctetString(digest) })
  const query = new TimeStampReq({ messageImprint, nonce: Uint8Array.from(nonce).buffer, certReq: true })
  return new Uint8Array(AsnConvert.serialize(query))
}

/** Returns the token if it covers our digest and belongs to our request. Readers of the token verify its signature. */
const tokenIn = (answer: Uint8Array, digest: Uint8Array, nonce: Uint8Array): string => {
  const { AsnConvert } = asn1()
  const { PKIStatus, TimeStampResp, TSTInfo } = tsp()
  const { status, timeStampToken } = AsnConvert.parse(answer, TimeStampResp)
  const isGranted = status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods
  if (!isGranted || timeStampToken === undefined) throw new Error(`it refused with status ${status.status}.`)
  const content = AsnConvert.parse(timeStampToken.content, cms().SignedData).encapContentInfo.eContent?.single
  if (content === undefined) throw new Error("its token is empty.")
  const { messageImprint, nonce: answered } = AsnConvert.parse(content, TSTInfo)
  const isOurs =
    Buffer.from(messageImprint.hashedMessage.buffer).equals(digest) &&
    answered !== undefined &&
    Buffer.from(answered).equals(nonce)
  if (!isOurs) throw new Error("its token belongs to another request.")
  return Buffer.from(AsnConvert.serialize(timeStampToken)).toString("base64")
}
