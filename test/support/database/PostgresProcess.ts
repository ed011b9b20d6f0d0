import { Data, Effect, Schema } from "effect"
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
  password: Schema.RedactedFromValue(Schema.String),
  notices: Schema.Array(Schema.String)
})

/** Contains the output of a process that ended before its database was ready. */
class ProcessFailed extends Data.TaggedError("ProcessFailed")<{ readonly message: string }> {}

/** A separate process that runs the embedded PostgreSQL, like `npm start`. */
interface PostgresProcess {
  readonly child: ChildProcess
  readonly started: Effect.Effect<typeof Started.Type, ProcessFailed>
  readonly exited: Effect.Effect<unknown>
}

const program = (source: string) => `
  import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
  import { Effect, Redacted } from "effect"
  import { embeddedPostgres } from "file://${source}/platform/sql/embedded/EmbeddedPostgres.ts"
  const main = Effect.gen(function* () {
    const { password, ...rest } = yield* embeddedPostgres({ dataDir: process.argv[1] })
    console.log(JSON.stringify({ ...rest, password: Redacted.value(password) }))
    yield* Effect.never
  })
  NodeRuntime.runMain(Effect.scoped(main))
`

/** Starts a process that leads a process group, like a shell's job, and is killed with the scope. */
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
        return Schema.decodeSync(Schema.fromJsonString(Started))(answer)
      }
      return {
        child,
        started: Effect.tryPromise({ try: started, catch: (cause) => new ProcessFailed({ message: String(cause) }) }),
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
