import { Data, Effect, FileSystem, Path, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { whyUnwritable } from "../storage/DataFolder.ts"

const key_bytes = 32
const owner_only_file = 0o600

class SecretKeyFileUnusable extends Data.TaggedError("SecretKeyFileUnusable")<{ readonly message: string }> {}

class SecretKeyFileDamaged extends Data.TaggedError("SecretKeyFileDamaged")<{ readonly message: string }> {}

/**
 * Reads this installation's key (base64), or generates it at the first start. Without the file, no secret can be opened
 * and no signature verified, so a backup of the data folder must include it.
 */
export const secretKeyFile = (dataDir: string, file_name: "secret.key" | "signing.key") =>
  Effect.catchTag(readOrCreate(dataDir, file_name), "PlatformError", (error) =>
    Effect.fail(
      new SecretKeyFileUnusable({
        message: `${file_name} in DATA_DIR ${dataDir} cannot be read or made. ${whyUnwritable(error)}`
      })
    )
  )

const readOrCreate = Effect.fnUntraced(function* (dataDir: string, file_name: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const name = path.join(dataDir, file_name)
  if (!(yield* files.exists(name))) yield* create(name, dataDir, file_name)
  const key = (yield* files.readFileString(name)).trim()
  if (Buffer.from(key, "base64").length === key_bytes) return Redacted.make(key)
  return yield* new SecretKeyFileDamaged({ message: `${name} must hold ${key_bytes} bytes in base64.` })
})

/** The file gets its name when it is complete, so that two processes that start together use the same key. */
const create = Effect.fnUntraced(function* (name: string, dataDir: string, file_name: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* files.makeDirectory(dataDir, { recursive: true })
  const unfinished = path.join(yield* files.makeTempDirectoryScoped({ directory: dataDir }), file_name)
  const file = yield* files.open(unfinished, { flag: "wx", mode: owner_only_file })
  yield* file.writeAll(Buffer.from(`${randomBytes(key_bytes).toString("base64")}\n`))
  yield* file.sync
  yield* files.link(unfinished, name).pipe(Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void))
}, Effect.scoped)
