import { Effect } from "effect"
import { createHmac, randomBytes } from "node:crypto"

const random_bytes = 32
const prefix = "whsec_"

/** `whsec_` and 256 random bits in base64, as Standard Webhooks writes a secret. */
export const newSigningSecret: Effect.Effect<string> = Effect.sync(
  () => prefix + randomBytes(random_bytes).toString("base64")
)

/** Lower-case hex HMAC-SHA256 of the body; the key is the secret as it is written: `openssl dgst -sha256 -hmac`. */
export const bodySignature = (secret: string, body: string): string =>
  createHmac("sha256", secret).update(body).digest("hex")

/** Standard Webhooks 1.0: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; `seconds` since the epoch. */
export const standardSignature = (secret: string, id: string, seconds: number, body: string): string =>
  `v1,${createHmac("sha256", standardKey(secret)).update(`${id}.${seconds}.${body}`).digest("base64")}`

const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** What follows `whsec_` is the key in base64. A text that is not of this form is itself the key. */
const standardKey = (secret: string): Uint8Array => {
  const encoded = secret.slice(prefix.length)
  const isStandard = secret.startsWith(prefix) && base64.test(encoded)
  return isStandard ? Buffer.from(encoded, "base64") : Buffer.from(secret, "utf8")
}
