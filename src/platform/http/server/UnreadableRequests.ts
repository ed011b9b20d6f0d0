import { randomUUID } from "node:crypto"
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { Readable } from "node:stream"

interface LingerLimits {
  /** Connections at a time; one more is closed as soon as its answer is written. */
  readonly connections: number
  readonly duration_ms: number
}

/** Whoever sends a body in pieces notices the answer when it has sent the next one. */
const limits_default: LingerLimits = { connections: 256, duration_ms: 1_000 }

interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
}

const malformed: Refusal = { status: 400, code: "malformed_request", message: "The request could not be read." }

/** By the codes of Node; those of its parser begin with HPE. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: "headers_too_large", message: "The address or the headers are too long." },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: "payload_too_large",
    message: "The request body is too large."
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: "request_timeout", message: "The request took too long." }
}

/** As Node tells it: what it had read last, and how far its parser got with that. */
interface Unreadable extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** What Node ends a connection for; undefined: nobody is there any more to be told. */
const refusalOf = ({ code = "" }: Unreadable) => refusals[code] ?? (code.startsWith("HPE_") ? malformed : undefined)

/** Whether it is a HEAD request, as far as can be told: its first line may have been read before the last packet. */
const isHead = ({ bytesParsed = 0, rawPacket }: Unreadable) => {
  const read = rawPacket?.toString("latin1", 0, bytesParsed) ?? ""
  return /(?:^|\r\n\r\n)HEAD (?![^]*\r\n\r\n)/.test(read)
}

/**
 * A whole answer in the form of every other refusal: no route and no middleware has seen the request. What follows the
 * head of an answer to HEAD would be the next answer (RFC 9110, 9.3.2).
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
 * Answers what is no HTTP, or too much of it, and closes the connection. Node would do so at once: a client that is
 * still sending would see a broken connection instead of the answer, so what it sends is discarded for a moment.
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
    // Its other half is closed by the client, and then the whole.
    socket.end(answer)
  }

  const follow = ({ socket }: IncomingMessage, response: ServerResponse) => latest.set(socket, response)
  server.on("request", follow).on("checkContinue", follow)
  // Boundary: Node's type is that of the sockets of all servers.
  server.on("clientError", (error: Unreadable, stream) => {
    const socket = stream as Socket
    // Node goes on to parse what comes, and to watch the time, until the connection is closed.
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
    // Its client may have it all, although it is not finished here, and count on the connection.
    before.once("finish", refuseNew)
  })
  return server
}

/** A request that was read whole gets its own answer, which says that it is the last one. */
const endWith = (answer: ServerResponse, socket: Socket) => {
  answer.setHeader("connection", "close")
  answer.once("finish", () => socket.destroySoon())
}
