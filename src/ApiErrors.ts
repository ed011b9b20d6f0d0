import { Record } from "effect"
import type { OpenApi } from "effect/http-api"

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

/** What may come in place of any endpoint's own answer: the edge's, before or after it. */
const responses = {
  TooManyAttempts: refusal("Rate limit exceeded.", { message: { type: "string", enum: ["Too Many Attempts."] } }),
  ServerError: refusal("Server error.", { ...common, request_id: text }),
  Refused: refusal("Refused, with a code: another method, too large, another media type, unavailable.", common)
}

const answers = {
  "429": { $ref: "#/components/responses/TooManyAttempts" },
  "500": { $ref: "#/components/responses/ServerError" },
  default: { $ref: "#/components/responses/Refused" }
}

/** An outage of the database shares it with what an endpoint says about others that it needs. */
const outage = "503"
/** Those, and what an unreadable body and a reused `Idempotency-Key` share with the endpoint's own refusals. */
const shared = new Set(["400", "409", "422", outage])

interface Answer {
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

/** An endpoint that always refuses declares a success of which there is no value: it is no answer. */
const withoutImpossible = (declared: Readonly<Record<string, Answer>>) =>
  Record.filter(declared, (answer) => !isNever(answer))

const isNever = ({ content }: Answer) => JSON.stringify(content?.["application/json"]?.schema) === '{"not":{}}'

/** The tag of an error class stays in the program, so it has no place in the document. */
const withoutTag = (schema: object) => {
  if (!("properties" in schema)) return schema
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => name !== "_tag")
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Gives every operation of the document the answers that no endpoint declares. */
export const withEdgeAnswers = (document: Record<string, unknown>) => {
  // Effect hands the finished document to a transform without its type.
  const spec = document as unknown as OpenApi.OpenAPISpec
  const paths = Object.entries(spec.paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, value]) => [
        method,
        "responses" in value
          ? {
              ...value,
              responses: { ...answers, ...withSharedRefusals(method, withoutImpossible(value.responses)) }
            }
          : value
      ])
    )
  ])
  const schemas = Object.entries(spec.components.schemas).map(([name, schema]) => [name, withoutTag(schema)])
  const components = { ...spec.components, schemas: Object.fromEntries(schemas), responses }
  return { ...spec, paths: Object.fromEntries(paths), components }
}
