import { Effect } from "effect"
import { createHash, hash, randomBytes, timingSafeEqual } from "node:crypto"

const random_bytes = 32

/** `prefix_` and 256 random bits in base64url (43 characters). The prefix lets secret scanners recognise the kind. */
export const newToken = (prefix: string): Effect.Effect<string> =>
  Effect.sync(() => `${prefix}_${randomBytes(random_bytes).toString("base64url")}`)

/**
 * SHA-256 (32 bytes), the only form in which a token is stored. No salt: 256 random bits cannot be guessed.
 * By way of hex text it costs 0.33 us, asked for a Buffer 0.74 us, and this runs on every request.
 */
export const hashToken = (token: string): Uint8Array => Buffer.from(hash("sha256", token, "hex"), "hex")

/** Equality whose duration tells nothing about the content; unequal lengths are allowed. */
export const sameSecret = (a: string | Uint8Array, b: string | Uint8Array): boolean =>
  timingSafeEqual(digest(a), digest(b))

const digest = (secret: string | Uint8Array) => createHash("sha256").update(secret).digest()
