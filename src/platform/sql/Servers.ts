import { type PgClient, PgConnection } from "@effect/sql-pg"
import { Data, Effect, Result, Schedule, Schema, Semaphore } from "effect"
import { connect, type Socket } from "node:net"
import { checkServerIdentity, type PeerCertificate } from "node:tls"
import type { Connection } from "./Database.ts"

interface Server {
  readonly host: string
  readonly port: number
}

const State = Schema.Struct({ standby: Schema.Boolean, read_only: Schema.Boolean })

/** Values of libpq's `target_session_attrs`, with the servers that each accepts. */
const accepted = {
  any: () => true,
  "read-write": ({ read_only }) => !read_only,
  "read-only": ({ read_only }) => read_only,
  primary: ({ standby }) => !standby,
  standby: ({ standby }) => standby,
  "prefer-standby": ({ standby }) => standby
} satisfies Record<string, (state: typeof State.Type) => boolean>

export type ServerKind = keyof typeof accepted
export const isServerKind = (text: string): text is ServerKind => Object.hasOwn(accepted, text)
export const server_kinds = Object.keys(accepted)

/** Several servers, of which one is used at a time, and the kind of server that the used one must be. */
export interface ServerChoice {
  readonly servers: ReadonlyArray<Server>
  readonly kind: ServerKind
}

/** Time limit for querying a server; a server that does not answer in time counts as lost. */
const ask_timeout = "2 seconds"
/** Time for which new connections reuse the last chosen server, so that many connections query a server only once. */
const answer_ms = 250
/** A lost machine closes no connection, so the used server is checked this often. */
const watch_interval = "2 seconds"
const keep_alive_ms = 10_000

const askState = "select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as read_only"

const ask = (connection: Connection, server: Server) =>
  Effect.gen(function* () {
    const session = yield* PgConnection.make({ ...connection, ...server, connectTimeout: ask_timeout })
    const { rows } = yield* session.query(askState)
    return yield* Schema.decodeUnknownEffect(Schema.Tuple([State]))(rows)
  }).pipe(
    Effect.map(([state]) => state),
    Effect.scoped,
    Effect.timeout(ask_timeout),
    Effect.withTracerEnabled(false)
  )

class OtherKind extends Data.TaggedError("OtherKind")<{ readonly message: string }> {
  static of({ host, port }: Server, kind: ServerKind) {
    return new OtherKind({ message: `The database server ${host}:${port} is not ${kind}.` })
  }
}

/**
 * Returns a server of the wanted kind: the current one, or else the first that answers. If the kind is `prefer-standby`
 * and no standby answers, returns any server.
 */
const findServer = (connection: Connection, { kind, servers }: ServerChoice, used: Server | undefined) => {
  const check = (server: Server, kind: ServerKind) =>
    ask(connection, server).pipe(
      Effect.filterOrFail(accepted[kind], () => OtherKind.of(server, kind)),
      Effect.as(server)
    )
  const race = (kind: ServerKind) => Effect.raceAll(servers.map((server) => check(server, kind)))
  const found = kind === "prefer-standby" ? Effect.catchCause(race(kind), () => race("any")) : race(kind)
  return used === undefined ? found : Effect.catchCause(check(used, kind), () => found)
}

/** The only server of the connection, or the chosen one of several. */
export const addressOf = (connection: Connection) =>
  connection.choice === undefined
    ? Effect.succeed<Server>(connection)
    : findServer(connection, connection.choice, undefined)

type RouteSettings = Pick<PgClient.PgClientConfig, "password" | "ssl" | "stream">

/**
 * Accepts a certificate that names any of the servers, because the driver would accept only the name of the first one.
 */
const identityOf = (servers: ReadonlyArray<Server>) => ({
  checkServerIdentity: (_: string, certificate: PeerCertificate) =>
    servers.some(({ host }) => checkServerIdentity(host, certificate) === undefined)
      ? undefined
      : new Error("The certificate does not name any of the database servers.")
})

/**
 * For each connection, the driver requests the password and then a socket, so the server is chosen when the password is
 * requested. When another server takes over, all connections to the former one are closed, so that the pools replace
 * them.
 */
export const serverSettings = Effect.fnUntraced(function* (connection: Connection) {
  const { choice, password, ssl } = connection
  if (choice === undefined) return {}
  const sockets = new Map<Socket, Server>()
  const oneAtATime = yield* Semaphore.make(1)
  let used: Server | undefined
  let refusal: string | undefined
  let asked_at = -Infinity

  const choose = Effect.suspend(() => Effect.result(findServer(connection, choice, used))).pipe(
    Effect.map((found) => {
      asked_at = performance.now()
      refusal = Result.isFailure(found) ? `None of the database servers is ${choice.kind}.` : undefined
      if (Result.isFailure(found) || found.success === used) return
      used = found.success
      for (const [socket, server] of sockets) if (server !== used) socket.destroy()
    })
  )
  const chooseOnce = oneAtATime.withPermit(
    Effect.suspend(() => (performance.now() - asked_at < answer_ms ? Effect.void : choose))
  )
  yield* Effect.forkScoped(Effect.repeat(oneAtATime.withPermit(choose), Schedule.spaced(watch_interval)))

  const stream = () => {
    // The driver reports an error that is thrown here as a failed connection.
    if (used === undefined || refusal !== undefined) throw new Error(refusal)
    const socket = connect({ ...used, noDelay: true, keepAlive: true, keepAliveInitialDelay: keep_alive_ms })
    sockets.set(socket, used)
    return socket.once("close", () => sockets.delete(socket))
  }
  const settings: RouteSettings = {
    stream,
    password: Effect.as(chooseOnce, password),
    ssl: ssl === true ? identityOf(choice.servers) : false
  }
  return settings
})
