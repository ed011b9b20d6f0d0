import { readFileSync, writeFileSync } from "node:fs"
import openapiTS, { astToString } from "openapi-typescript"
import typescript from "typescript"
import { openApiText } from "../openapi.ts"

const file = "src/client/openapi.d.ts"

type Json = Readonly<Record<string, unknown>>

interface Webhook {
  readonly post: {
    readonly requestBody: { readonly content: { readonly "application/json": { readonly schema: Json } } }
  }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly webhooks: Readonly<Record<string, Webhook>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

const widened = (part: unknown) =>
  JSON.parse(JSON.stringify(part).replaceAll('schemas/Amount"', 'schemas/AmountInput"'))

/** Allows a text for each amount in a request, because a number may be too inexact for an amount. */
const withAmountTexts = (text: string): string => {
  const document: Document = JSON.parse(text)
  const { schemas } = document.components
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    for (const [key, child] of Object.entries(value)) {
      const name = key === "$ref" && typeof child === "string" ? child.replace("#/components/schemas/", "") : ""
      if (name in schemas && !names.has(name)) {
        names.add(name)
        visit(schemas[name])
      }
      visit(child)
    }
  }
  for (const operations of Object.values(document.paths)) {
    for (const { requestBody } of Object.values(operations)) visit(requestBody)
  }
  const changed = Object.entries(schemas).map(([name, schema]) => [name, names.has(name) ? widened(schema) : schema])
  const paths = JSON.parse(JSON.stringify(document.paths), (key, part) =>
    key === "parameters" || key === "requestBody" ? widened(part) : part
  )
  const AmountInput = { type: ["number", "string"], description: 'An amount, also as text such as "1250.50".' }
  const components = { ...document.components, schemas: { ...Object.fromEntries(changed), AmountInput } }
  return JSON.stringify({ ...document, paths, components })
}

/**
 * An event in the list of events gets the same type as the webhook message about it. The type of `data` then follows
 * from the type of the event.
 */
const eventItems = ({ webhooks }: Document) => {
  const schemas = Object.values(webhooks).map(({ post }) => post.requestBody.content["application/json"].schema)
  return { anyOf: [...new Map(schemas.map((schema) => [schema["$ref"], schema])).values()] }
}

const withRecords = (text: string): string => {
  const document: Document = JSON.parse(text)
  return JSON.stringify(document, (key, value) =>
    key === "EventPage"
      ? {
          ...value,
          properties: { ...value.properties, data: { ...value.properties.data, items: eventItems(document) } }
        }
      : value
  )
}

const blob = typescript.factory.createTypeReferenceNode("Blob")

export const writeTypes = async (): Promise<void> => {
  const document = JSON.parse(withRecords(withAmountTexts(openApiText())))
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
