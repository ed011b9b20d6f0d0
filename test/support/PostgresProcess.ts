import { Effect, Schema } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"

const Started = Schema.Struct({
  host: Schema.String,
  port: Schema.Int,
  database: Schema.String,
  username: Schema.String,
  password: Schema.Redacted(Schema.String),
  notices: Schema.Array(Schema.String)
})

/** A process of its own that runs the embedded PostgreSQL, as `npm start` does. */
export interface PostgresProcess {
  readonly child: ChildProcess
  /** Fails with what the process printed when it ends instead. */
  readonly started: Effect.Effect<typeof Started.Type, Error>
  readonly exited: Effect.Effect<unknown>
}

const program = (source: string) => `
  import { NodeRuntime } from "@effect/platform-node"
  import { Effect, Redacted } from "effect"
  import { embeddedPostgres } from "file://${source}/platform/sql/EmbeddedPostgres.ts"
  const main = Effect.gen(function* () {
    const { password, ...rest } = yield* embeddedPostgres({ dataDir: process.argv[1] })
    console.log(JSON.stringify({ ...rest, password: Redacted.value(password) }))
    yield* Effect.never
  })
  NodeRuntime.runMain(Effect.scoped(main))
`

/** It leads a process group, as a shell's job does, and is killed with the scope. */
export const postgresProcess = (
  dataDir: string,
  options: { readonly uid?: number; readonly gid?: number; readonly source?: string } = {}
) =>
  Effect.acquireRelease(
    Effect.sync((): PostgresProcess => {
      const { source = resolve("src"), ...account } = options
      const child = spawn(process.execPath, ["--input-type=module", "-e", program(source), dataDir], {
        cwd: resolve(source, ".."),
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
        ...account
      })
      const errors = text(child.stderr)
      const output: Array<string> = []
      const lines = createInterface(child.stdout).on("line", (line) => output.push(line))
      const exit = once(child, "close")
      const started = async () => {
        await Promise.race([once(lines, "line"), exit])
        const answer = output.find((line) => line.startsWith("{"))
        if (answer === undefined) throw new Error([...output, await errors].join("\n"))
        return Schema.decodeUnknownSync(Schema.fromJsonString(Started))(answer)
      }
      return {
        child,
        started: Effect.tryPromise({ try: started, catch: (cause) => new Error(String(cause)) }),
        exited: Effect.promise(() => exit)
      }
    }),
    ({ child, exited }) =>
      child.exitCode === null && child.signalCode === null
        ? Effect.andThen(
            Effect.sync(() => child.kill("SIGTERM")),
            exited
          )
        : Effect.void
  )
