import { retryDelay } from "./Retries.ts"

export interface Connection {
  /** The address of the service, such as `https://invoices.example.com`. */
  readonly baseUrl: string
  /** An API token, or the result of `session`, which renews its access token. */
  readonly token?: string | TokenSource
  /** The organization to act on. A token that is bound to one organization does not need it. */
  readonly organization?: number
  /** Maximum number of times that a request is repeated; the default is 4. */
  readonly retries?: number
  /** Replaces the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** Supplies access tokens. `refused` is a token that the service has just refused. */
export interface TokenSource {
  readonly token: (refused?: string) => Promise<string>
}

const retries_default = 4

/** Paths at which the service ignores idempotency keys. The client adds none, so that it does not repeat the request. */
const keyless = /\/(?:oauth\/[a-z]+|api\/v1\/reports\/export)$/

/**
 * Adds token, organization and idempotency key. Repeats a request only if this cannot do its work twice (`Retries.ts`).
 */
export const sender = (connection: Connection): ((request: Request) => Promise<Response>) => {
  const { retries = retries_default } = connection
  return async (request) => {
    const prepared = prepare(request, connection)
    for (let attempt = 0; ; attempt++) {
      const outcome = await authorizedFetch(prepared, connection)
      const response = outcome instanceof Response ? outcome : undefined
      const delay = attempt < retries ? await retryDelay(prepared, response, attempt) : undefined
      if (delay === undefined || request.signal.aborted) {
        if (outcome instanceof Response) return outcome
        throw outcome.failure
      }
      await response?.body?.cancel()
      await pause(delay, request.signal)
    }
  }
}

const prepare = (request: Request, { organization }: Connection): Request => {
  const prepared = new Request(request)
  const { headers } = prepared
  if (organization !== undefined && !headers.has("x-organization-id")) {
    headers.set("x-organization-id", String(organization))
  }
  if (request.method === "POST" && !headers.has("idempotency-key") && !keyless.test(new URL(request.url).pathname)) {
    headers.set("idempotency-key", crypto.randomUUID())
  }
  return prepared
}

interface Unanswered {
  readonly failure: unknown
}

/** Sends a copy of the request. A session whose token is refused gets a new token once. */
const authorizedFetch = async (request: Request, connection: Connection): Promise<Response | Unanswered> => {
  const { fetch = (request) => globalThis.fetch(request), token: source } = connection
  const send = (token?: string) =>
    fetch(copyOf(request, token))
      .then(whole)
      .catch((failure: unknown) => ({ failure }))
  if (source === undefined || request.headers.has("authorization")) return send()
  if (typeof source === "string") return send(source)
  const token = await source.token()
  const outcome = await send(token)
  if (!(outcome instanceof Response) || outcome.status !== 401) return outcome
  const renewed = await source.token(token)
  if (renewed === token) return outcome
  await outcome.body?.cancel()
  return send(renewed)
}

/** Reads a JSON answer to its end, because an answer that breaks off is no answer. Files are passed on as they arrive. */
const whole = async (response: Response): Promise<Response> => {
  const { body, headers } = response
  const isJson = headers.get("content-type")?.startsWith("application/json") === true
  const isFile = headers.has("content-disposition")
  return isJson && !isFile && body !== null ? new Response(await response.arrayBuffer(), response) : response
}

const copyOf = (request: Request, token: string | undefined): Request => {
  const copy = request.clone()
  if (token !== undefined) copy.headers.set("authorization", `Bearer ${token}`)
  return copy
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort)
      resolve()
    }, milliseconds)
    if (signal.aborted) abort()
    else signal.addEventListener("abort", abort, { once: true })
  })
