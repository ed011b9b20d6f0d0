import { Effect, Exit, Scope } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Connection } from "../../src/platform/sql/Database.ts"
import { embeddedPostgres } from "../../src/platform/sql/embedded/EmbeddedPostgres.ts"

/** An immediate shutdown; a kill of all processes; a kill of one session, after which the server restarts by itself. */
export const crashes = ["immediate", "killed", "session killed"] as const
type Crash = (typeof crashes)[number]

const look_interval_ms = 20
const ending_ms_max = 20_000

/** A PostgreSQL server whose data survives crashes, and whose port stays the same after a restart. */
export interface DatabaseServer {
  readonly connection: Connection
  /** Resolves when the processes of the server have ended, or immediately if only a session was killed. */
  readonly crash: (kind: Crash) => Promise<void>
  /** Starts the server after a crash; PostgreSQL recovers from its write-ahead log. */
  readonly restart: () => Promise<void>
}

export const databaseServer = (dataDir: string) =>
  Effect.gen(function* () {
    let scope = yield* Scope.make()
    const start = Effect.suspend(() => Scope.provide(embeddedPostgres({ dataDir }), scope))
    const stop = Effect.suspend(() => Scope.close(scope, Exit.void))
    yield* Effect.addFinalizer(() => stop)
    const connection: Connection = yield* start
    const home = join(dataDir, "postgres", "data")
    const postmaster = () => Number(readFileSync(join(home, "postmaster.pid"), "utf8").split("\n", 1)[0])

    const crash = async (kind: Crash) => {
      const pid = postmaster()
      const children = childrenOf(pid)
      if (kind === "session killed") return end(children.filter(isSession).slice(0, 1), "SIGKILL")
      end([pid], kind === "immediate" ? "SIGQUIT" : "SIGKILL")
      if (kind === "killed") end(children, "SIGKILL")
      const ends = Date.now() + ending_ms_max
      while ([pid, ...children].some(runs) && Date.now() < ends) await sleep(look_interval_ms)
    }

    const again = Effect.gen(function* () {
      yield* stop
      scope = yield* Scope.make()
      yield* start
    })
    const run = Effect.runPromiseWith(yield* Effect.context())
    return { connection, crash, restart: () => run(again) } satisfies DatabaseServer
  })

const ps = (columns: string, pid: number) => {
  try {
    return execFileSync("ps", ["-o", `${columns}=`, "-p", String(pid)], { encoding: "utf8" }).trim()
  } catch {
    return ""
  }
}

const childrenOf = (pid: number): ReadonlyArray<number> =>
  execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))

/** PostgreSQL puts user, database and client in the title of a session's process. */
const isSession = (pid: number) => /^postgres: \w+ invoicing /.test(ps("command", pid))

/** True if the process runs. A zombie process has ended, although its parent has not read its exit status yet. */
const runs = (pid: number) => !/^Z?$/.test(ps("stat", pid).slice(0, 1))

const end = (pids: ReadonlyArray<number>, signal: NodeJS.Signals) => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has already ended.
    }
  }
}
