import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"

const size = "256m"
const filler = ".filler"
/** Sizes in bytes of the writes that fill the storage. The smallest is one page, so that none stays free. */
const chunks_bytes = [1_048_576, 65_536, 4_096]

/** The data folder of the service, on its own file system where the machine permits that. */
export interface Storage {
  readonly folder: string
  /** False if this process may not mount a file system. Then the storage cannot be filled. */
  readonly canFill: boolean
  readonly fill: () => void
  readonly empty: () => void
}

export const storage = (folder: string) =>
  Effect.acquireRelease(
    Effect.sync((): Storage => {
      mkdirSync(folder)
      const canFill = mount(folder)
      return { folder, canFill, fill: () => fill(folder), empty: () => rmSync(join(folder, filler), { force: true }) }
    }),
    ({ canFill }) => Effect.sync(() => canFill && run("umount", ["-l", folder]))
  )

const mount = (folder: string) =>
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  run("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700`, "invoicing-faults", folder])

const run = (program: string, args: ReadonlyArray<string>) => {
  try {
    execFileSync(program, args, { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

/** Fills the file system, so that every later write fails with a real ENOSPC. */
const fill = (folder: string) => {
  const file = openSync(join(folder, filler), "w")
  for (const bytes of chunks_bytes) writeUntilFull(file, Buffer.alloc(bytes))
  closeSync(file)
}

const writeUntilFull = (file: number, chunk: Buffer) => {
  try {
    while (writeSync(file, chunk) === chunk.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
  }
}
