import { Context, Data, Effect, Layer, Option, Redacted } from "effect"
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { AppConfig } from "../config/AppConfig.ts"
import { sha256Hex } from "./Digest.ts"
import { secretKeyFile } from "./SecretKeyFile.ts"

const algorithm = "aes-256-gcm"
const version = "v1"
const nonce_bytes = 12
const tag_bytes = 16
const key_id_characters = 12

/** The sealed text was changed or is of another context, or its key is lost; a retry cannot help. */
class CannotOpen extends Data.TaggedError("CannotOpen")<{ readonly message: string }> {}

class SecretKeyMissing extends Data.TaggedError("SecretKeyMissing") {
  override readonly message =
    "SECRET_KEY must be set in production: 32 bytes in base64, as `openssl rand -base64 32` prints them."
}

/**
 * Encrypts and authenticates secrets (AES-256-GCM, NIST SP 800-38D) with a key that is not in the database. `context`
 * names the owner, e.g. `webhook:7:42`: a text cannot be opened in another context. The first key of `SECRET_KEY` seals
 * and each key opens, so keys can be rotated.
 */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    /** Returns `v1.<key id>.<nonce, ciphertext and tag in base64url>`; two calls never return the same text. */
    readonly seal: (text: string, context: string) => Effect.Effect<string>
    /** Returns the text that was passed to `seal`, and dies if the sealed text cannot be opened. */
    readonly open: (sealed: string, context: string) => Effect.Effect<string>
    /** Opens a text that comes from a client, or whose key may be lost. Returns `None` if it cannot be opened. */
    readonly tryOpen: (sealed: string, context: string) => Effect.Effect<Option.Option<string>>
  }
>()("invoicing/platform/crypto/SecretBox") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { databaseUrl, dataDir, production, secretKeys } = yield* AppConfig
      // A key file exists on one machine only, but processes on several machines may share an external database.
      if (secretKeys.length === 0 && production && Option.isSome(databaseUrl)) return yield* new SecretKeyMissing()
      const configured = secretKeys.length === 0 ? [yield* secretKeyFile(dataDir, "secret.key")] : secretKeys
      const [current, ...former] = configured.map(keyOf)
      if (current === undefined) return yield* new SecretKeyMissing()
      const keys = new Map([current, ...former].map((key) => [key.id, key]))

      const seal = (text: string, context: string) => Effect.sync(() => encrypt(current, text, context))

      const opened = Effect.fnUntraced(function* (sealed: string, context: string) {
        const [, id = "", content = ""] = new RegExp(`^${version}\\.([^.]+)\\.([^.]+)$`).exec(sealed) ?? []
        const key = keys.get(id)
        if (key === undefined) return yield* new CannotOpen({ message: `SECRET_KEY has no key with the id "${id}".` })
        return yield* Effect.try({
          try: () => decrypt(key, Buffer.from(content, "base64url"), context),
          catch: () =>
            new CannotOpen({ message: `The secret of "${context}" was changed, or belongs to another context.` })
        })
      })

      return SecretBox.of({
        seal,
        open: (sealed, context) => Effect.orDie(opened(sealed, context)),
        tryOpen: (sealed, context) => Effect.option(opened(sealed, context))
      })
    })
  )
}

interface Key {
  readonly id: string
  readonly bytes: Uint8Array
}

/** The id of a key is a part of its SHA-256. It identifies the key, but reveals nothing about its 256 random bits. */
export const keyOf = (base64: Redacted.Redacted): Key => {
  const bytes = Buffer.from(Redacted.value(base64), "base64")
  return { id: sha256Hex(bytes).slice(0, key_id_characters), bytes }
}

const associated = (key: Key, context: string) => Buffer.from(`${version}.${key.id}.${context}`)

const encrypt = (key: Key, text: string, context: string): string => {
  const nonce = randomBytes(nonce_bytes)
  const cipher = createCipheriv(algorithm, key.bytes, nonce, { authTagLength: tag_bytes })
  cipher.setAAD(associated(key, context))
  const content = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
  return `${version}.${key.id}.${content.toString("base64url")}`
}

const decrypt = (key: Key, content: Uint8Array, context: string): string => {
  const decipher = createDecipheriv(algorithm, key.bytes, content.subarray(0, nonce_bytes), {
    authTagLength: tag_bytes
  })
  decipher.setAAD(associated(key, context))
  decipher.setAuthTag(content.subarray(-tag_bytes))
  return decipher.update(content.subarray(nonce_bytes, -tag_bytes), undefined, "utf8") + decipher.final("utf8")
}
