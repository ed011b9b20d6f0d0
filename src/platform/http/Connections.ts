import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** At 12 kB each, idle ones cost 50 MB. */
const connections_max = 4_000
/** Requests of one connection under way. Clients that do not wait for an answer at all send a handful. */
const pipelined_max = 32

/**
 * Bounds what connections cost. One too many takes the place of the one that has been silent the longest, so whoever
 * opens thousands and says nothing keeps nobody out; a connection that sends requests without end and reads no answers
 * is closed.
 */
export const boundConnections = (server: Server, { connections, pipelined } = limits): Server => {
  const open = new Map<Socket, { underway: number }>()
  /** Those without a request under way; the one that waits the longest comes first. */
  const silent = new Set<Socket>()
  const emit = server.emit.bind(server)

  server.prependListener("connection", (socket) => {
    if (open.size >= connections) {
      const [longest = socket] = silent
      longest.destroy()
      // It leaves at once, not when its handle is closed.
      leave(longest)
      if (longest === socket) return
    }
    open.set(socket, { underway: 0 })
    silent.add(socket)
    socket.once("close", () => leave(socket))
  })
  const leave = (socket: Socket) => {
    open.delete(socket)
    silent.delete(socket)
  }

  /** Whether the request may go on. Of a connection that was just closed, more may have been read already. */
  const admit = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(socket)
    if (connection === undefined) return false
    if (++connection.underway > pipelined) {
      stopParsing(socket)
      socket.destroy()
      leave(socket)
      return false
    }
    silent.delete(socket)
    response.once("close", () => {
      if (--connection.underway === 0 && open.has(socket)) silent.add(socket)
    })
    return true
  }
  const requests: ReadonlyArray<unknown> = ["request", "checkContinue", "checkExpectation"]
  // A listener could not keep the request from the others.
  server.emit = (event: string | symbol, ...parts: ReadonlyArray<unknown>) => {
    const [request, response] = parts
    if (requests.includes(event) && !admit(request as IncomingMessage, response as ServerResponse)) return false
    return emit(event, ...parts)
  }
  return server
}

/**
 * Node parses what it has read to its end, 64 KiB with 1,600 requests, even if the socket is destroyed meanwhile. Its
 * parser knows no other way to be stopped inside a chunk: 2 says, as for CONNECT, that what follows is no HTTP.
 */
const stopParsing = ({ parser }: Socket & { readonly parser?: { onIncoming: () => number } | null }) => {
  if (parser) parser.onIncoming = () => no_more_http
}
const no_more_http = 2

const limits = { connections: connections_max, pipelined: pipelined_max }
