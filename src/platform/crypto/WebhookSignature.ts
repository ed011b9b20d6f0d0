import { Effect } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import { isStandardSecret, standard_prefix } from "./SigningSecret.ts"

const random_bytes = 32

/** Returns `whsec_` and 256 random bits in base64, the format of a Standard Webhooks secret. */
export const newSigningSecret: Effect.Effect<string> = Effect.sync(
  () => standard_prefix + randomBytes(random_bytes).toString("base64")
)

/** HMAC-SHA256 in hex; the key is the secret's text, so `openssl dgst -sha256 -hmac` prints the same. */
export const bodySignature = (secret: string, body: string): string =>
  createHmac("sha256", secret).update(body).digest("hex")

/** Standard Webhooks 1.0: `v1,` and the base64 HMAC-SHA256 of `id.seconds.body`; `seconds` are those since 1970. */
export const standardSignature = (secret: string, id: string, seconds: number, body: string): string =>
  `v1,${createHmac("sha256", standardKey(secret)).update(`${id}.${seconds}.${body}`).digest("base64")}`

/** Any other secret is itself the key; old webhooks may also have such a secret that begins with `whsec_`. */
const standardKey = (secret: string): Uint8Array =>
  isStandardSecret(secret) ? Buffer.from(secret.slice(standard_prefix.length), "base64") : Buffer.from(secret, "utf8")
