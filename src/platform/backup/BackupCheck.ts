import { Effect, Option, Schema, Stream } from "effect"
import { type BackupEntry, BackupFileFailed, readBackup, type Unlock } from "./BackupFile.ts"
import {
  backup_format,
  Header,
  header_entry,
  Manifest,
  manifest_entry,
  objects_folder,
  tables_folder,
  type TableRecord
} from "./Manifest.ts"
import { ObjectTally, TableTally } from "./Tally.ts"

const Format = Schema.fromJsonString(Schema.Struct({ format: Schema.Int }))
const decodeFormat = Schema.decodeEffect(Format)
const decodeHeader = Schema.decodeEffect(Schema.fromJsonString(Header))
const decodeManifest = Schema.decodeEffect(Schema.fromJsonString(Manifest))

/** Reads only the header, which is fast even for a large backup. */
export const headerOf = Effect.fn("BackupCheck.header")(function* (file: string, unlock: Unlock) {
  const first = yield* Stream.runHead(Stream.mapEffect(Stream.take(readBackup(file, unlock), 1), headerIn(file)))
  if (Option.isNone(first)) return yield* damaged(file, "it has no header")
  return first.value
}, Effect.scoped)

const headerIn = (file: string) =>
  Effect.fnUntraced(function* (entry: BackupEntry) {
    if (entry.name !== header_entry) return yield* damaged(file, "it has no header")
    const text = yield* textOf(entry)
    const { format } = yield* decodeFormat(text).pipe(Effect.catch(() => damaged(file, "its header is not JSON")))
    if (format > backup_format) {
      const message = `${file} has the format ${format} of a newer version: install that version to restore it.`
      return yield* new BackupFileFailed({ message })
    }
    return yield* decodeHeader(text).pipe(Effect.catch(() => damaged(file, "its header is incomplete")))
  })

/** Reads the whole backup and compares it with its manifest, so that nothing is restored from a damaged file. */
export const checkBackup = Effect.fn("BackupCheck.check")(function* (file: string, unlock: Unlock) {
  const tables = new Map<string, TableTally>()
  const objects = new ObjectTally()
  let manifest = Option.none<Manifest>()
  yield* Stream.runForEach(
    readBackup(file, unlock),
    Effect.fnUntraced(function* (entry) {
      const [folder, name = ""] = entry.name.split("/")
      if (entry.name === manifest_entry) {
        const read = yield* decodeManifest(yield* textOf(entry)).pipe(
          Effect.catch(() => damaged(file, "its manifest is incomplete"))
        )
        manifest = Option.some(read)
        return
      }
      const tally = folder === tables_folder ? tallyOf(tables, name) : objects
      if (folder === objects_folder) objects.begin(entry.name.slice(objects_folder.length + 1), entry.size)
      const isRead = folder === tables_folder || folder === objects_folder
      yield* Stream.runForEach(entry.bytes, (bytes) => Effect.sync(() => isRead && tally.add(bytes)))
    })
  )
  if (Option.isNone(manifest)) return yield* damaged(file, "its end is missing")
  const found = new Map([...tables].map(([name, tally]) => [name, tally.record(name, [])]))
  const differing = manifest.value.tables.find((table) => !isSame(table, found.get(table.name)))
  if (differing !== undefined) return yield* damaged(file, `its table ${differing.name} differs from what was written`)
  const { bytes, count, sha256 } = objects.record()
  const told = manifest.value.objects
  if (told.bytes !== bytes || told.count !== count || told.sha256 !== sha256) {
    return yield* damaged(file, "its objects differ from what was written")
  }
  return manifest.value
}, Effect.scoped)

export const isSame = (told: TableRecord, found: TableRecord | undefined): boolean =>
  found !== undefined && told.rows === found.rows && told.sha256 === found.sha256

const tallyOf = (tables: Map<string, TableTally>, name: string) => {
  const tally = tables.get(name) ?? new TableTally()
  tables.set(name, tally)
  return tally
}

const textOf = (entry: BackupEntry) => Stream.mkString(Stream.decodeText(entry.bytes))

const damaged = (file: string, why: string) =>
  Effect.fail(new BackupFileFailed({ message: `The backup ${file} is damaged or cut off: ${why}.` }))
