import { Effect } from "effect"
import { spawn } from "node:child_process"
import { closeSync, fchownSync, fstatSync, openSync, renameSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { PostgresHome } from "./PostgresHome.ts"

/** A running `initdb` or `postgres`. */
export interface Program {
  readonly signal: (name: NodeJS.Signals) => Effect.Effect<void>
  /** How it ended: an exit code, a signal, or why it did not even start. */
  readonly ended: Effect.Effect<string>
  readonly lastWords: () => string
}

const log_bytes_max = 10_000_000
const last_words_characters_max = 2000
const fast_stop_seconds_max = 20
const immediate_stop_seconds_max = 10

/** Runs as the home's account until it ends or the scope does. Its output goes to `postgres.log` in the home. */
export const run = (home: PostgresHome, path: string, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => launch(home, path, args)),
    stop
  )

const launch = (home: PostgresHome, path: string, args: ReadonlyArray<string>): Program => {
  const child = spawn(path, args, {
    cwd: home.directory,
    // A session of its own: Ctrl-C reaches only this process, which ends the requests before the database.
    detached: true,
    // Nothing is inherited, since a PGDATA or a locale of the caller would count.
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

/** Fast shutdown, which ends the sessions and keeps everything; then an immediate one, repaired by the next start. */
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

/** What a full disk does not take is dropped: the log must not end the service. */
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
