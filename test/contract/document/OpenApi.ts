import { Ajv2020 } from "ajv/dist/2020.js"
import { readFileSync } from "node:fs"
import type { Answer } from "../../support/App.ts"

interface Response {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly format?: string } }>>
}

interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly responses: Readonly<Record<string, Response>>
  readonly deprecated?: boolean
  readonly security?: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly requestBody?: { readonly content: object; readonly required?: boolean }
  readonly parameters?: ReadonlyArray<Parameter>
  readonly "x-codeSamples"?: ReadonlyArray<{ readonly source: string }>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required?: boolean
  readonly schema: unknown
}

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly webhooks: Readonly<Record<string, object>>
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: object }>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly headers: Readonly<Record<string, object>>
    readonly responses: Readonly<Record<string, Response>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

export const documentText = readFileSync(new URL("../openapi.json", import.meta.url), "utf8")
export const document: Document = JSON.parse(documentText)

const nameIn = (reference: string) => reference.split("/").at(-1) ?? ""

const parameterOf = (parameter: Parameter | { readonly $ref: string }): Parameter => {
  if (!("$ref" in parameter)) return parameter
  const found = document.components.parameters[nameIn(parameter.$ref)]
  if (found === undefined) throw new Error(`${parameter.$ref} is not a parameter.`)
  return found
}

/** All operations; references to parameters are replaced by the parameters. */
export const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    ...operation,
    parameters: (operation.parameters ?? []).map(parameterOf)
  }))
)

/** Returns the events that the description of an operation names. */
export const emittedBy = (operation: string): ReadonlyArray<string> => {
  const { description = "" } = operations.find(({ operationId }) => operationId === operation) ?? {}
  return [...(description.split("May emit ")[1] ?? "").matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? [])
}

const root = "openapi.json"

/** Makes the document refuse undeclared fields in answers; the published document allows new fields. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== "object" || value === null) return value
  const node = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]))
  const isRecord = node["type"] === "object" && "properties" in node && !("additionalProperties" in node)
  return isRecord ? { ...node, additionalProperties: false } : node
}

/**
 * Returns the document that refuses undeclared fields in answers, and in which amounts are numbers or text. They are
 * text with the header `Prefer: amounts=string`.
 */
const answered = (amounts: "number" | "text") => {
  const strict = closed(document) as Document
  const { schemas } = strict.components
  const Amount = amounts === "text" ? { ...schemas["AmountText"] } : { ...schemas["Amount"] }
  return { ...strict, components: { ...strict.components, schemas: { ...schemas, Amount } } }
}

const ajv = new Ajv2020({
  // Allows keywords of OpenAPI that JSON Schema does not have.
  strictSchema: false,
  allErrors: true,
  formats: {
    date: /^\d{4}-\d{2}-\d{2}$/,
    "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
    email: /^[^@\s]+@[^@\s]+$/,
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    binary: true
  }
})
  .addSchema(answered("number"), root)
  .addSchema(answered("text"), `${root}.text`)

const pointer = (...keys: ReadonlyArray<string>) =>
  keys.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")

const routes = operations
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    parameters: operation.path.split("{").length
  }))
  // A path that matches literally is a better match than one that matches with a parameter.
  .toSorted((a, b) => a.parameters - b.parameters)

const operationOf = (method: string, url: string) => {
  const [path = ""] = url.split("?", 1)
  return routes.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation
}

const validators = new Map<string, ReturnType<typeof ajv.compile>>()
const validatorOf = (document: string, place: string) => {
  const address = `${document}#/${place}/content/${pointer("application/json")}/schema`
  const known = validators.get(address)
  if (known !== undefined) return known
  const made = ajv.compile({ $ref: address })
  validators.set(address, made)
  return made
}

/**
 * Returns the operation, the declared status and the differences of an answer from its declaration; undefined if the
 * URL belongs to no operation, such as a page.
 */
export const declaredAs = (method: string, url: string, { body, headers, status, text }: Answer) => {
  const operation = operationOf(method, url)
  if (operation === undefined) return undefined
  const key = String(status) in operation.responses ? String(status) : "default"
  const declared = operation.responses[key]
  const place =
    declared?.$ref?.replace("#/", "") ?? pointer("paths", operation.path, method.toLowerCase(), "responses", key)
  const content = declared?.content ?? document.components.responses[place.split("/")[2] ?? ""]?.content
  const type = headers.get("content-type")?.split(";", 1)[0] ?? ""
  const mistake = () => {
    if (content === undefined) return text === "" ? undefined : "has a body that is not declared"
    const types = Object.keys(content).map((name) => name.split(";", 1)[0])
    if (!types.includes(type)) return `is ${type}, not ${types.join(" or ")}`
    // A file that happens to be JSON is declared as bytes.
    if (type !== "application/json" || content[type]?.schema?.format === "binary") return undefined
    const isText = headers.get("preference-applied")?.includes("amounts=string") === true
    const validate = validatorOf(isText ? `${root}.text` : root, place)
    return validate(body) ? undefined : ajv.errorsText(validate.errors)
  }
  return { id: operation.operationId, key, mistake: mistake() }
}
