import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { freePort } from "../../test/support/counterparts/FreePort.ts"
import { answering } from "../../test/support/service/Process.ts"
import { childOfTool } from "./Tool.ts"

/** A program that is measured or attacked, in its own process. */
export interface ServiceProcess {
  readonly port: number
  readonly pid: number
  readonly process: ChildProcess
}

interface Start {
  /** The program to start, which must answer on /health/live; the default is the service. */
  readonly program?: string
  readonly flags?: ReadonlyArray<string>
  readonly variables: NodeJS.ProcessEnv
  /** The folder of another version of the program. */
  readonly folder?: string
  readonly port?: number
}

/** Environment variables about memory that `npm start` and the Docker image set, too. */
export const memory_variables = { MALLOC_ARENA_MAX: "2", NODE_OPTIONS: "--max-semi-space-size=16" }
/** Option of Node in `npm start` and the Docker image. It is an argument, as `NODE_OPTIONS` does not allow it. */
const collecting = "--no-parallel-scavenge"

export const startProcess = async ({
  flags = [],
  folder,
  port: fixed,
  program = "src/main.ts",
  variables
}: Start): Promise<ServiceProcess> => {
  const port = fixed ?? (await freePort())
  const child = childOfTool(
    spawn(process.execPath, [collecting, ...flags, program], {
      env: { ...variables, PORT: String(port) },
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"]
    })
  )
  await answering(child, `http://127.0.0.1:${port}/health/live`)
  return { port, pid: child.pid ?? 0, process: child }
}

/** Resident memory in megabytes. */
export const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024
