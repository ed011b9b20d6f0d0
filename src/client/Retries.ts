/** Maximum time before a repetition: more than a minute, because the rate limit counts requests per minute. */
const wait_ms_max = 65_000
const backoff_ms_min = 250
const backoff_ms_max = 8_000

/**
 * HTTP statuses of requests that the service may have processed: a proxy got no answer from it, or its database ended
 * the connection while the changes were committed.
 */
const unanswered = new Set([502, 503, 504])

/**
 * Returns the milliseconds until the request is repeated; undefined if it is not repeated. `response` is undefined if
 * the network failed.
 */
export const retryDelay = async (
  request: Request,
  response: Response | undefined,
  attempt: number
): Promise<number | undefined> => {
  if (response === undefined) return isRepeatable(request) ? backoff(attempt) : undefined
  const { status } = response
  const isWorthwhile =
    status === 429 ||
    (unanswered.has(status) && isRepeatable(request)) ||
    (status === 409 && (await isInProgress(response)))
  if (!isWorthwhile) return undefined
  const delay = retryAfter(response) ?? backoff(attempt)
  return delay <= wait_ms_max ? delay : undefined
}

/** True if the request can be repeated without doing its work twice, even if the service has processed it. */
const isRepeatable = ({ headers, method }: Request): boolean => {
  if (method === "GET" || method === "HEAD") return true
  if (method === "POST") return headers.has("idempotency-key")
  // After a PUT with If-Match was served, its repetition would be refused, because the record has a new version.
  return method === "PUT" && !headers.has("if-match")
}

const isInProgress = async (response: Response): Promise<boolean> => {
  if (!response.headers.has("retry-after")) return false
  const text = await response.clone().text()
  return text.includes('"idempotency_in_progress"')
}

/** Reads the header `Retry-After`, which holds seconds or a date (RFC 9110, 10.2.3). */
const retryAfter = ({ headers }: Response): number | undefined => {
  const text = headers.get("retry-after")
  if (text === null) return undefined
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds)
}

/** The pause doubles with each attempt. A random part keeps clients that failed together from retrying together. */
const backoff = (attempt: number): number =>
  Math.min(backoff_ms_max, backoff_ms_min * 2 ** attempt) * (0.5 + Math.random() / 2)
