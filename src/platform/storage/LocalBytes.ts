import { closeSync, openSync, readSync } from "node:fs"

const piece_bytes = 65_536

/** Blocks the process, so only child processes use it: they have nothing else to do. */
export const localPieces = (path: string): Iterable<Uint8Array> => ({
  *[Symbol.iterator]() {
    const file = openSync(path, "r")
    try {
      for (;;) {
        const piece = new Uint8Array(piece_bytes)
        const length = readSync(file, piece)
        if (length === 0) return
        yield piece.subarray(0, length)
      }
    } finally {
      closeSync(file)
    }
  }
})
