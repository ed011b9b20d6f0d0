import { Effect, FileSystem, Layer, Option, Path, type PlatformError, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { BlobExists, type BlobKey, BlobMissing, BlobStore, type LocalFile, type StoragePlace } from "./BlobStore.ts"
import { dataFolder } from "./DataFolder.ts"
import { removeStaleFiles } from "./StaleFiles.ts"
import { StorageUnavailable } from "./StorageUnavailable.ts"

const owner_only_folder = 0o700
const owner_reads_file = 0o400
const chunk_bytes = 64 * 1024
const known_folders_max = 100_000

const place: StoragePlace = { bucket: "objects", account: "local", region: "local" }

/**
 * Read-only files below `folder`, at the path of the key. A file gets its name by a hard link, which is atomic and,
 * unlike a rename, never replaces a file. A source file on another file system is copied first. The owner of a disk can
 * delete any file, so a retention is not enforced.
 */
export const blobStoreDisk = (folder: string) =>
  Layer.effect(
    BlobStore,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const incoming = path.join(folder, "incoming")
      yield* dataFolder(incoming)
      yield* removeStaleFiles(incoming)

      const pathOf = (key: BlobKey) => path.join(folder, ...key.split("/"))

      const sync = (name: string) => Effect.scoped(Effect.flatMap(files.open(name, { flag: "r" }), ({ sync }) => sync))

      /** Folders that this process has synced to disk. */
      const known = new Set<string>()

      /** Syncs the folders of a new file to the disk; otherwise, its name could be lost if the machine stops. */
      const syncFolders = Effect.fnUntraced(function* (name: string) {
        const synced = []
        for (let current = name; current.length >= folder.length; current = path.dirname(current)) {
          yield* sync(current)
          if (known.has(current)) break
          synced.push(current)
        }
        if (known.size > known_folders_max) known.clear()
        for (const folder of synced) known.add(folder)
      })

      const copy = Effect.fnUntraced(function* (from: string, to: string) {
        const file = yield* files.open(to, { flag: "wx", mode: owner_reads_file })
        yield* Stream.runForEach(files.stream(from, { chunkSize: chunk_bytes }), (chunk) => file.writeAll(chunk))
        yield* file.sync
      }, Effect.scoped)

      /** Links the file. The target's folder is created only if the link fails, because most folders exist. */
      const link = (from: string, to: string) =>
        files
          .link(from, to)
          .pipe(
            onReason("NotFound", () =>
              Effect.andThen(
                files.makeDirectory(path.dirname(to), { recursive: true, mode: owner_only_folder }),
                files.link(from, to)
              )
            )
          )

      const linkCopy = Effect.fnUntraced(function* (from: string, to: string) {
        const unfinished = path.join(incoming, randomUUID())
        yield* Effect.addFinalizer(() => Effect.ignore(files.remove(unfinished, { force: true })))
        yield* copy(from, unfinished)
        yield* link(unfinished, to)
      }, Effect.scoped)

      const put = Effect.fn("BlobStore.put")(
        function* (key: BlobKey, { path: from }: LocalFile) {
          const target = pathOf(key)
          yield* files.chmod(from, owner_reads_file)
          yield* sync(from)
          // A link to another file system fails, and Effect reports this failure as "Unknown".
          yield* link(from, target).pipe(onReason("Unknown", () => linkCopy(from, target)))
          yield* syncFolders(path.dirname(target))
        },
        (effect, key) =>
          Effect.catchTag(effect, "PlatformError", (error) => failing(error, "AlreadyExists", new BlobExists({ key })))
      )

      const get = Effect.fn("BlobStore.get")(
        function* (key: BlobKey) {
          const file = yield* files.open(pathOf(key), { flag: "r" })
          const { size } = yield* file.stat
          let left = Number(size)
          // Most objects are smaller than a chunk; a buffer of their size saves more than half the time of a read.
          const chunk = Effect.suspend(() =>
            left > 0 ? file.readAlloc(Math.min(left, chunk_bytes)) : Effect.succeedNone
          )
          const bytes = Stream.fromEffectRepeat(
            Effect.tap(chunk, (read) => Effect.sync(() => (left -= Option.isSome(read) ? read.value.length : 0)))
          ).pipe(
            Stream.takeWhile(Option.isSome),
            Stream.map(({ value }) => value),
            Stream.mapError(() => StorageUnavailable.of())
          )
          return { size: Number(size), bytes }
        },
        (effect, key) =>
          Effect.catchTag(effect, "PlatformError", (error) => failing(error, "NotFound", new BlobMissing({ key })))
      )

      const remove = Effect.fn("BlobStore.remove")(
        function* (key: BlobKey) {
          yield* files.remove(pathOf(key), { force: true })
          yield* sync(path.dirname(pathOf(key)))
        },
        Effect.catchTag("PlatformError", (error) =>
          // If nothing was ever stored in the object's folder, the folder does not exist either.
          error.reason._tag === "NotFound" ? Effect.void : outOfOrder(error)
        )
      )

      return BlobStore.of({ place, locks: Effect.succeed(false), put, retain: () => Effect.void, get, remove })
    })
  )

type Failure = PlatformError.PlatformError

const onReason =
  (reason: Failure["reason"]["_tag"], instead: () => Effect.Effect<void, Failure>) =>
  (effect: Effect.Effect<void, Failure>) =>
    Effect.catchIf(effect, (error) => error.reason._tag === reason, instead)

/** Fails with `instead` if the failure has this `reason`. Any other failure is reported as an outage of the storage. */
const failing = <E>(
  error: Failure,
  reason: Failure["reason"]["_tag"],
  instead: E
): Effect.Effect<never, E | StorageUnavailable> =>
  error.reason._tag === reason ? Effect.fail(instead) : outOfOrder(error)

const outOfOrder = (error: Failure) =>
  Effect.andThen(Effect.logError("storage failed", error), Effect.fail(StorageUnavailable.of()))
