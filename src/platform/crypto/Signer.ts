import { Context, Data, Effect, Layer, Option, Redacted } from "effect"
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import { AppConfig } from "../config/AppConfig.ts"
import { secretKeyFile } from "./SecretKeyFile.ts"

class SigningKeyMissing extends Data.TaggedError("SigningKeyMissing") {
  override readonly message =
    "SIGNING_KEY must be set in production: 32 bytes in base64, as `openssl rand -base64 32` prints them."
}

/** DER prefixes of a private and of a public Ed25519 key (RFC 8410); the 32 bytes of the key follow. */
const private_key_header = Buffer.from("302e020100300506032b657004220420", "hex")
const public_key_header = Buffer.from("302a300506032b6570032100", "hex")

/**
 * Signs with an Ed25519 key (RFC 8032) that is neither in the database nor in the storage, so that somebody who can
 * change both cannot sign. The first key of `SIGNING_KEY` signs and all verify, so keys can be rotated. A key of
 * `TRUSTED_SIGNING_KEYS` never signs, and verifies only signatures that are stored with this public key.
 */
export class Signer extends Context.Service<
  Signer,
  {
    /** The 32 bytes of the public key in base64. */
    readonly public_key: string
    /** Returns the signature in base64. */
    readonly sign: (text: string) => string
    /** With `public_key`, true only if this key signed the text and is our own or a trusted one. */
    readonly isOurs: (text: string, signature: string, public_key?: string) => boolean
  }
>()("invoicing/platform/crypto/Signer") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { databaseUrl, dataDir, production, signingKeys, trustedSigningKeys } = yield* AppConfig
      // A key file exists on one machine only, but processes on several machines may share an external database.
      if (signingKeys.length === 0 && production && Option.isSome(databaseUrl)) return yield* new SigningKeyMissing()
      const configured = signingKeys.length === 0 ? [yield* secretKeyFile(dataDir, "signing.key")] : signingKeys
      const keys = configured.map(keyOf)
      const [current] = keys
      if (current === undefined) return yield* new SigningKeyMissing()

      const known = [...keys, ...trustedSigningKeys.map(trusted)]
      const isOurs = (text: string, signature: string, public_key?: string) =>
        (public_key === undefined ? keys : known.filter((key) => key.public_key === public_key)).some(({ verifying }) =>
          verify(null, Buffer.from(text), verifying, Buffer.from(signature, "base64"))
        )

      return Signer.of({
        public_key: current.public_key,
        sign: (text) => sign(null, Buffer.from(text), current.signing).toString("base64"),
        isOurs
      })
    })
  )
}

interface Key {
  readonly signing: KeyObject
  readonly verifying: KeyObject
  readonly public_key: string
}

const trusted = (public_key: string): Omit<Key, "signing"> => {
  const key = Buffer.concat([public_key_header, Buffer.from(public_key, "base64")])
  return { public_key, verifying: createPublicKey({ key, format: "der", type: "spki" }) }
}

export const keyOf = (base64: Redacted.Redacted): Key => {
  const seed = Buffer.from(Redacted.value(base64), "base64")
  const signing = createPrivateKey({ key: Buffer.concat([private_key_header, seed]), format: "der", type: "pkcs8" })
  const verifying = createPublicKey(signing)
  const der = verifying.export({ format: "der", type: "spki" })
  return { signing, verifying, public_key: der.subarray(public_key_header.length).toString("base64") }
}
