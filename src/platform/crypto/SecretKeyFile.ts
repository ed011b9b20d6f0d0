import { Data, Effect, FileSystem, Path, Redacted } from "effect"
import { randomBytes } from "node:crypto"

const key_bytes = 32
const owner_only_file = 0o600
const file_name = "secret.key"

class SecretKeyFileDamaged extends Data.TaggedError("SecretKeyFileDamaged")<{ readonly message: string }> {}

/**
 * The key of this installation in base64, made on the first start. Whoever loses the file loses the secrets that it
 * sealed, so it belongs into the backup of the data folder.
 */
export const secretKeyFile = Effect.fnUntraced(function* (dataDir: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const name = path.join(dataDir, file_name)
  if (!(yield* files.exists(name))) yield* create(name, dataDir)
  const key = (yield* files.readFileString(name)).trim()
  if (Buffer.from(key, "base64").length === key_bytes) return Redacted.make(key)
  return yield* new SecretKeyFileDamaged({ message: `${name} must hold ${key_bytes} bytes in base64.` })
})

/** Complete and on disk before it has its name. Of two processes that start at once the first gives the key to both. */
const create = Effect.fnUntraced(function* (name: string, dataDir: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* files.makeDirectory(dataDir, { recursive: true })
  const unfinished = path.join(yield* files.makeTempDirectoryScoped({ directory: dataDir }), file_name)
  const file = yield* files.open(unfinished, { flag: "wx", mode: owner_only_file })
  yield* file.writeAll(Buffer.from(`${randomBytes(key_bytes).toString("base64")}\n`))
  yield* file.sync
  yield* files.link(unfinished, name).pipe(Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void))
}, Effect.scoped)
