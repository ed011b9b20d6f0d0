import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"

const size = "256m"
const filler = ".filler"
/** From coarse to fine, so that not even a page is left. */
const chunks_bytes = [1_048_576, 65_536, 4_096]

/** The data folder of the service, on a file system of its own where this machine allows that. */
export interface Storage {
  readonly folder: string
  /** None: nothing may be mounted here, so it cannot be full. */
  readonly canFill: boolean
  readonly fill: () => void
  readonly empty: () => void
}

/** In `folder`, which is made. */
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

/** Real ENOSPC for whoever writes from now on. */
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
