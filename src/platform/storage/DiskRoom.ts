import { Data, Effect, Option } from "effect"
import { statfs } from "node:fs/promises"
import { join } from "node:path"

/** Free space on the disk of a folder. */
interface Room {
  readonly bytes: number
  /** False if no further file can be created although bytes are free: the disk has no free inodes. */
  readonly takesFiles: boolean
}

class RoomUnknown extends Data.TaggedError("RoomUnknown")<{ readonly cause: unknown }> {}

const isAbsent = ({ cause }: RoomUnknown) => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

/** DATA_DIR, and the folder of the embedded PostgreSQL, which may be a link to another disk. */
export const dataFolders = (dataDir: string) => ({ data: dataDir, postgres: join(dataDir, "postgres") })

/** Asks the file system without writing, so that probes cost nothing. None if the folder does not exist. */
export const roomIn = (folder: string): Effect.Effect<Option.Option<Room>, RoomUnknown> =>
  Effect.tryPromise({
    try: () => statfs(folder),
    catch: (cause) => new RoomUnknown({ cause })
  }).pipe(
    Effect.map(({ bavail, bsize, ffree, files }) =>
      Option.some({ bytes: bavail * bsize, takesFiles: files === 0 || ffree > 0 })
    ),
    Effect.catchIf(isAbsent, () => Effect.succeedNone)
  )
