import { type Html, html } from "../platform/pages/Html.ts"
import { isNode, nameIn, type Node } from "../reference/Schemas.ts"
import { sentence } from "./Markdown.ts"

const recordLink = (name: string): Html => html`<a href="/docs/records/${name}">${name}</a>`

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const formats: Readonly<Record<string, string>> = {
  date: "date (YYYY-MM-DD)",
  "date-time": "time (RFC 3339)",
  binary: "file",
  uri: "address",
  email: "email address"
}

const joined = (parts: ReadonlyArray<Html>, separator: string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`

export const typeOf = (schema: unknown): Html => {
  if (!isNode(schema)) return html`any value`
  const { $ref, const: constant, enum: values, format, items, type } = schema
  if ($ref !== undefined) return recordLink(nameIn($ref))
  const parts = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])]
  if (parts.length > 0) return joined(parts.map(typeOf), " or ")
  const all = listOf(schema["allOf"])
  if (all.length > 0) return typeOf(all[0])
  if (constant !== undefined) return html`<code>${JSON.stringify(constant)}</code>`
  if (Array.isArray(values)) {
    return joined(
      values.map((value) => (value === null ? html`null` : html`<code>${String(value)}</code>`)),
      ", "
    )
  }
  if (type === "array") return html`list of ${typeOf(items)}`
  if (type === undefined) return html`any value`
  const names = [type].flat().map((name) => (name === "string" ? (formats[String(format)] ?? "text") : textOf(name)))
  return html`${names.join(" or ")}${limits(schema)}`
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value))

const bounds: ReadonlyArray<readonly [string, string, string]> = [
  ["exclusiveMinimum", "more than", ""],
  ["minimum", "at least", ""],
  ["maximum", "at most", ""],
  ["maxLength", "at most", " characters"],
  ["minItems", "at least", " entries"],
  ["maxItems", "at most", " entries"]
]

const limits = (schema: Node): string =>
  bounds
    .flatMap(([key, before, after]) => (key in schema ? [`, ${before} ${textOf(schema[key])}${after}`] : []))
    .join("")

const described = (schema: unknown): Html | undefined =>
  isNode(schema) && typeof schema["description"] === "string"
    ? html`<p>${sentence(schema["description"])}</p>`
    : undefined

const exampleOf = (schema: unknown): Html | undefined => {
  if (!isNode(schema)) return undefined
  const example = schema["example"] ?? listOf(schema["examples"])[0]
  return example === undefined ? undefined : html`<p class="muted">Example: <code>${JSON.stringify(example)}</code></p>`
}

interface Field {
  readonly name: string
  readonly schema: unknown
  readonly required: boolean
  readonly notes?: unknown
}

export const fieldList = (fields: ReadonlyArray<Field>): Html =>
  html`<dl>
    ${fields.map(
      ({ name, notes, required, schema }) =>
        html`<div>
          <dt><code>${name}</code> <span class="type">${typeOf(schema)}${required ? ", required" : ""}</span></dt>
          <dd>${described(notes ?? schema)}${exampleOf(notes) ?? exampleOf(schema)}</dd>
        </div>`
    )}
  </dl>`

/** The fields of a value that can have one of several schemas. A field is required if every schema requires it. */
const fieldsOfAny = (forms: ReadonlyArray<ReadonlyArray<Field>>): ReadonlyArray<Field> => {
  const names = new Set(forms.flatMap((fields) => fields.map(({ name }) => name)))
  return [...names].flatMap((name) => {
    const found = forms.flatMap((fields) => fields.filter((field) => field.name === name))
    const isRequired = found.length === forms.length && found.every(({ required }) => required)
    return found.slice(0, 1).map((field) => ({ ...field, required: isRequired }))
  })
}

/** The schemas that a value may have besides null. */
export const formsOf = (schema: unknown): ReadonlyArray<unknown> => {
  const forms = isNode(schema) ? [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])] : []
  return forms.filter((form) => !isNode(form) || form["type"] !== "null")
}

/** The fields of a record, including those of the records that it extends. */
export const fieldsOf = (schema: unknown, schemas: Node): ReadonlyArray<Field> => {
  if (!isNode(schema)) return []
  if (schema["$ref"] !== undefined) return fieldsOf(schemas[nameIn(schema["$ref"])], schemas)
  const forms = formsOf(schema)
  if (forms.length > 0) return fieldsOfAny(forms.map((form) => fieldsOf(form, schemas)))
  const required = new Set(listOf(schema["required"]))
  const properties = isNode(schema["properties"]) ? schema["properties"] : {}
  const own = Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.has(name) }))
  const inherited = listOf(schema["allOf"]).flatMap((part) => fieldsOf(part, schemas))
  const names = new Set(own.map(({ name }) => name))
  return [...inherited.filter(({ name }) => !names.has(name)), ...own]
}
