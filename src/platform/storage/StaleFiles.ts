import { Clock, Effect, FileSystem, Option, Path } from "effect"

/** An older unfinished file belongs to a killed process, because no request lasts that long. */
const leftover_ms = 60 * 60 * 1000

/** Removes old unfinished files from a folder that several processes may share. */
export const removeStaleFiles = Effect.fn("removeStaleFiles")(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const now = yield* Clock.currentTimeMillis
  for (const name of yield* files.readDirectory(folder)) {
    const leftover = path.join(folder, name)
    // Another process may have removed the file.
    const found = yield* Effect.option(files.stat(leftover))
    const modified = Option.flatMap(found, ({ mtime }) => mtime)
    if (Option.isSome(modified) && now - modified.value.getTime() > leftover_ms) {
      yield* Effect.ignore(files.remove(leftover, { force: true }))
    }
  }
})
