import { Effect } from "effect"
import { createHmac, randomBytes } from "node:crypto"

const random_bytes = 32
const prefix = "whsec_"

/** Returns `whsec_` and 256 random bits in base64, the format of a Standard Webhooks secret. */
export const newSigningSecret: Effect.Effect<string> = Effect.sync(
  () => prefix + randomBytes(random_bytes).toString("base64")
)

/** HMAC-SHA256 in hex; the key is the secret's text, so `openssl dgst -sha256 -hmac` prints the same. */
export const bodySignature = (secret: string, body: string): string =>
  createHmac("sha256", secret).update(body).digest("hex")

/** Standard Webhooks 1.0: `v1,` and the base64 HMAC-SHA256 of `id.seconds.body`; `seconds` are those since 1970. */
export const standardSignature = (secret: string, id: string, seconds: number, body: string): string =>
  `v1,${createHmac("sha256", standardKey(secret)).update(`${id}.${seconds}.${body}`).digest("base64")}`

const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The key is the base64 text after `whsec_`. Any other secret is itself the key. */
const standardKey = (secret: string): Uint8Array => {
  const encoded = secret.slice(prefix.length)
  const isStandard = secret.startsWith(prefix) && base64.test(encoded)
  return isStandard ? Buffer.from(encoded, "base64") : Buffer.from(secret, "utf8")
}
