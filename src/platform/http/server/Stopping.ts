import { Context } from "effect"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { Server as NetServer } from "node:net"

export class Stopping extends Context.Reference<{ begun: boolean }>("invoicing/platform/http/server/Stopping", {
  defaultValue: () => ({ begun: false })
}) {}

/** Time limit of the open requests when the process stops; requests that take longer are interrupted. */
export const stopping_ms_max = 10_000
/** Idle connections are closed this long after the keep-alive timeout, because clients may use them until then. */
const idle_margin_ms = 500

/**
 * Stops without failing a request: accepts no more connections, and closes each open one after its next answer. Node's
 * `close` would cut off idle connections on which a request is arriving, and never close busy ones.
 */
export const stoppable = (server: Server, stopping: { begun: boolean }): Server => {
  const running = new Set<ServerResponse>()
  let closed = false
  const follow = (_request: IncomingMessage, response: ServerResponse) => {
    if (closed) endWith(response)
    running.add(response)
    response.once("close", () => running.delete(response))
  }
  server.prependListener("request", follow).prependListener("checkContinue", follow)
  server.close = (callback) => {
    stopping.begun = true
    // First accepts the connections that are already waiting, because closing the server would reset them.
    setImmediate(() => {
      NetServer.prototype.close.call(server, callback)
      closed = true
      running.forEach(endWith)
    })
    const idle = setInterval(() => server.closeIdleConnections(), server.keepAliveTimeout + idle_margin_ms)
    const late = setTimeout(() => server.closeAllConnections(), stopping_ms_max)
    server.once("close", () => {
      clearInterval(idle)
      clearTimeout(late)
    })
    return server
  }
  return server
}

const endWith = (response: ServerResponse) => {
  if (!response.headersSent) response.setHeader("connection", "close")
}
