import type { OpenApi } from "effect/http-api"
import { byName } from "../kernel/Text.ts"
import { requestHeader, requestHeaders, responseHeaders } from "./Headers.ts"
import { refusalExamples } from "./RefusalExamples.ts"
import { completedResponses, edgeResponses, hasVersion, isDocument, isList, sharedName } from "./Responses.ts"
import { type Example, illustrated } from "./Samples.ts"
import { isNode, type Node, readable } from "./Schemas.ts"
import { mentions, sharing, unified } from "./Shared.ts"

interface Knowledge {
  /** Scopes and permissions by operation id. */
  readonly access: Readonly<
    Record<string, { readonly scopes: ReadonlyArray<string>; readonly permissions: ReadonlyArray<string> }>
  >
  /** Operations that accept an `Idempotency-Key`. */
  readonly keyed: ReadonlySet<string>
  /** Operations that answer 404 although their path names no record. */
  readonly missing: ReadonlySet<string>
  /** Component schemas that no endpoint declares. */
  readonly schemas: Node
  /** Component parameters that no endpoint declares. */
  readonly parameters: Node
  readonly securitySchemes: Node
  readonly webhooks: Node
  /** Descriptions of refusals by the name of their schema. */
  readonly refusals: Readonly<Record<string, string>>
  readonly info: Node
  /** A request that a test sent and the response, by operation id. */
  readonly examples: Readonly<Record<string, Example>>
  /** Error responses that the service returned in a test. */
  readonly refused: ReadonlyArray<Node>
}

const nodes = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value.filter(isNode) : [])

/** Moves the description and example of a parameter from its schema to the parameter, where every tool shows them. */
const parameterOf = (parameter: Node): Node => {
  const schema = isNode(parameter["schema"]) ? parameter["schema"] : {}
  const { description, examples, ...type } = schema
  const example = Array.isArray(examples) ? { example: examples[0] } : {}
  return { ...parameter, schema: type, ...(description === undefined ? {} : { description }), ...example }
}

const pascal = (name: string) =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]|$)/g, (_match, letter: string) => letter.toUpperCase())

const each = (node: Node, change: (value: Node, key: string) => Node): Node =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, isNode(value) ? change(value, key) : value]))

/** Returns the requirements of an operation, from the table of access rules that the service itself enforces. */
const securityOf = (path: string, operationId: string, { access }: Knowledge): Node => {
  const rules = access[operationId]
  if (rules === undefined) return {}
  // Endpoints of one organization name it in the path; all others name it in a header.
  const isInPath = path.startsWith("/api/v1/organizations/{id}")
  const organization = rules.permissions.length === 0 || isInPath ? {} : { organization: [] }
  return {
    "x-required-permission": rules.permissions.length === 0 ? null : rules.permissions.join(" "),
    security: [
      { oauth2: rules.scopes, ...organization },
      { bearer: [], ...organization }
    ]
  }
}

const completedOperation = (path: string, method: string, operation: Node, schemas: Node, known: Knowledge): Node => {
  const operationId = String(operation["operationId"])
  const declared = isNode(operation["responses"]) ? operation["responses"] : {}
  const isKeyed = method === "post" && known.keyed.has(operationId)
  const isRevalidated = isDocument(method, declared, schemas)
  const isLocked = "412" in declared
  const leadsTo = mentions(schemas, "Amount")
  const parameters = nodes(operation["parameters"]).map(parameterOf)
  const hasOwn = (name: string) => parameters.some((parameter) => String(parameter["name"]).toLowerCase() === name)
  const successes = Object.entries(declared).filter(([status]) => status.startsWith("2"))
  const headers = [
    ...(isKeyed ? [requestHeader("IdempotencyKey")] : []),
    ...(isLocked ? [requestHeader("IfMatch")] : []),
    ...(isRevalidated ? [requestHeader("IfNoneMatch")] : []),
    ...(leadsTo(successes) && !hasOwn("prefer") ? [requestHeader("Prefer")] : [])
  ]
  const isVersioned = method !== "get" && successes.some(([, response]) => hasVersion(response, schemas))
  const hasQuery = parameters.some((parameter) => parameter["in"] === "query")
  const hasBody = "requestBody" in operation
  const facts = {
    method,
    hasBody,
    hasQuery,
    needsRecord: path.includes("{") || known.missing.has(operationId),
    isList: method === "get" && isList(declared["200"], schemas),
    isKeyed,
    isDocument: isRevalidated,
    isVersioned
  }
  return {
    ...operation,
    parameters: [...parameters, ...headers],
    ...("requestBody" in operation ? { requestBody: omittable(operation["requestBody"]) } : {}),
    responses: completedResponses(declared, facts),
    ...securityOf(path, operationId, known)
  }
}

const omittable = (body: unknown): unknown => {
  const content = isNode(body) ? body["content"] : undefined
  const json = isNode(content) ? content["application/json"] : undefined
  const schema = isNode(json) ? json["schema"] : undefined
  const choices = isNode(schema) ? nodes(schema["anyOf"]) : []
  return isNode(body) && choices.some(({ type }) => type === "null") ? { ...body, required: false } : body
}

const operationsOf = (paths: Node): ReadonlyArray<Node> =>
  Object.values(paths).flatMap((item) => (isNode(item) ? Object.values(item).filter(isNode) : []))

/** Moves parameters and responses that several operations have in common to the components of the document. */
const withComponents = (paths: Node) => {
  const operations = operationsOf(paths)
  const parameters = sharing(
    operations.flatMap(({ parameters }) =>
      nodes(parameters).flatMap((part) => ("$ref" in part ? [] : [{ name: pascal(String(part["name"])), part }]))
    ),
    "parameters"
  )
  const responses = sharing(
    operations.flatMap(({ responses }) =>
      Object.entries(isNode(responses) ? responses : {}).flatMap(([status, part]) => {
        const name = isNode(part) && !("$ref" in part) ? sharedName(status, part) : undefined
        return name === undefined || !isNode(part) ? [] : [{ name, part }]
      })
    ),
    "responses"
  )
  const shared = each(paths, (item) =>
    each(item, (operation) => ({
      ...operation,
      parameters: nodes(operation["parameters"]).map(parameters.reference),
      responses: each(isNode(operation["responses"]) ? operation["responses"] : {}, responses.reference)
    }))
  )
  return { paths: shared, parameters: parameters.components, responses: responses.components }
}

/** Returns the name that a schema has in the source. Effect appends `Encoded` to it. */
export const sourceName = (identifier: string | undefined) => identifier?.replace(/Encoded$/, "")

/** Turns the OpenAPI document that Effect generates from the contract into the published document. */
export const completed = (generated: OpenApi.OpenAPISpec, known: Knowledge) => {
  const { components, info, security, tags } = generated
  const own = unified(each(components.schemas, readableNode), readableNode({ ...generated.paths }))
  const schemas = each({ ...own.schemas, ...known.schemas }, (schema, name) => {
    const description = known.refusals[name]
    return description === undefined ? schema : { ...schema, description }
  })
  const illustratedPaths = each(own.paths, (item, path) =>
    each(item, (operation, method) =>
      illustrated(
        completedOperation(path, method, operation, schemas, known),
        known.examples[String(operation["operationId"])]
      )
    )
  )
  const shared = withComponents(illustratedPaths)
  const refusals = refusalExamples(schemas, known.refused)
  const paths = each(shared.paths, (item) =>
    each(item, (operation) => ({ ...operation, responses: refusals.add(operation["responses"]) }))
  )
  const responses = refusals.add({ ...shared.responses, ...edgeResponses })
  return {
    openapi: generated.openapi,
    info: { ...info, ...known.info },
    servers: [{ url: "/", description: "The installation that serves this document." }],
    security,
    tags,
    paths,
    webhooks: known.webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(byName)),
      parameters: { ...shared.parameters, ...requestHeaders, ...known.parameters },
      headers: responseHeaders,
      responses,
      examples: refusals.components(),
      securitySchemes: known.securitySchemes
    }
  }
}

const readableNode = (node: Node): Node => {
  const result = readable(node)
  return isNode(result) ? result : {}
}
