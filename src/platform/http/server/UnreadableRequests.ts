import { randomUUID } from "node:crypto"
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { Readable } from "node:stream"
import type { EdgeCode } from "./EdgeCode.ts"

interface LingerLimits {
  /** Number of connections that stay open after their answers; others are closed when the answer is written. */
  readonly connections: number
  readonly duration_ms: number
}

/** Connections stay open, because a client that sends a body in pieces sees the answer only after the next piece. */
const limits_default: LingerLimits = { connections: 256, duration_ms: 1_000 }

interface Refusal {
  readonly status: number
  readonly code: EdgeCode
  readonly message: string
}

const malformed: Refusal = { status: 400, code: "malformed_request", message: "The request could not be read." }

/** `100-continue` is the only supported value of the header `Expect` (RFC 9110, 10.1.1). */
const unknown_expectation: Refusal = {
  status: 417,
  code: "expectation_failed",
  message: "The Expect header may only be 100-continue."
}

/** Refusals by Node's error codes. The codes of Node's HTTP parser begin with HPE. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: "headers_too_large", message: "The address or the headers are too long." },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: "payload_too_large",
    message: "The request body is too large."
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: "request_timeout", message: "The request took too long." }
}

interface Unreadable extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** Returns the refusal for an error of Node; undefined if the client is gone. */
const refusalOf = ({ code = "" }: Unreadable) => refusals[code] ?? (code.startsWith("HPE_") ? malformed : undefined)

/** Guesses whether this is a HEAD request. Its method is unknown if it was in an earlier packet than the last one. */
const isHead = ({ bytesParsed = 0, rawPacket }: Unreadable) => {
  const read = rawPacket?.toString("latin1", 0, bytesParsed) ?? ""
  return /(?:^|\r\n\r\n)HEAD (?![^]*\r\n\r\n)/.test(read)
}

/**
 * Writes the answer in the format of every other refusal, because no route has seen the request. An answer to HEAD gets
 * no body, which the client would read as the next answer (RFC 9110, 9.3.2).
 */
const answerTo = ({ code, message, status }: Refusal, toHead: boolean) => {
  const body = JSON.stringify({ success: false, message, code })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${randomUUID()}`,
    "X-Content-Type-Options: nosniff",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close"
  ]
  return `${head.join("\r\n")}\r\n\r\n${toHead ? "" : body}`
}

/**
 * Answers a request that is too large or not HTTP. Closing immediately, as Node does, would show a sending client a
 * broken connection instead of the answer, so its data is discarded for a moment.
 */
export const answerUnreadable = (
  server: Server,
  discard: (rest: Readable) => void,
  limits: LingerLimits = limits_default
): Server => {
  const latest = new WeakMap<Socket, ServerResponse>()
  const refused = new WeakSet<Socket>()
  let lingering = 0

  const refuse = (socket: Socket, answer: string) => {
    if (lingering >= limits.connections) return socket.end(answer, () => socket.destroy())
    lingering++
    const late = setTimeout(() => socket.destroy(), limits.duration_ms)
    socket.once("close", () => {
      lingering--
      clearTimeout(late)
    })
    // The client closes its half after the answer, and then the whole connection closes.
    socket.end(answer)
  }

  const follow = ({ socket }: IncomingMessage, response: ServerResponse) => latest.set(socket, response)
  server.on("request", follow).on("checkContinue", follow)
  server.on("checkExpectation", ({ method, socket }) => {
    discard(socket.removeAllListeners("data").removeAllListeners("end"))
    refuse(socket, answerTo(unknown_expectation, method === "HEAD"))
  })
  // Boundary: Node's type allows any stream, but the connections of this server are sockets.
  server.on("clientError", (error: Unreadable, stream) => {
    const socket = stream as Socket
    // Node continues to parse data and to check timeouts until the connection is closed, so further errors are ignored.
    if (refused.has(socket)) return
    refused.add(socket)
    const refusal = refusalOf(error)
    if (refusal === undefined || !socket.writable) return socket.destroy()
    discard(socket.removeAllListeners("data").removeAllListeners("end"))
    const before = latest.get(socket)
    const refuseNew = () => refuse(socket, answerTo(refusal, isHead(error)))
    if (before === undefined || before.writableFinished) return refuseNew()
    if (!before.req.complete) {
      return before.headersSent ? socket.destroy() : refuse(socket, answerTo(refusal, before.req.method === "HEAD"))
    }
    if (!before.headersSent) return endWith(before, socket)
    // The client may already have the answer to its earlier request, so the unreadable data may be a new request.
    before.once("finish", refuseNew)
  })
  return server
}

/** Closes the connection after the answer to an earlier request that was read completely. The answer announces this. */
const endWith = (answer: ServerResponse, socket: Socket) => {
  answer.setHeader("connection", "close")
  answer.once("finish", () => socket.destroySoon())
}
