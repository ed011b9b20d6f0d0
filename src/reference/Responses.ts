import { headersNamed } from "./Headers.ts"
import { isNode, nameIn, type Node } from "./Schemas.ts"

/** The schema of every refusal that has no fields of its own. */
const refusal = { $ref: "#/components/schemas/Refusal" }

const json = (schema: Node) => ({ "application/json": { schema } })

/** Headers of every answer of the API. */
const limits = headersNamed("RequestId", "RateLimitLimit", "RateLimitRemaining")

/** Answers that any endpoint may give besides its declared ones, e.g. when the rate limit is exceeded. */
export const edgeResponses = {
  TooManyAttempts: {
    description: "The credential has made more requests in this minute than the rate limit allows.",
    headers: { ...limits, ...headersNamed("RateLimitReset", "RetryAfter") },
    content: json({ $ref: "#/components/schemas/TooManyRequests" })
  },
  ServerError: {
    description: "A defect of the service. Report the `request_id`, which is also in its log.",
    headers: limits,
    content: json({ $ref: "#/components/schemas/ServerError" })
  },
  Refused: {
    description:
      "Any other refusal: `malformed_request` or `malformed_json` (400), `method_not_allowed` (405), `request_timeout` " +
      "(408), `payload_too_large` (413), `unsupported_media_type` or `unsupported_content_encoding` (415), " +
      "`expectation_failed` (417), `headers_too_large` (431), `unavailable` (503, with `Retry-After`).",
    headers: { ...limits, ...headersNamed("RetryAfter") },
    content: json(refusal)
  }
}

const answersOfTheEdge = Object.fromEntries(
  [
    ["429", "TooManyAttempts"],
    ["500", "ServerError"],
    ["default", "Refused"]
  ].map(([status = "", name]) => [status, { $ref: `#/components/responses/${name}` }])
)

/** Status of a database outage. Some endpoints also declare it for outages of other systems that they need. */
const outage = "503"
/** Statuses that a POST may get before its endpoint runs: for a bad body, a reused Idempotency-Key or an outage. */
const shared = new Set(["400", "409", "413", "422", outage])

const schemaOf = (response: Node): unknown => {
  const content = isNode(response["content"]) ? response["content"]["application/json"] : undefined
  return isNode(content) ? content["schema"] : undefined
}

/** True for the schema that no value fits. An endpoint that refuses every request declares it for its success. */
const isNever = (response: Node) => JSON.stringify(schemaOf(response)) === '{"not":{}}'

const members = (schema: Node): ReadonlyArray<unknown> =>
  Array.isArray(schema["anyOf"]) && Object.keys(schema).length === 1 ? schema["anyOf"] : [schema]

const withSharedRefusal = (method: string, status: string, response: Node): Node => {
  const own = schemaOf(response)
  const isShared = method === "post" ? shared.has(status) : status === outage
  if (!isNode(own) || isSuccess(status)) return response
  const all = [...members(own).toSorted(byReference), ...(isShared ? [refusal] : [])]
  return { ...response, content: json(union(all)) }
}

const union = (schemas: ReadonlyArray<unknown>): Node => {
  const [first] = schemas
  return schemas.length === 1 && isNode(first) ? first : { anyOf: schemas }
}

/** Sorts the members of a union, whose order has no meaning, so that equal unions are equal texts. */
const byReference = (left: unknown, right: unknown) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)

const isSuccess = (status: string) => status.startsWith("2")

const resolved = (schema: unknown, schemas: Node): Node => {
  if (!isNode(schema)) return {}
  const named = typeof schema["$ref"] === "string" ? schemas[nameIn(schema["$ref"])] : schema
  return isNode(named) ? named : {}
}

const properties = (schema: Node): Node => (isNode(schema["properties"]) ? schema["properties"] : {})

export const hasVersion = (response: unknown, schemas: Node): boolean => {
  const { data } = properties(resolved(isNode(response) ? schemaOf(response) : undefined, schemas))
  return members(resolved(data, schemas)).some((member) => "version" in properties(resolved(member, schemas)))
}

export const isList = (response: unknown, schemas: Node): boolean => {
  const { data } = properties(resolved(isNode(response) ? schemaOf(response) : undefined, schemas))
  return resolved(data, schemas)["type"] === "array"
}

/** True for a GET whose answer is one document or picture, which a client may store and revalidate. */
export const isDocument = (method: string, responses: Node, schemas: Node): boolean => {
  const success = responses["200"]
  if (method === "get" && isPicture(success)) return true
  const record = resolved(isNode(success) ? schemaOf(success) : undefined, schemas)
  return method === "get" && Object.keys(properties(record)).join() === "success,data"
}

const typesOf = (response: unknown): ReadonlyArray<string> =>
  isNode(response) && isNode(response["content"]) ? Object.keys(response["content"]) : []

const isPicture = (response: unknown): boolean => typesOf(response).join() === "image/png"

/** True if the answer is a file to save, whose name is in the header Content-Disposition. */
const isFile = (response: Node) => typesOf(response).some((type) => !/json|html|png/.test(type))

interface Facts {
  readonly method: string
  readonly hasBody: boolean
  readonly hasQuery: boolean
  /** True if a record that the request needs may be missing. */
  readonly needsRecord: boolean
  /** True if the answer is a list, which refuses unknown query parameters. */
  readonly isList: boolean
  /** True if the endpoint accepts an `Idempotency-Key`. */
  readonly isKeyed: boolean
  readonly isDocument: boolean
  /** True if the answer of a write has the `ETag` of the new version. */
  readonly isVersioned: boolean
}

const headersOf = (status: string, { isDocument, isKeyed, isVersioned, method }: Facts): Node => ({
  ...limits,
  ...(isKeyed && isSuccess(status) ? headersNamed("IdempotencyReplayed") : {}),
  ...((isDocument || isVersioned) && isSuccess(status) ? headersNamed("ETag") : {}),
  ...(status === "202" && method === "get" ? headersNamed("RetryAfter") : {}),
  ...(status === "302" ? headersNamed("Location") : {}),
  ...(status === "401" || status === "403" ? headersNamed("WwwAuthenticate") : {}),
  ...(status === "429" ? headersNamed("RateLimitReset", "RetryAfter") : {}),
  ...(status === "503" || (isKeyed && status === "409") ? headersNamed("RetryAfter") : {})
})

const outcomes: Readonly<Record<string, string>> = {
  "201": "The record was created.",
  "202": "The work was accepted and runs in the background.",
  "302": "The browser returns to `redirect_uri`, or goes to the login."
}

/** Returns the headers that the endpoint itself declares, with their HTTP names. */
const declared = (headers: unknown): Node =>
  isNode(headers) && "location" in headers ? headersNamed("Location", "PreferenceApplied") : {}

/** Effect joins the descriptions of a response's refusals by this text, in the order of the refusals. */
const between = " | "

/** Returns refusals that the contract declares for every endpoint, although this endpoint never gives them. */
const impossible = ({ hasBody, hasQuery, isList, method, needsRecord }: Facts): ReadonlyArray<string> => [
  ...(hasBody ? [] : ["MalformedJson"]),
  ...(hasQuery || isList ? [] : ["UnknownFilter"]),
  ...(method === "get" && !hasQuery ? ["ValidationFailed"] : []),
  ...(needsRecord ? [] : ["NotFound"])
]

/** Answers for which an endpoint has a reason of its own, and which the service may also give before. */
const also: Readonly<Record<string, string>> = { "429": edgeResponses.TooManyAttempts.description }

/** Removes refusals from a response. Returns undefined if the response consists of these refusals only. */
const without = (refusals: ReadonlyArray<string>, response: Node): Node | undefined => {
  const schema = schemaOf(response)
  if (!isNode(schema)) return response
  const all = members(schema)
  const isKept = (member: unknown) => !isNode(member) || !refusals.includes(nameIn(member["$ref"]))
  const kept = all.filter(isKept)
  if (kept.length === all.length) return response
  if (kept.length === 0) return undefined
  const sentences = String(response["description"]).split(between)
  const description = sentences.filter((_, index) => isKept(all[index])).join(between)
  return { ...response, description, content: json(union(kept)) }
}

/** Completes the declared responses, and adds the answers that the service gives before it reaches the endpoint. */
export const completedResponses = (responses: Node, facts: Facts): Node => {
  const own = Object.entries(responses).flatMap(([status, stated]) => {
    if (!isNode(stated) || isNever(stated)) return []
    const response = without(impossible(facts), stated)
    if (response === undefined) return []
    const file = isSuccess(status) && isFile(response) ? headersNamed("ContentDisposition") : {}
    const headers = { ...headersOf(status, facts), ...file, ...declared(response["headers"]) }
    const outcome = outcomes[status] ?? (isSuccess(status) ? "Done." : undefined)
    const reasons = [response["description"], ...(also[status] === undefined ? [] : [also[status]])].join(between)
    const described = { ...response, description: outcome ?? reasons }
    return [[status, { ...withSharedRefusal(facts.method, status, described), headers }] as const]
  })
  const unchanged = {
    description: "The record has not changed since the answer whose `ETag` the request names.",
    headers: { ...limits, ...headersNamed("ETag") }
  }
  return { ...answersOfTheEdge, ...Object.fromEntries(own), ...(facts.isDocument ? { "304": unchanged } : {}) }
}

/**
 * With these statuses, a shared answer has this name, whichever refusals it contains, unless there is only one. Other
 * shared answers are named by their refusals.
 */
const usual: Readonly<Record<string, string>> = { "304": "NotModified", "400": "BadRequest", "403": "Forbidden" }

const names_max = 2

/** Joins the names of the refusals. An answer with many refusals is not shared, so it has no name. */
export const sharedName = (status: string, response: Node): string | undefined => {
  const schema = schemaOf(response)
  const plain = isNode(schema) ? members(schema).map((member) => (isNode(member) ? nameIn(member["$ref"]) : "")) : []
  if (isSuccess(status) || plain.includes("")) return undefined
  const [only, ...more] = plain
  if (only !== undefined && more.length === 0) return only
  return usual[status] ?? (plain.length <= names_max ? plain.join("Or") : undefined)
}
