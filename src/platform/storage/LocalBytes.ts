import { readFile } from "node:fs/promises"

/** Reads a whole local file in a child process, where no services exist. */
export const readLocal = (path: string): Promise<Uint8Array> => readFile(path)
