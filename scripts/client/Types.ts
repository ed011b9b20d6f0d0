/** Writes the types of the OpenAPI document, on which the client on plain fetch is built, to src/client/openapi.d.ts. */
import { OpenApi } from "effect/http-api"
import { readFileSync, writeFileSync } from "node:fs"
import openapiTS, { astToString } from "openapi-typescript"
import { Api } from "../../src/Api.ts"

const file = "src/client/openapi.d.ts"

interface Parameter {
  readonly in: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** Lets a caller give a number where a path or a query holds text, such as an id. */
const withNumbers = (key: string, value: unknown): unknown =>
  key === "parameters" && Array.isArray(value) ? value.map(withNumber) : value

const withNumber = (parameter: Parameter): Parameter => {
  const { enum: choices, type } = parameter.schema
  const isText = type === "string" && choices === undefined && /^(?:path|query)$/.test(parameter.in)
  return isText ? { ...parameter, schema: { ...parameter.schema, type: ["string", "number"] } } : parameter
}

export const writeTypes = async (): Promise<void> => {
  const document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api), withNumbers))
  const text = astToString(await openapiTS(document, { defaultNonNullable: false, silent: true }))
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
