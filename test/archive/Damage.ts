import { chmodSync, readFileSync, writeFileSync } from "node:fs"

/** Damages a file that the storage holds read-only, as a failing disk would; gives back how it was. */
export const damaged = (path: string, change: (bytes: Buffer) => Buffer) => {
  const bytes = readFileSync(path)
  chmodSync(path, 0o600)
  writeFileSync(path, change(bytes))
  return () => writeFileSync(path, bytes)
}
