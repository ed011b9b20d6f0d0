import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type Server, ServerResponse } from "node:http"
import { boundConnections, type CallerOf } from "./ConnectionLimits.ts"
import { discardingBodies } from "./DiscardedBodies.ts"
import { answerUnreadable } from "./UnreadableRequests.ts"

/** Time limits of an exchange in milliseconds; a client that exceeds one is disconnected. */
const patience = {
  headersTimeout: 10_000,
  /** Maximum duration of an upload: 10 MB at 34 kB/s. */
  requestTimeout: 300_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000
}

/** Time limit in milliseconds of a body that is not an upload. Such a body has at most 5 MiB. */
const body_timeout_ms = 20_000

const isUpload = (contentType = "") => /^multipart\/form-data\b/i.test(contentType)

const hasBody = ({ headers }: IncomingMessage) =>
  Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined

/** Answers 408, as Node does for slow headers, so that a proxy does not mistake the closed connection for an outage. */
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

/** Maximum size of a body that is read to its end after its answer, so that the client can read the answer. */
const discarded_bytes_max = 16 * 1024 * 1024
/** Time for which a larger body, or one of unknown length, is still read after its answer. */
const linger_ms = 1_000

/**
 * Reads the rest of a body after an early answer, so that the client can reuse the connection. The connection is closed
 * after `linger_ms` if the body exceeds `discarded_bytes_max` or has no known length.
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
  /** Announces in the answer that the connection will be closed, if a chunked body has not ended: it may be endless. */
  override writeHead(status: number, message?: unknown, headers?: unknown): this {
    if (this.req.headers["transfer-encoding"] !== undefined && !this.req.complete) this.setHeader("connection", "close")
    // Boundary: TypeScript cannot forward the overloads of this method in one call.
    return super.writeHead(status, message as string, headers as OutgoingHttpHeaders)
  }

  /**
   * Effect makes Node compare the length of every body with `Content-Length`. This is unnecessary for a body that is
   * sent in one piece.
   */
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) this.strictContentLength = false
    // Boundary: TypeScript cannot forward the overloads of this method in one call.
    return super.end(chunk, encoding as BufferEncoding, callback as () => void)
  }
}

/** Makes a server with shorter time limits than Node's own. Only an upload may last as long as `requestTimeout`. */
export const patientServer = (callerOf: CallerOf) => {
  const server = boundConnections(createServer({ ...patience, ServerResponse: Answer }), callerOf)
  const discard = discardingBodies()
  const discardRest = discardUnread(discard)
  // Node emits a separate event for a request that waits for `100 Continue`.
  for (const event of ["request", "checkContinue"]) server.on(event, cutSlowBody(server)).on(event, discardRest)
  return answerUnreadable(server, discard)
}
