import { Effect, Stream } from "effect"
import { BlobKey, BlobStore } from "../storage/BlobStore.ts"
import type { BackupWriter } from "./BackupFile.ts"
import { quoted, type Table } from "./Catalogue.ts"
import type { CopySession } from "./CopySession.ts"
import { objects_folder } from "./Manifest.ts"
import { ObjectTally } from "./Tally.ts"

/** Name of every column that holds the key of a stored object. */
const key_column = "object_key"
const missing_named_max = 100

interface Reference {
  readonly key: BlobKey
  /** The time until which a store with Object Lock keeps the object; empty if nothing locks it. */
  readonly retain_until: string
}

/**
 * Writes the objects to which rows of the snapshot refer. It may run long after the snapshot was taken, because objects
 * are never overwritten. An object is missing if it has been deleted since, or if its row was written before its
 * upload.
 */
export const objectsDump = Effect.fnUntraced(function* (
  writer: BackupWriter,
  progress: (count: number) => Effect.Effect<void>
) {
  const blobs = yield* BlobStore
  const tally = new ObjectTally()
  const missing: Array<string> = []
  let missing_objects = 0

  const add = Effect.fnUntraced(
    function* ({ key, retain_until }: Reference) {
      const { bytes, size } = yield* blobs.get(key)
      tally.begin(key, size)
      const attributes = retain_until === "" ? {} : { retain_until }
      const counted = Stream.tap(bytes, (chunk) => Effect.sync(() => tally.add(chunk)))
      yield* writer.add({ name: `${objects_folder}/${key}`, size, attributes }, counted)
      yield* progress(tally.count)
    },
    Effect.scoped,
    Effect.catchTag("BlobMissing", ({ key }) =>
      Effect.sync(() => {
        missing_objects += 1
        if (missing.length < missing_named_max) missing.push(key)
      })
    )
  )
  const record = () => ({ objects: tally.record(), missing_objects, missing })
  return { add, record }
})

/** Reads the keys of all objects to which rows of the snapshot refer. */
export const referencesOf = (session: CopySession, tables: ReadonlyArray<Table>) => {
  const selects = tables
    .filter(({ columns }) => columns.includes(key_column))
    .map(({ columns, name, where = "true" }) => {
      const retained = columns.includes("retained_until")
        ? 'to_char(retained_until, \'YYYY-MM-DD"T"HH24:MI:SS"Z"\')'
        : "null"
      const kept = columns.includes("removed_at") ? "and removed_at is null" : ""
      return `select ${key_column}, coalesce(${retained}, '') from ${quoted(name)} where ${where} ${kept}`
    })
  if (selects.length === 0) return Stream.empty
  return session.copyOut(selects.join(" union all ")).pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.filter((line) => line !== ""),
    Stream.map((line): Reference => {
      const [key = "", retain_until = ""] = line.split("\t")
      return { key: BlobKey.make(key), retain_until }
    })
  )
}
