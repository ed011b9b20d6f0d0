import { chmodSync, readFileSync, writeFileSync } from "node:fs"

/** Damages a read-only file of the storage as a failing disk would, and returns a function that repairs it. */
export const damaged = (path: string, change: (bytes: Buffer) => Buffer) => {
  const bytes = readFileSync(path)
  chmodSync(path, 0o600)
  writeFileSync(path, change(bytes))
  return () => writeFileSync(path, bytes)
}
