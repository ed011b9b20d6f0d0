import { createHash } from "node:crypto"
import type { TableRecord } from "./Manifest.ts"

const newline = 10

/** Counts and hashes the rows of a table, each of which is one line of COPY's text format. */
export class TableTally {
  rows = 0
  private readonly hash = createHash("sha256")

  add(bytes: Uint8Array): void {
    this.hash.update(bytes)
    for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) this.rows += 1
  }

  record(name: string, columns: ReadonlyArray<string>): TableRecord {
    return { name, columns, rows: this.rows, sha256: this.hash.digest("hex") }
  }
}

export class ObjectTally {
  count = 0
  bytes = 0
  private readonly hash = createHash("sha256")

  begin(key: string, size: number): void {
    this.count += 1
    this.bytes += size
    this.hash.update(`${key} ${size}\n`)
  }

  add(bytes: Uint8Array): void {
    this.hash.update(bytes)
  }

  record() {
    return { count: this.count, bytes: this.bytes, sha256: this.hash.digest("hex") }
  }
}
