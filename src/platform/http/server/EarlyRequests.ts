import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http"

/** Holds requests that arrive before the routes exist, because the server listens slightly earlier. */
export const awaitRoutes = (server: Server): Server => {
  const early: Array<readonly [IncomingMessage, ServerResponse]> = []
  const hold: RequestListener = (...exchange) => early.push(exchange)
  const release = (event: string, routes: RequestListener) => {
    if (event !== "request" || routes === hold) return
    server.off("request", hold).off("newListener", release)
    // Node emits `newListener` just before it adds the listener, so the early requests are passed on a moment later.
    setImmediate(() => early.forEach((exchange) => routes(...exchange)))
  }
  return server.on("request", hold).on("newListener", release)
}
