import { Effect, Stream } from "effect"
import type { BackupWriter } from "./BackupFile.ts"
import { selectOf, type Table } from "./Catalogue.ts"
import type { CopySession } from "./CopySession.ts"
import { tables_folder } from "./Manifest.ts"
import { TableTally } from "./Tally.ts"

/** Size at which an entry is written. Its rows are collected in memory, because a tar entry begins with its size. */
const part_bytes = 4 * 1024 * 1024
const part_digits = 6

/** Writes the rows of a table as the entries `tables/NAME/000000` and so on, and returns their count and hash. */
export const dumpTable = Effect.fn("DatabaseDump.table")(function* (
  session: CopySession,
  writer: BackupWriter,
  table: Table
) {
  const tally = new TableTally()
  let parts = 0
  let size = 0
  let pending: Array<Uint8Array> = []
  const flush = Effect.suspend(() => {
    const name = `${tables_folder}/${table.name}/${String(parts++).padStart(part_digits, "0")}`
    const entry = writer.add({ name, size }, Stream.fromIterable(pending))
    size = 0
    pending = []
    return entry
  })
  yield* Stream.runForEach(session.copyOut(selectOf(table)), (bytes) => {
    tally.add(bytes)
    pending.push(bytes)
    size += bytes.length
    return size < part_bytes ? Effect.void : flush
  })
  // An empty table also has one part, which is empty.
  if (size > 0 || parts === 0) yield* flush
  return tally.record(table.name, table.columns)
})

export const digestTable = Effect.fn("DatabaseDump.digest")(function* (session: CopySession, table: Table) {
  const tally = new TableTally()
  yield* Stream.runForEach(session.copyOut(selectOf(table)), (bytes) => Effect.sync(() => tally.add(bytes)))
  return tally.record(table.name, table.columns)
})
