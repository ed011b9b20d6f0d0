import { Data, Effect, Redacted, Schema, Stream } from "effect"
import { once } from "node:events"
import { dirname } from "node:path"
import { Client } from "pg"
import { from, to } from "pg-copy-streams"
import type { Connection } from "../sql/Database.ts"
import { addressOf } from "../sql/Servers.ts"

export class CopyFailed extends Data.TaggedError("CopyFailed")<{ readonly message: string }> {
  static of(this: void, cause: unknown) {
    return new CopyFailed({ message: `The database failed: ${cause instanceof Error ? cause.message : String(cause)}` })
  }
}

/** Receives rows in COPY's text format for a table. */
export interface CopyTarget {
  /** Waits while the server is slower than the caller. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, CopyFailed>
  readonly end: Effect.Effect<void, CopyFailed>
}

/** A connection that supports COPY, which the connections of `Database` do not. */
export interface CopySession {
  /** Begins a transaction with an optional isolation level. */
  readonly begin: (mode?: string) => Effect.Effect<void, CopyFailed>
  readonly run: (statement: string, parameters?: ReadonlyArray<unknown>) => Effect.Effect<void, CopyFailed>
  readonly rows: <Row>(schema: Schema.Decoder<Row>, statement: string) => Effect.Effect<ReadonlyArray<Row>, CopyFailed>
  readonly copyOut: (query: string) => Stream.Stream<Uint8Array, CopyFailed>
  readonly copyIn: (statement: string) => Effect.Effect<CopyTarget, CopyFailed>
}

/**
 * Settings that give a value the same text on every server, so that equal rows are equal bytes, and that turn off time
 * limits, because a backup takes long. They apply to one transaction only, because a pooler in transaction mode would
 * give a changed session to other clients.
 */
const settings = [
  "client_encoding = 'UTF8'",
  "timezone = 'UTC'",
  "datestyle = 'ISO, YMD'",
  "intervalstyle = 'iso_8601'",
  "extra_float_digits = 3",
  "bytea_output = 'hex'",
  "statement_timeout = 0",
  "lock_timeout = 0",
  "idle_in_transaction_session_timeout = 0"
]

export const copySession = Effect.fn("CopySession.open")(function* (connection: Connection) {
  const { host, port } = yield* Effect.mapError(addressOf(connection), CopyFailed.of)
  const client = yield* Effect.acquireRelease(
    attempt(async () => {
      const { database, password, path, ssl, username } = connection
      const address = { host: path === undefined ? host : dirname(path), port, ssl: path === undefined && ssl === true }
      const client = new Client({ ...address, database, user: username, password: Redacted.value(password) })
      // Without a listener, an `error` event would crash the process. Each statement reports its own failure.
      client.on("error", () => undefined)
      await client.connect()
      return client
    }),
    (client) => Effect.ignore(attempt(() => client.end()))
  )
  const run = (statement: string, parameters: ReadonlyArray<unknown> = []) =>
    Effect.asVoid(attempt(() => client.query(statement, [...parameters])))
  const session: CopySession = {
    begin: (mode = "") => run([`begin ${mode}`, ...settings.map((setting) => `set local ${setting}`)].join("; ")),
    run,
    rows: (schema, statement) =>
      Effect.flatMap(
        attempt(() => client.query(statement)),
        ({ rows }) => Effect.orDie(Schema.decodeEffect(Schema.Array(schema))(rows))
      ),
    copyOut: (query) =>
      Stream.suspend(() =>
        Stream.fromAsyncIterable<Uint8Array, CopyFailed>(client.query(to(`copy (${query}) to stdout`)), CopyFailed.of)
      ),
    copyIn: (statement) =>
      Effect.map(
        attempt(async () => client.query(from(statement))),
        targetOf
      )
  }
  return session
})

type CopyStream = ReturnType<typeof from>

const targetOf = (stream: CopyStream): CopyTarget => {
  const failed = new Promise<never>((_, reject) => stream.once("error", reject))
  // Without a handler, a rejection for which no write waits would crash the process.
  failed.catch(() => undefined)
  return {
    write: (bytes) =>
      attempt(async () => {
        if (stream.errored !== null) throw stream.errored
        if (!stream.write(bytes)) await Promise.race([once(stream, "drain"), failed])
      }),
    end: attempt(async () => {
      const finished = Promise.race([once(stream, "finish"), failed])
      stream.end()
      await finished
    })
  }
}

const attempt = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: CopyFailed.of })
