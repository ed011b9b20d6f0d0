import { readFileSync, writeFileSync } from "node:fs"
import openapiTS, { astToString } from "openapi-typescript"
import typescript from "typescript"
import { openApiText } from "../openapi.ts"

const file = "src/client/openapi.d.ts"

type Json = Readonly<Record<string, unknown>>

interface Parameter {
  readonly in?: string
  /** Absent if the parameter is only a reference (`$ref`) to a shared parameter. */
  readonly schema?: Json
}

/** Changes the types of all parameters to what callers may send. */
const adapted = (key: string, value: unknown): unknown =>
  key === "parameters" && Array.isArray(value) ? value.map(withNumber) : value

/** Allows a number where a path or a query contains text, such as an id. */
const withNumber = (parameter: Parameter): Parameter => {
  const { enum: choices, type } = parameter.schema ?? {}
  const isText = type === "string" && choices === undefined && /^(?:path|query)$/.test(parameter.in ?? "")
  return isText ? { ...parameter, schema: { ...parameter.schema, type: ["string", "number"] } } : parameter
}

const blob = typescript.factory.createTypeReferenceNode("Blob")

export const writeTypes = async (): Promise<void> => {
  const document = JSON.parse(openApiText(), adapted)
  const text = astToString(
    await openapiTS(document, {
      defaultNonNullable: false,
      emptyObjectsUnknown: true,
      silent: true,
      // A file in the body of a request is a `Blob` or `File`, which the client sends as a form.
      transform: ({ format }, { path = "" }) =>
        format === "binary" && path.includes("/requestBody/") ? blob : undefined
    })
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
