import { Effect } from "effect"
import { spawn } from "node:child_process"
import { closeSync, fchownSync, fstatSync, openSync, renameSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { PostgresHome } from "./PostgresHome.ts"

/** A running `initdb` or `postgres`. */
export interface Program {
  readonly signal: (name: NodeJS.Signals) => Effect.Effect<void>
  /** Resolves to the cause of the exit: an exit code, a signal, or the reason why the program did not start. */
  readonly ended: Effect.Effect<string>
  readonly lastWords: () => string
}

const log_bytes_max = 10_000_000
const last_words_characters_max = 2000
const fast_stop_seconds_max = 20
const immediate_stop_seconds_max = 10

/** Runs a program as the home's account until it or the scope ends. Its output goes to `postgres.log` in the home. */
export const run = (home: PostgresHome, path: string, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => launch(home, path, args)),
    stop
  )

const launch = (home: PostgresHome, path: string, args: ReadonlyArray<string>): Program => {
  const child = spawn(path, args, {
    cwd: home.directory,
    // The program gets its own process group, so Ctrl-C reaches only this process, which finishes its requests before
    // it stops the database.
    detached: true,
    // No variable is inherited, because PostgreSQL would use the caller's PGDATA or locale.
    env: { LC_ALL: "C", TZ: "UTC" },
    stdio: ["ignore", "pipe", "pipe"],
    ...home.account
  })
  const end = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message))
    child.once("close", (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const log = openLog(home)
  child.stdout.on("data", log.append)
  child.stderr.on("data", log.append)
  return {
    signal: (name) => Effect.sync(() => child.kill(name)),
    ended: Effect.promise(() => end),
    lastWords: log.lastWords
  }
}

/** A fast shutdown keeps all data. If it fails, an immediate shutdown follows, after which the next start recovers. */
const stop = ({ ended, signal }: Program) =>
  signal("SIGINT").pipe(
    Effect.andThen(ended),
    Effect.timeoutOrElse({
      duration: `${fast_stop_seconds_max} seconds`,
      orElse: () =>
        signal("SIGQUIT").pipe(Effect.andThen(ended), Effect.timeout(`${immediate_stop_seconds_max} seconds`))
    }),
    Effect.catch(() => signal("SIGKILL"))
  )

/** Drops output that a full disk cannot take, because the log must not crash the service. */
const openLog = ({ account, directory }: PostgresHome) => {
  const path = join(directory, "postgres.log")
  let lastWords = ""
  const append = (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString()).slice(-last_words_characters_max)
    try {
      const file = openSync(path, "a", 0o600)
      if (account !== undefined) fchownSync(file, account.uid, account.gid)
      writeSync(file, chunk)
      const { size } = fstatSync(file)
      closeSync(file)
      if (size > log_bytes_max) renameSync(path, `${path}.1`)
    } catch {
      return
    }
  }
  return { append, lastWords: () => lastWords.trim() }
}
