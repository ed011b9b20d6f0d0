import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type Server, ServerResponse } from "node:http"
import { boundConnections, type CallerOf } from "./Connections.ts"
import { discardingBodies } from "./DiscardedBodies.ts"
import { answerUnreadable } from "./UnreadableRequests.ts"

/** How long an exchange may take to say what it wants; a client that drips or says nothing is cut off. */
const patience = {
  headersTimeout: 10_000,
  /** The longest an upload may take: 10 MB at 34 kB/s. */
  requestTimeout: 300_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000
}

/** Any other body, 5 MiB at most, has to be there by then. */
const body_timeout_ms = 20_000

const isUpload = (contentType = "") => /^multipart\/form-data\b/i.test(contentType)

const hasBody = ({ headers }: IncomingMessage) =>
  Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined

/** Its client is told as by Node about headers, and a proxy does not take the connection's end for an outage. */
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

/** What is still under way of any body that could have been accepted is read, so that its client sees the answer. */
const discarded_bytes_max = 16 * 1024 * 1024
/** A longer one, or one that does not say how long it is, gets so much time after its answer. */
const linger_ms = 1_000

/**
 * A body that was answered before its end is read on, whoever had begun to: a client that is done with it sends its
 * next request on the same connection. Only one without an end is left, with its connection.
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
  /** How much of a chunked body is still to come, nobody knows: its connection may have to be closed, and says so. */
  override writeHead(status: number, message?: unknown, headers?: unknown): this {
    if (this.req.headers["transfer-encoding"] !== undefined && !this.req.complete) this.setHeader("connection", "close")
    // Boundary, as below: the ways to call it, which TypeScript cannot pass on as one.
    return super.writeHead(status, message as string, headers as OutgoingHttpHeaders)
  }

  /**
   * Node joins the head and the end of an answer to one write only where it need not compare the length of the body with
   * the one announced, as Effect asks it to. A body that is there as a whole was announced with its own length.
   */
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) this.strictContentLength = false
    return super.end(chunk, encoding as BufferEncoding, callback as () => void)
  }
}

/** The node:http server behind the service: its own limits would wait for minutes, which only an upload may take. */
export const patientServer = (callerOf: CallerOf) => {
  const server = boundConnections(createServer({ ...patience, ServerResponse: Answer }), callerOf)
  const discard = discardingBodies()
  const discardRest = discardUnread(discard)
  // A request that waits for `100 Continue` is announced by an event of its own.
  for (const event of ["request", "checkContinue"]) server.on(event, cutSlowBody(server)).on(event, discardRest)
  return answerUnreadable(server, discard)
}
