import { Effect, Schema } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { HttpApi, HttpApiClient, type HttpApiEndpoint } from "effect/http-api"
import { Api } from "../../Api.ts"
import { type Connection, sender } from "../Sender.ts"
import type { PlainClient } from "./PlainRequests.ts"

export { Api } from "../../Api.ts"
export type { Connection, TokenSource } from "../Sender.ts"

export type Invoicing = PlainClient<typeof Api>

/** Retries and idempotency keys work as in the client on plain `fetch`. */
export const invoicing = (connection: Connection): Effect.Effect<Invoicing> =>
  Effect.gen(function* () {
    const httpClient = yield* HttpClient.HttpClient
    const client = yield* HttpApiClient.makeWith(Api, { baseUrl: connection.baseUrl, httpClient })
    const groups: Record<string, Record<string, PlainMethod>> = {}
    HttpApi.reflect(Api, {
      onGroup: ({ group }) => void (groups[group.identifier] = {}),
      onEndpoint: ({ endpoint, group }) => {
        // Boundary: the client has a method for each endpoint of the same contract.
        const methods = client[group.identifier as keyof typeof client] as unknown as Record<string, TypedMethod>
        const method = methods[endpoint.identifier]
        const own = groups[group.identifier]
        if (own !== undefined && method !== undefined) own[endpoint.identifier] = plainMethod(endpoint, method)
      }
    })
    // Boundary: the loop above has made the methods that the type lists.
    return groups as unknown as Invoicing
  }).pipe(Effect.provide(FetchHttpClient.layer), Effect.provideService(FetchHttpClient.Fetch, fetchOf(connection)))

const fetchOf = (connection: Connection): typeof globalThis.fetch => {
  const send = sender(connection)
  return (input, init) => send(new Request(input, init))
}

interface Request {
  readonly params?: unknown
  readonly query?: unknown
  readonly payload?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
type TypedMethod = (request: Request) => Effect.Effect<unknown, unknown>
type PlainMethod = (request?: Request) => Effect.Effect<unknown, unknown>

/** Makes a method that accepts plain values. It decodes them, because the typed method encodes them again. */
const plainMethod = (endpoint: HttpApiEndpoint.Top, method: TypedMethod): PlainMethod => {
  const params = decoderOf(endpoint.params)
  const query = decoderOf(endpoint.query)
  const payload = decoderOf(payloadOf(endpoint))
  return ({ headers, ...request } = {}) =>
    Effect.gen(function* () {
      const decoded = {
        params: yield* params(inText(request.params ?? {})),
        query: yield* query(inText(request.query ?? {})),
        payload: request.payload instanceof FormData ? request.payload : yield* payload(request.payload ?? null),
        // Endpoints that read a header require this object. The headers of the caller are added by `RequestInit` below.
        headers: {}
      }
      return yield* method({ ...request, ...decoded })
    }).pipe(headers === undefined ? (call) => call : Effect.provideService(FetchHttpClient.RequestInit, { headers }))
}

/** Undefined if the endpoint has no payload, or if the caller passes the payload as a form. */
const payloadOf = ({ payload }: HttpApiEndpoint.Top): Schema.Top | undefined => {
  const schemas = [...payload.values()].flatMap(({ encoding, schemas }) =>
    encoding._tag === "Multipart" || encoding._tag === "Stream" ? [] : [...schemas]
  )
  return schemas.length === 0 ? undefined : Schema.Union(schemas)
}

const decoderOf = (schema: Schema.Top | undefined) => {
  if (schema === undefined) return () => Effect.void
  // Boundary: no schema of the contract needs an Effect service.
  const codec = Schema.toCodecJson(schema) as unknown as Schema.Codec<unknown, unknown>
  return Schema.decodeUnknownEffect(codec)
}

/** Converts numbers and booleans to text, because paths and queries hold only text. */
const inText = (value: unknown): unknown => {
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (Array.isArray(value)) return value.map(inText)
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inText(part)]))
    : value
}
