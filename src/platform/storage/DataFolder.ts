import { Data, Effect, FileSystem } from "effect"

const owner_only = 0o700

class DataFolderUnusable extends Data.TaggedError("DataFolderUnusable")<{ readonly message: string }> {}

/** Makes a folder in DATA_DIR that only the service's account can open. */
export const dataFolder = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  yield* Effect.mapError(
    files.makeDirectory(folder, { recursive: true, mode: owner_only }),
    ({ message }) =>
      new DataFolderUnusable({
        message: `The folder ${folder} cannot be made: the service must be able to write to DATA_DIR. ${message}`
      })
  )
})
