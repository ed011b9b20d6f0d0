import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** Undefined for a proxy, which connects many callers. */
export type CallerOf = (address: string) => string | undefined

interface ConnectionLimits {
  readonly connections: number
  /** Maximum number of connections per caller, which is an address or the IPv6 network of one household. */
  readonly connectionsPerCaller: number
  /** Minimum idle time before a connection may be evicted for a new connection of the same caller. */
  readonly silentPerCaller_ms: number
  /** Limit of connections that have not yet sent a request. */
  readonly unheard: number
  /** Maximum number of pipelined requests of one connection that wait for earlier answers. */
  readonly waiting: number
}

const limits_default: ConnectionLimits = {
  /** Idle connections take 12 kB each, so 4,000 take 50 MB. */
  connections: 4_000,
  connectionsPerCaller: 256,
  /** A shorter time would evict more often in a flood. Evicting a connection costs 50 % more than refusing one. */
  silentPerCaller_ms: 1_000,
  /**
   * A client sends its first request right after it connects, so 500 suffice for thousands of new connections per
   * second. A higher limit would make garbage collection copy more data.
   */
  unheard: 500,
  /** Even clients that pipeline send only a few requests ahead. */
  waiting: 32
}

/**
 * After a 429, the next request of the connection is delayed, and the delay grows with each further 429. A closed
 * connection counts for another second. So a client that does not stop is refused only a few times per second. A client
 * that obeys `Retry-After`, which is at least a second, is never delayed.
 */
const rest_step_ms = 100
const rest_ms_max = 1_000

/** Connections that are counted together. `silent` has those without an active request, the longest silent first. */
interface Group {
  readonly max: number
  /** Minimum silent time before a connection may be evicted. */
  readonly silent_ms_min: number
  readonly open: Set<Socket>
  readonly silent: Set<Socket>
}

interface Connection {
  readonly caller: string | undefined
  readonly groups: ReadonlyArray<Group>
  /** Requests that arrived before the current one was answered. */
  readonly waiting: Array<() => void>
  silent_since_ms: number
  busy: boolean
  /** Number of 429 answers in a row. */
  refused: number
}

const newGroup = (max: number, silent_ms_min: number): Group => ({
  max,
  silent_ms_min,
  open: new Set(),
  silent: new Set()
})

/**
 * Bounds the cost of connections. If there are too many, the longest silent one is evicted, first of the same caller
 * and then of all; a caller whose connections are not silent long enough is refused instead. If too many have not sent
 * a request yet, the oldest of them is evicted. A connection has one active request, because answers are sent in order,
 * and is closed if it keeps sending requests without reading the answers.
 */
export const boundConnections = (server: Server, callerOf: CallerOf, limits = limits_default): Server => {
  const everyone = newGroup(limits.connections, 0)
  const callers = new Map<string, Group>()
  const open = new Map<Socket, Connection>()
  /** Connections without a request yet, the oldest first. */
  const unheard = new Set<Socket>()
  const emit = server.emit.bind(server)

  const groupsOf = (caller: string | undefined) => {
    if (caller === undefined) return [everyone]
    return [callers.get(caller) ?? newGroup(limits.connectionsPerCaller, limits.silentPerCaller_ms), everyone]
  }

  /** Returns the connection to evict for a new one: none, another one, or the new one itself. */
  const connectionToEvict = ({ max, open: members, silent, silent_ms_min }: Group, socket: Socket, now_ms: number) => {
    if (members.size < max) return undefined
    const [longest = socket] = silent
    const since_ms = open.get(longest)?.silent_since_ms ?? now_ms
    return now_ms - since_ms < silent_ms_min ? socket : longest
  }
  /** Returns false if the connection is refused or evicted. */
  const enter = (socket: Socket) => {
    const caller = callerOf(socket.remoteAddress ?? "")
    const groups = groupsOf(caller)
    const now_ms = performance.now()
    for (const each of groups) {
      const evicted = connectionToEvict(each, socket, now_ms)
      if (evicted !== undefined) evict(evicted)
      if (evicted === socket) return false
    }
    const [oldest] = unheard
    if (oldest !== undefined && unheard.size >= limits.unheard) evict(oldest)
    unheard.add(socket)
    const [own = everyone] = groups
    if (caller !== undefined) callers.set(caller, own)
    open.set(socket, { caller, groups, waiting: [], silent_since_ms: now_ms, busy: false, refused: 0 })
    for (const { open: members, silent } of groups) {
      members.add(socket)
      silent.add(socket)
    }
    socket.once("close", () => leave(socket))
    return true
  }
  /** Removes the connection from the counts immediately, without waiting for its socket to close. */
  const evict = (socket: Socket) => {
    socket.destroy()
    leave(socket)
  }
  const leave = (socket: Socket) => {
    const connection = open.get(socket)
    if (connection === undefined) return
    open.delete(socket)
    unheard.delete(socket)
    everyone.open.delete(socket)
    for (const { silent } of connection.groups) silent.delete(socket)
    if (connection.caller === undefined) return
    // A connection that got a 429 counts for longer, so that a client cannot avoid the delay with a new connection per
    // request.
    if (connection.refused > 0) setTimeout(vacate, rest_ms_max, connection.caller, socket).unref()
    else vacate(connection.caller, socket)
  }
  const vacate = (caller: string, socket: Socket) => {
    const own = callers.get(caller)
    own?.open.delete(socket)
    if (own?.open.size === 0) callers.delete(caller)
  }

  const begin = (socket: Socket, connection: Connection, response: ServerResponse) => {
    connection.busy = true
    unheard.delete(socket)
    for (const { silent } of connection.groups) silent.delete(socket)
    response.once("close", () => {
      connection.refused = response.statusCode === 429 ? connection.refused + 1 : 0
      // A connection that was closed with its last answer gets no further answers.
      if (!open.has(socket) || !socket.writable) return
      connection.silent_since_ms = performance.now()
      for (const { silent } of connection.groups) silent.add(socket)
      // A 429 for one client of a proxy must not delay its other clients.
      if (connection.refused === 0 || connection.caller === undefined) proceed(connection)
      else setTimeout(proceed, Math.min(connection.refused * rest_step_ms, rest_ms_max), connection).unref()
    })
  }
  const proceed = (connection: Connection) => {
    connection.busy = false
    connection.waiting.shift()?.()
  }

  /** Requests that were read before their connection was closed are dropped. */
  const admit = ({ socket }: IncomingMessage, response: ServerResponse, handle: () => void) => {
    const connection = open.get(socket)
    if (connection === undefined) return
    const start = () => {
      if (!open.has(socket)) return
      begin(socket, connection, response)
      handle()
    }
    if (!connection.busy) return start()
    if (connection.waiting.push(start) <= limits.waiting) return
    stopParsing(socket)
    evict(socket)
  }

  const requests: ReadonlyArray<unknown> = ["request", "checkContinue", "checkExpectation"]
  // `emit` is replaced, because a listener cannot hide a connection or a request from the other listeners.
  // Boundary: Node emits a connection with its socket, and a request with its message and the response to it.
  server.emit = (event: string | symbol, ...parts: ReadonlyArray<unknown>) => {
    if (event === "connection") return enter(parts[0] as Socket) && emit(event, ...parts)
    if (!requests.includes(event)) return emit(event, ...parts)
    admit(parts[0] as IncomingMessage, parts[1] as ServerResponse, () => emit(event, ...parts))
    return true
  }
  return server
}

/** Node parses all that it has read, even for a destroyed socket. Only returning 2 stops its parser. */
const stopParsing = ({ parser }: Socket & { readonly parser?: { onIncoming: () => number } | null }) => {
  if (parser) parser.onIncoming = () => no_more_http
}
const no_more_http = 2
