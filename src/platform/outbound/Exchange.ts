import { Effect, Option } from "effect"
import type { Resolver } from "node:dns/promises"
import * as Http from "node:http"
import * as Https from "node:https"
import { createSecureContext } from "node:tls"
import { publicLookup } from "./PublicLookup.ts"
import { isAllowed, type TargetPolicy } from "./TargetUrl.ts"

/**
 * Maximum number of connections to one host. It equals the maximum number of concurrent webhook deliveries, so that slow
 * deliveries of one customer do not delay those of others.
 */
const connections_per_host_max = 1024
const connections_max = 4096
/** Connections that stay open while a group of webhook deliveries is recorded, until the next group is sent. */
const idle_connections_per_host_max = 256
/** Most servers keep an idle connection for longer, so they rarely close one that is about to be used. */
const idle_timeout_ms = 1_000
/** Time limit for connecting to each address of a host. Node's default of 250 ms is too short for distant servers. */
const address_timeout_ms = 2_000
const answer_headers_bytes_max = 16_384
const retry_after_characters_max = 100

/**
 * The certificate by which the sender proves its identity, and optionally the private authority (CA) that signed the
 * receiver's certificate.
 */
export interface ClientIdentity {
  readonly pfx: Uint8Array
  readonly passphrase: string
  /** PEM; absent if the authorities that Node trusts suffice. */
  readonly ca?: string | undefined
}

interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
  /** Maximum numbers of bytes of the answer to keep and to read; a longer answer closes the connection. */
  readonly answer_bytes: { readonly kept: number; readonly read: number }
  /** True if the operator chose the address, which may then be private. */
  readonly trusted: boolean
  readonly identity?: ClientIdentity | undefined
}

/** Sends one request, and reads its answer up to `answer_bytes.read`. Rejects if the connection ends too early. */
export type Exchange = (url: URL, request: Request, signal: AbortSignal) => ReturnType<typeof answerTo>

/** Requests use HTTP/1.1 over `node:http`, because undici 8 parses overlong headers: 64 KiB kept it busy for 60 ms. */
export const exchanges = Effect.fnUntraced(function* (policy: TargetPolicy, resolver: Resolver) {
  // Agents reuse a connection without a lookup, so those of requests to any address and to public ones are apart.
  const [anywhere, publicly] = [yield* agents, yield* agents]
  yield* Effect.addFinalizer(() => Effect.sync(() => resolver.cancel()))
  const lookup = publicLookup(resolver)

  const exchange: Exchange = (url, { answer_bytes, body, headers, identity, method, trusted }, signal) => {
    const isAnywhere = trusted || isAllowed(url, policy)
    const { http, https } = isAnywhere ? anywhere : publicly
    const options = { method, headers, maxHeaderSize: answer_headers_bytes_max, ...(isAnywhere ? {} : { lookup }) }
    const request =
      url.protocol === "https:"
        ? Https.request(url, { ...options, ...(identity === undefined ? { agent: https } : proving(identity)) })
        : Http.request(url, { ...options, agent: http })
    // If Node got the signal itself, it would wait for the end of both streams, which costs as much as the request.
    signal.addEventListener("abort", () => request.destroy(), { once: true })
    request.end(body)
    return answerTo(request, answer_bytes)
  }
  return exchange
})

const agentOptions = {
  keepAlive: true,
  maxSockets: connections_per_host_max,
  maxTotalSockets: connections_max,
  maxFreeSockets: idle_connections_per_host_max,
  timeout: idle_timeout_ms,
  autoSelectFamilyAttemptTimeout: address_timeout_ms,
  // Node does not check the host name again when a TLS session is resumed, so sessions are not cached.
  maxCachedSessions: 0
}

/**
 * Options of a connection with a client certificate. The connection serves only one request, so that no other request
 * is sent with this certificate.
 */
const proving = ({ ca, passphrase, pfx }: ClientIdentity) => ({
  agent: false as const,
  pfx: Buffer.from(pfx),
  passphrase,
  ...(ca === undefined ? {} : { ca })
})

const agents = Effect.suspend(() =>
  Effect.all({
    http: closing(new Http.Agent(agentOptions)),
    https: closing(new Https.Agent({ ...agentOptions, secureContext: createSecureContext() }))
  })
)

const closing = <A extends Http.Agent>(agent: A) =>
  Effect.acquireRelease(Effect.succeed(agent), (agent) => Effect.sync(() => agent.destroy()))

const answerTo = async (request: Http.ClientRequest, limits: Request["answer_bytes"]) => {
  const answer = await new Promise<Http.IncomingMessage>((resolve, reject) => {
    // An answer that switches protocols closes the request without an error.
    request.on("response", resolve).on("error", reject).on("close", reject)
  })
  return {
    status: answer.statusCode ?? 0,
    headers: {
      retry_after: Option.map(Option.fromUndefinedOr(answer.headers["retry-after"]), (text) =>
        text.slice(0, retry_after_characters_max)
      )
    },
    content_type: answer.headers["content-type"] ?? "",
    ...(await beginningOf(answer, limits))
  }
}

/** Reads the beginning of an answer. A longer answer closes the connection, so that an endless one cannot continue. */
const beginningOf = (answer: Http.IncomingMessage, { kept, read }: Request["answer_bytes"]) =>
  new Promise<{ readonly bytes: Uint8Array; readonly isWhole: boolean }>((resolve, reject) => {
    const chunks: Array<Uint8Array> = []
    let length = 0
    const end = () => resolve({ bytes: new Uint8Array(Buffer.concat(chunks)), isWhole: length <= kept })
    answer.on("end", end).on("error", reject).on("close", reject)
    answer.on("data", (chunk: Uint8Array) => {
      if (length < kept) chunks.push(chunk.subarray(0, kept - length))
      length += chunk.length
      if (length < read) return
      end()
      answer.destroy()
    })
  })
