import { Effect, FileSystem } from "effect"
import { migrate } from "../../src/platform/sql/Migrations.ts"

/** Builds the schema as it was before a migration. */
export const migrateUntil = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const directory = yield* fs.makeTempDirectoryScoped()
  for (const name of yield* fs.readDirectory("migrations")) {
    if (name < file) yield* fs.copyFile(`migrations/${name}`, `${directory}/${name}`)
  }
  yield* migrate(directory)
})
