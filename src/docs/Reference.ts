import { type Html, html } from "../platform/pages/Html.ts"
import { isNode, type Node } from "../reference/Schemas.ts"
import { fragmentOf, sentence } from "./Markdown.ts"
import type { Entry } from "./Search.ts"
import { fieldList, fieldsOf, formsOf, typeOf } from "./Shapes.ts"

interface Operation {
  readonly id: string
  readonly tag: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly node: Node
}

interface Chapter {
  readonly path: string
  readonly title: string
  readonly description: string
  readonly operations: ReadonlyArray<Operation>
}

const nodeOf = (value: unknown): Node => (isNode(value) ? value : {})
const nodesIn = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value.filter(isNode) : [])
const textOf = (value: unknown) => (typeof value === "string" ? value : "")

const operationsIn = (paths: unknown): ReadonlyArray<Operation> =>
  Object.entries(nodeOf(paths)).flatMap(([path, item]) =>
    Object.entries(nodeOf(item)).flatMap(([method, node]) =>
      isNode(node)
        ? [
            {
              id: String(node["operationId"]),
              tag: String([node["tags"]].flat()[0]),
              method: method.toUpperCase(),
              path,
              summary: textOf(node["summary"]),
              node
            }
          ]
        : []
    )
  )

/** Renders the OpenAPI document as pages: one for each tag, and one for each record. */
export const referenceOf = (document: Node) => {
  const components = nodeOf(document["components"])
  const schemas = nodeOf(components["schemas"])
  const resolved = (node: unknown): Node => {
    const reference = isNode(node) ? node["$ref"] : undefined
    if (typeof reference !== "string") return nodeOf(node)
    return reference
      .split("/")
      .slice(1)
      .reduce<Node>((found, key) => nodeOf(found[key]), document)
  }
  const operations = operationsIn(document["paths"])
  const chapters: ReadonlyArray<Chapter> = [
    ...nodesIn(document["tags"]).map((tag) => ({
      title: textOf(tag["name"]),
      description: textOf(tag["description"])
    })),
    { title: "Webhook messages", description: "The messages that this service sends to your webhooks." }
  ].map(({ description, title }) => ({
    path: `/docs/reference/${fragmentOf(title)}`,
    title,
    description,
    operations:
      title === "Webhook messages" ? operationsIn(document["webhooks"]) : operations.filter(({ tag }) => tag === title)
  }))

  const chapterPage = ({ description, operations, title }: Chapter): Html =>
    html`<h1>${title}</h1>
      <p>${sentence(description)}</p>
      <ul>
        ${operations.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}
      </ul>
      ${operations.map((operation) => operationSection(operation, { schemas, resolved }))}`

  const recordPage = (name: string): Html | undefined => {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    if (!isNode(schema)) return undefined
    const fields = fieldsOf(schema, schemas)
    return html`<h1>${name}</h1>
      <p>${sentence(textOf(schema["description"]))}</p>
      ${fields.length === 0 ? html`<p>Values: ${typeOf(schema)}.</p>` : fieldList(fields)}`
  }

  const entries: ReadonlyArray<Entry> = [
    ...chapters.flatMap(({ operations, path, title }) =>
      operations.map(({ id, method, node, path: address, summary }) => ({
        path: `${path}#${id}`,
        title: summary,
        page: title,
        names: `${id} ${method} ${address}`,
        text: `${method} ${address} ${textOf(node["description"])}`
      }))
    ),
    ...Object.entries(schemas).map(([name, schema]) => ({
      path: `/docs/records/${name}`,
      title: name,
      page: "Record",
      text: `${textOf(nodeOf(schema)["description"])} ${fieldsOf(schema, {})
        .map(({ name }) => name)
        .join(" ")}`
    }))
  ]
  return { chapters, chapterPage, recordPage, entries }
}

interface Known {
  readonly schemas: Node
  readonly resolved: (node: unknown) => Node
}

const operationSection = (operation: Operation, known: Known): Html => {
  const { id, method, node, path, summary } = operation
  return html`<section class="operation" id="${id}">
    <h2>${summary}</h2>
    ${
      path.startsWith("/")
        ? html`<p class="address">
            <code><span class="method">${method}</span> ${path}</code>
          </p>`
        : ""
    }
    ${textOf(node["description"])
      .split("\n\n")
      .map((part) => html`<p>${sentence(part)}</p>`)}
    ${access(node)} ${parameters(node, known)} ${body(node, known)} ${answers(node, known)} ${example(node)}
  </section>`
}

const access = (node: Node): Html | undefined => {
  const scopes = nodesIn(node["security"]).flatMap((way) => [way["oauth2"] ?? []].flat().map(String))
  const permission = textOf(node["x-required-permission"])
  if (scopes.length === 0 && permission === "") return undefined
  return html`<p class="muted">
    ${scopes.length === 0 ? "" : html`Scope: ${[...new Set(scopes)].map((scope) => html`<code>${scope}</code> `)}`}
    ${permission === "" ? "" : html` Permission: <code>${permission}</code>`}
  </p>`
}

const parameters = (node: Node, { resolved }: Known): Html | undefined => {
  const fields = nodesIn(node["parameters"])
    .map(resolved)
    .map((parameter) => ({
      name: textOf(parameter["name"]),
      schema: parameter["schema"],
      required: parameter["required"] === true,
      notes: parameter
    }))
  return fields.length === 0
    ? undefined
    : html`<h3>Parameters and headers</h3>
        ${fieldList(fields)}`
}

const contentsOf = (holder: Node): ReadonlyArray<readonly [string, Node]> =>
  Object.entries(nodeOf(holder["content"])).map(([type, media]) => [type, nodeOf(media)] as const)

const body = (node: Node, { resolved, schemas }: Known): Html | undefined => {
  const contents = contentsOf(resolved(node["requestBody"]))
  const [first] = contents
  if (first === undefined) return undefined
  const fields = fieldsOf(first[1]["schema"], schemas)
  const [type] = first
  const shape = type === "multipart/form-data" ? "" : html`: ${typeOf(first[1]["schema"])}`
  return html`<h3>Body</h3>
    <p class="muted">${contents.map(([type]) => type).join(" or ")}${shape}</p>
    ${fields.length === 0 ? "" : fieldList(fields)}`
}

/** Returns the value of a field whose schema allows only one value. */
const constantOf = (field: unknown) => textOf([nodeOf(field)["enum"]].flat()[0])

/** Shows the code and the description of a refusal; undefined for the generic refusal, which has no code of its own. */
const refusalRow = (schema: Node): Html | undefined => {
  const properties = nodeOf(schema["properties"])
  const code = constantOf(properties["code"]) || constantOf(properties["error"])
  return code === "" ? undefined : html`<p><code>${code}</code> ${sentence(textOf(schema["description"]))}</p>`
}

/** Explains a response: lists the errors that it may contain, each with its code, or else shows its description. */
const meanings = (answer: Node, { resolved }: Known): ReadonlyArray<Html> => {
  const schema = contentsOf(answer)[0]?.[1]["schema"]
  const forms = formsOf(schema)
  const rows = (forms.length > 0 ? forms : [schema]).flatMap((form) => refusalRow(resolved(form)) ?? [])
  if (rows.length > 0) return rows
  return textOf(answer["description"])
    .split(" | ")
    .map((text) => html`<p>${sentence(text)}</p>`)
}

const answers = (node: Node, known: Known): Html => {
  const rows = Object.entries(nodeOf(node["responses"])).map(([status, response]) => {
    const answer = known.resolved(response)
    const [first] = contentsOf(answer)
    const type = first === undefined ? "" : html` <span class="type">${typeOf(first[1]["schema"])}</span>`
    return html`<div>
      <dt>${status}${type}</dt>
      <dd>${meanings(answer, known)}</dd>
    </div>`
  })
  return html`<h3>Answers</h3>
    <dl>${rows}</dl>`
}

const example = (node: Node): Html | undefined => {
  const [sample] = nodesIn(node["x-codeSamples"])
  const answered = Object.values(nodeOf(node["responses"]))
    .flatMap((response) => contentsOf(nodeOf(response)))
    .find(([, media]) => media["example"] !== undefined)
  const message = contentsOf(nodeOf(node["requestBody"])).find(([, media]) => media["example"] !== undefined)
  const shown = answered ?? (sample === undefined ? message : undefined)
  if (sample === undefined && shown === undefined) return undefined
  return html`<details>
    <summary>Example</summary>
    ${sample === undefined ? "" : block("curl", textOf(sample["source"]))}
    ${shown === undefined ? "" : block(sample === undefined ? "Message" : "Answer", printed(shown[1]["example"]))}
  </details>`
}

const printed = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value, null, 2))

const block = (caption: string, text: string): Html =>
  html`<figure class="code">
    <figcaption>${caption}</figcaption>
    <pre><code>${text}</code></pre>
  </figure>`
