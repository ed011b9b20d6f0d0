import { Effect, Stream } from "effect"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { writeBackup } from "../../../src/platform/backup/BackupFile.ts"

const folder = mkdtempSync(join(tmpdir(), "invoicing-backup-"))
afterAll(() => rmSync(folder, { recursive: true }))

it("a backup that fails while it writes an entry ends with its reason, and leaves no file", async () => {
  const file = join(folder, "full.backup")
  // The invalid recipient makes the backup fail while it writes the entry, as a full disk would.
  const writing = Effect.gen(function* () {
    const writer = yield* writeBackup(file, { recipients: ["age1"] })
    const bytes = Stream.fromEffectRepeat(Effect.as(Effect.sleep("5 millis"), new Uint8Array(65_536))).pipe(
      Stream.take(100)
    )
    yield* writer.add({ name: "rows", size: 100 * 65_536 }, bytes)
    yield* writer.finish
  })
  const failure = await Effect.runPromise(Effect.scoped(Effect.flip(writing)))
  expect(failure.message).toContain(`The backup ${file} cannot be written: `)
  expect(readdirSync(folder)).toEqual([])
})
