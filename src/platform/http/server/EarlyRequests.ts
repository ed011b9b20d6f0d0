import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http"

/** The port listens a moment before the routes exist; a request that comes so early waits instead of hanging. */
export const awaitRoutes = (server: Server): Server => {
  const early: Array<readonly [IncomingMessage, ServerResponse]> = []
  const hold: RequestListener = (...exchange) => early.push(exchange)
  const release = (event: string, routes: RequestListener) => {
    if (event !== "request" || routes === hold) return
    server.off("request", hold).off("newListener", release)
    // The new listener is added right after this event.
    setImmediate(() => early.forEach((exchange) => routes(...exchange)))
  }
  return server.on("request", hold).on("newListener", release)
}
