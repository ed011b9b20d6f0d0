const text = { type: "string" }

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** Request headers that the service reads before a request reaches its endpoint. */
export const requestHeaders = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    schema: { type: "string", minLength: 1, maxLength: 255 },
    description:
      "A text of your choice with which this request can safely be retried for 24 hours. A retry with the same body gets " +
      "the stored answer with `Idempotency-Replayed: true`, with another body 422 `idempotency_key_reused`, and while " +
      "the first request still runs 409 `idempotency_in_progress` with `Retry-After`. A stored answer whose key the " +
      "operator has lost is 409 `idempotency_answer_lost`: read the record instead. Answers with status 401, 403, 409, " +
      "429 or 5xx are not stored: the same key runs the request again. Keys are separate for each organization, credential and address.",
    example: "0b8f6c1e-invoice-2026-03"
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    required: false,
    schema: text,
    description:
      "The `ETag` that you read. If the record has changed since then, the request is refused with 412 and changes " +
      'nothing. Only the version counts, so `"v7"` is enough. `*` accepts every version.',
    example: '"v7"'
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    required: false,
    schema: text,
    description: "The `ETag` of the answer that you already have: if it is still current, the answer is 304.",
    example: '"v7.q1nJ5bXyB0c3mJt0t3m0Vw"'
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    required: false,
    schema: text,
    description:
      "`amounts=string` answers every amount as a decimal text (`AmountText`) instead of a JSON number (`Amount`).",
    example: "amounts=string"
  }
}

export const responseHeaders = {
  ContentDisposition: {
    schema: text,
    description: "Name of the file (RFC 6266).",
    example: 'attachment; filename="INV-2026-0042.pdf"'
  },
  ETag: {
    schema: text,
    description:
      "Version of the record, for `If-Match`. The answer of a GET adds a digest of its body, for `If-None-Match`.",
    example: '"v7"'
  },
  IdempotencyReplayed: {
    schema: { type: "string", enum: ["true"] },
    description: "Says that this is the stored answer of an earlier request with the same `Idempotency-Key`."
  },
  Location: {
    schema: text,
    description: "Address of the operation that reports the progress of the work, or to which a browser is redirected.",
    example: "/api/v1/operations/12"
  },
  PreferenceApplied: {
    schema: text,
    description: "The preferences of the `Prefer` header that were applied.",
    example: "respond-async"
  },
  RateLimitLimit: {
    schema: { type: "integer" },
    description: "Requests that the credential may make in each minute.",
    example: 60
  },
  RateLimitRemaining: {
    schema: { type: "integer" },
    description: "Requests that are left in the current minute.",
    example: 57
  },
  RateLimitReset: {
    schema: { type: "integer" },
    description: "Time at which the next minute begins, in seconds since 1970-01-01T00:00:00Z.",
    example: 1772359200
  },
  RequestId: {
    schema: text,
    description: "Id of this request in the logs of the service. A request may set its own in `X-Request-Id`.",
    example: "01939d2c-7e5b-7c3f-9f0a-0d7f5a1f2c11"
  },
  RetryAfter: {
    schema: { type: "integer" },
    description: "Seconds to wait before the request is sent again.",
    example: 2
  },
  WwwAuthenticate: {
    schema: text,
    description: "Says which kind of credential the endpoint accepts, or what the credential lacks (RFC 6750).",
    example: "Bearer"
  }
}

type RequestHeader = keyof typeof requestHeaders
type ResponseHeader = keyof typeof responseHeaders

export const requestHeader = (name: RequestHeader) => reference("parameters", name)

const names = {
  ContentDisposition: "Content-Disposition",
  ETag: "ETag",
  IdempotencyReplayed: "Idempotency-Replayed",
  Location: "Location",
  PreferenceApplied: "Preference-Applied",
  RateLimitLimit: "X-RateLimit-Limit",
  RateLimitRemaining: "X-RateLimit-Remaining",
  RateLimitReset: "X-RateLimit-Reset",
  RequestId: "X-Request-Id",
  RetryAfter: "Retry-After",
  WwwAuthenticate: "WWW-Authenticate"
} satisfies Record<ResponseHeader, string>

export const headersNamed = (...headers: ReadonlyArray<ResponseHeader>) =>
  Object.fromEntries(headers.map((header) => [names[header], reference("headers", header)]))
