/** Writes the types of the OpenAPI document, on which the client on plain fetch is built, to src/client/openapi.d.ts. */
import { readFileSync, writeFileSync } from "node:fs"
import openapiTS, { astToString } from "openapi-typescript"
import { openApiText } from "../openapi.ts"

const file = "src/client/openapi.d.ts"

type Json = Readonly<Record<string, unknown>>

interface Parameter {
  readonly in?: string
  /** Absent in a reference to a parameter of the components. */
  readonly schema?: Json
}

/** Adapts a part of the document to what callers may send, by the two functions below. */
const adapted = (key: string, value: unknown): unknown => {
  if (key === "parameters" && Array.isArray(value)) return value.map(withNumber)
  // Boundary: a request body of the document has this form.
  return key === "requestBody" ? omittable(value as Body) : value
}

/** Allows a number where a path or a query contains text, such as an id. */
const withNumber = (parameter: Parameter): Parameter => {
  const { enum: choices, type } = parameter.schema ?? {}
  const isText = type === "string" && choices === undefined && /^(?:path|query)$/.test(parameter.in ?? "")
  return isText ? { ...parameter, schema: { ...parameter.schema, type: ["string", "number"] } } : parameter
}

interface Body {
  readonly required?: boolean
  readonly content: Readonly<Record<string, { readonly schema: { readonly anyOf?: ReadonlyArray<Json> } }>>
}

/** Allows callers to omit a body that may be null. */
const omittable = (body: Body): Body => {
  const choices = body.content["application/json"]?.schema.anyOf ?? []
  return choices.some(({ type }) => type === "null") ? { ...body, required: false } : body
}

export const writeTypes = async (): Promise<void> => {
  const document = JSON.parse(openApiText(), adapted)
  const text = astToString(
    await openapiTS(document, { defaultNonNullable: false, emptyObjectsUnknown: true, silent: true })
  )
  if (known() !== text) writeFileSync(file, text)
}

const known = () => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

if (import.meta.main) await writeTypes()
