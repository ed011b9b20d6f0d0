import { Record } from "effect"
import type { OpenApi } from "effect/http-api"
import { accessTable } from "./organizations/access/Access.ts"

const closed = (properties: object) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})

const refusal = (description: string, properties: object) => ({
  description,
  content: { "application/json": { schema: closed(properties) } }
})

const text = { type: "string" }
const common = { success: { type: "boolean", enum: [false] }, message: text, code: text }

/** Responses of the edge, which any endpoint may answer instead of its own. */
const responses = {
  TooManyAttempts: refusal("Rate limit exceeded.", { message: { type: "string", enum: ["Too Many Attempts."] } }),
  ServerError: refusal("Server error.", { ...common, request_id: text }),
  Refused: refusal(
    "Refused, with a code: method not allowed, body too large or compressed, unsupported media type, unavailable.",
    common
  )
}

const answers = {
  "429": { $ref: "#/components/responses/TooManyAttempts" },
  "500": { $ref: "#/components/responses/ServerError" },
  default: { $ref: "#/components/responses/Refused" }
}

/** Status of a database outage, which some endpoints also declare for other systems that they need. */
const outage = "503"
/** Statuses that both the edge and endpoints answer to a POST: an unreadable or large body, a reused key, an outage. */
const shared = new Set(["400", "409", "413", "422", outage])

interface Answer {
  readonly description?: string
  readonly headers?: object
  readonly content?: { readonly "application/json"?: { readonly schema: object } }
}

const withSharedRefusals = (method: string, declared: Readonly<Record<string, Answer>>) =>
  Object.fromEntries(
    Object.entries(declared).map(([status, answer]) => {
      const own = answer.content?.["application/json"]?.schema
      const isShared = method === "post" ? shared.has(status) : status === outage
      if (!isShared || own === undefined) return [status, answer]
      const schema = { anyOf: [own, closed(common)] }
      return [status, { ...answer, content: { ...answer.content, "application/json": { schema } } }]
    })
  )

/** An endpoint that always refuses declares a success schema without values, which the document leaves out. */
const withoutImpossible = (declared: Readonly<Record<string, Answer>>) =>
  Record.filter(declared, (answer) => !isNever(answer))

const isNever = ({ content }: Answer) => JSON.stringify(content?.["application/json"]?.schema) === '{"not":{}}'

/** The tag of an error class is not on the wire, so the document leaves it out. */
const withoutTag = (schema: object) => {
  if (!("properties" in schema)) return schema
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => name !== "_tag")
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Operation ids are the keys of the access table, so the document states the rules that the service enforces. */
const securityOf = (path: string, operationId: string) => {
  const access = accessTable[operationId]
  if (access === undefined) return {}
  const { permissions, scopes } = access
  // Routes of organizations name the organization in their path; all others name it in the header.
  const isInPath = path.startsWith("/api/v1/organizations/{id}")
  const organization = permissions.length === 0 || isInPath ? {} : { organization: [] }
  return {
    "x-required-permission": permissions.length === 0 ? null : permissions.join(" "),
    security: [
      { oauth2: scopes, ...organization },
      { bearer: [], ...organization }
    ]
  }
}

const scopeNames = [...new Set(Object.values(accessTable).flatMap(({ scopes }) => scopes))].toSorted()

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "Personal access token or organization API token." },
  organization: { type: "apiKey", in: "header", name: "X-Organization-Id" },
  oauth2: {
    type: "oauth2",
    flows: {
      authorizationCode: {
        authorizationUrl: "/oauth/authorize",
        tokenUrl: "/oauth/token",
        refreshUrl: "/oauth/token",
        scopes: Object.fromEntries(scopeNames.map((name) => [name, ""]))
      }
    }
  }
}

const tag = { schema: text, description: "Changes with the document. `If-Match` of a write takes it, too." }

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  required: false,
  schema: text,
  description: "Tags of earlier answers, or `*`: a document that has one of them is answered with 304."
}

/** A GET whose answer its client may keep and revalidate: one document, or a picture. */
const isRevalidable = (method: string, responses: Readonly<Record<string, Answer>>): boolean => {
  const content: Answer["content"] = responses["200"]?.content
  if (method === "get" && Object.keys(content ?? {}).join() === "image/png") return true
  const schema = content?.["application/json"]?.schema
  const properties = schema !== undefined && "properties" in schema ? Object.keys(schema.properties ?? {}) : []
  return method === "get" && properties.join() === "success,data"
}

const revalidated = (declared: Readonly<Record<string, Answer>>): Readonly<Record<string, Answer>> => ({
  ...declared,
  "200": { ...declared["200"], headers: { ETag: tag } },
  "304": { description: "The client has this document.", headers: { ETag: tag } }
})

const completedOperation = (path: string, method: string, operation: OpenApi.OpenAPISpecOperation) => {
  const declared = withoutImpossible(operation.responses)
  const isRevalidated = isRevalidable(method, declared)
  const responses = isRevalidated ? revalidated(declared) : declared
  return {
    ...operation,
    parameters: isRevalidated ? [...operation.parameters, ifNoneMatch] : operation.parameters,
    responses: { ...answers, ...withSharedRefusals(method, responses) },
    ...securityOf(path, operation.operationId)
  }
}

/** Completes the OpenAPI document with what no endpoint declares: the edge's answers and the required credentials. */
export const completed = (document: Record<string, unknown>) => {
  // Boundary: Effect hands the finished document to a transform without its type.
  const spec = document as unknown as OpenApi.OpenAPISpec
  const { components } = spec
  const paths = Object.entries(spec.paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, value]) => [
        method,
        "operationId" in value ? completedOperation(path, method, value) : value
      ])
    )
  ])
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, withoutTag(schema)])
  return {
    ...spec,
    paths: Object.fromEntries(paths),
    components: {
      ...components,
      schemas: Object.fromEntries(schemas),
      securitySchemes: { ...components.securitySchemes, ...securitySchemes },
      responses
    }
  }
}
