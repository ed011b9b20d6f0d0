import { Effect, FileSystem, Path, Redacted } from "effect"
import { AppConfig } from "../config/AppConfig.ts"
import { keyOf as secretKeyOf } from "./SecretBox.ts"
import type { secretKeyFile } from "./SecretKeyFile.ts"
import { keyOf as signingKeyOf } from "./Signer.ts"

type KeyFile = Parameters<typeof secretKeyFile>[1]

/**
 * Returns the ids of the secret keys and the public halves of the signing keys, none of which reveals a secret. Unlike
 * the start of the service, it creates no missing keys.
 */
export const installationKeys = Effect.gen(function* () {
  const { secretKeys, signingKeys } = yield* AppConfig
  const secret = secretKeys.length > 0 ? secretKeys : yield* keysIn("secret.key")
  const signing = signingKeys.length > 0 ? signingKeys : yield* keysIn("signing.key")
  return {
    secret_keys: secret.map((key) => secretKeyOf(key).id),
    signing_keys: signing.map((key) => signingKeyOf(key).public_key)
  }
})

const keysIn = Effect.fnUntraced(function* (file: KeyFile) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const name = path.join((yield* AppConfig).dataDir, file)
  if (!(yield* files.exists(name))) return []
  return [Redacted.make((yield* files.readFileString(name)).trim())]
})
