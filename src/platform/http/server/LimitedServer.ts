import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type Server, ServerResponse } from "node:http"
import { boundConnections, type CallerOf } from "./Connections.ts"
import { discardingBodies } from "./DiscardedBodies.ts"
import { answerUnreadable } from "./UnreadableRequests.ts"

/** Time limits of an exchange; a client that sends too slowly or nothing is cut off. */
const patience = {
  headersTimeout: 10_000,
  /** Longest duration of an upload: 10 MB at 34 kB/s. */
  requestTimeout: 300_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000
}

/** Time limit of any other body, which has at most 5 MiB. */
const body_timeout_ms = 20_000

const isUpload = (contentType = "") => /^multipart\/form-data\b/i.test(contentType)

const hasBody = ({ headers }: IncomingMessage) =>
  Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined

/** Answers 408, as Node does for slow headers, so that a proxy does not take the closed connection for an outage. */
const cutSlowBody = (server: Server) => (request: IncomingMessage, response: ServerResponse) => {
  if (!hasBody(request) || isUpload(request.headers["content-type"])) return
  const cut = () => {
    if (request.complete) return
    if (response.headersSent) return request.destroy()
    server.emit("clientError", Object.assign(new Error(), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), request.socket)
  }
  const late = setTimeout(cut, body_timeout_ms)
  request.once("close", () => clearTimeout(late))
}

/** The rest of a body up to this size is read after its answer, so that the client sees the answer. */
const discarded_bytes_max = 16 * 1024 * 1024
/** Time that a longer body, or one of unknown length, gets after its answer. */
const linger_ms = 1_000

/**
 * Reads on a body that was answered before its end: a client that has sent it sends its next request on the same
 * connection. Only an endless body is left unread, and its connection is closed.
 */
const discardUnread =
  (discard: (body: IncomingMessage) => void) => (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    response.once("finish", () => {
      if (request.complete) return
      discard(request)
      if (Number(request.headers["content-length"]) <= discarded_bytes_max) return
      setTimeout(() => request.complete || request.socket.destroy(), linger_ms)
    })
  }

class Answer extends ServerResponse {
  /** A chunked body may be endless, so its connection may have to be closed, and the answer says so. */
  override writeHead(status: number, message?: unknown, headers?: unknown): this {
    if (this.req.headers["transfer-encoding"] !== undefined && !this.req.complete) this.setHeader("connection", "close")
    // Boundary, as below: TypeScript cannot pass on the overloads of this method as one.
    return super.writeHead(status, message as string, headers as OutgoingHttpHeaders)
  }

  /**
   * Node joins head and body of an answer into one write only if it need not compare the body's length with the
   * announced one, which Effect asks it to. A body that is complete was announced with its own length.
   */
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) this.strictContentLength = false
    return super.end(chunk, encoding as BufferEncoding, callback as () => void)
  }
}

/** The node:http server of the service. Node's own limits would wait for minutes, which only an upload may take. */
export const patientServer = (callerOf: CallerOf) => {
  const server = boundConnections(createServer({ ...patience, ServerResponse: Answer }), callerOf)
  const discard = discardingBodies()
  const discardRest = discardUnread(discard)
  // A request that waits for `100 Continue` is announced by an event of its own.
  for (const event of ["request", "checkContinue"]) server.on(event, cutSlowBody(server)).on(event, discardRest)
  return answerUnreadable(server, discard)
}
