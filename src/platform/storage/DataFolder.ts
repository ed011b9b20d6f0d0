import { Data, Effect, FileSystem, type PlatformError } from "effect"

const owner_only = 0o700

class DataFolderUnusable extends Data.TaggedError("DataFolderUnusable")<{ readonly message: string }> {}

/** Explains why a folder cannot be made. On a read-only disk, Node reports that the folder was not found. */
export const whyUnwritable = ({ message, reason }: PlatformError.PlatformError): string =>
  reason._tag === "NotFound" ? "The disk is read-only, or a link is broken." : message

/** Makes a folder in DATA_DIR that only the service's account can open. */
export const dataFolder = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  yield* Effect.mapError(
    files.makeDirectory(folder, { recursive: true, mode: owner_only }),
    (error) =>
      new DataFolderUnusable({
        message: `The folder ${folder} cannot be made: the service must be able to write to DATA_DIR. ${whyUnwritable(error)}`
      })
  )
})
