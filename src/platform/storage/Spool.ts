import { Context, Effect, FileSystem, Layer, Path, type PlatformError, type Scope, Stream } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { AppConfig } from "../config/AppConfig.ts"
import type { LocalFile } from "./BlobStore.ts"
import { dataFolder } from "./DataFolder.ts"
import { removeStaleFiles } from "./StaleFiles.ts"
import { StorageUnavailable } from "./StorageUnavailable.ts"

const owner_only_file = 0o600
/** Suffices to recognize the format of a file: XML may begin with a comment as long as a licence. */
const head_bytes = 65_536

export interface SpooledFile extends LocalFile {
  /** The first bytes of the content, at most `head_bytes`. */
  readonly head: Uint8Array
}

/** Writes the body of a request to disk while it arrives, so that memory does not grow with the size of the body. */
export class Spool extends Context.Service<
  Spool,
  {
    /** Writes the bytes to a file with a generated name, which is removed when the scope ends. */
    readonly keep: <E>(
      bytes: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<SpooledFile, E | StorageUnavailable, Scope.Scope>
  }
>()("invoicing/platform/storage/Spool") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const folder = path.join((yield* AppConfig).dataDir, "spool")
      yield* dataFolder(folder)
      yield* removeStaleFiles(folder)

      const keep = Effect.fn("Spool.keep")(function* <E>(bytes: Stream.Stream<Uint8Array, E>) {
        const name = path.join(folder, randomUUID())
        yield* Effect.addFinalizer(() => Effect.ignore(files.remove(name, { force: true })))
        const hash = createHash("sha256")
        let size = 0
        let head = Buffer.alloc(0)
        const write = Effect.gen(function* () {
          const file = yield* orOutOfOrder(files.open(name, { flag: "wx", mode: owner_only_file }))
          yield* Stream.runForEach(bytes, (chunk) => {
            hash.update(chunk)
            if (size < head_bytes) head = Buffer.concat([head, chunk.subarray(0, head_bytes - size)])
            size += chunk.length
            return orOutOfOrder(file.writeAll(chunk))
          })
        })
        yield* Effect.scoped(write)
        return { path: name, size, sha256: hash.digest("hex"), head }
      })

      return Spool.of({ keep })
    })
  )
}

const orOutOfOrder = <A, R>(write: Effect.Effect<A, PlatformError.PlatformError, R>) =>
  write.pipe(
    Effect.tapError((error) => Effect.logError("spool failed", error)),
    Effect.mapError(() => StorageUnavailable.of())
  )
