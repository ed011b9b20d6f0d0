import { isNode, type Node } from "./Schemas.ts"

export interface Example {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly status: number
  readonly answer?: unknown
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Matches a part of a recorded `multipart/form-data` body: its name, the name of its file, and its text. */
const part = /name="([^"]+)"(?:; filename="([^"]+)")?(?:\r\n[^\r]+)*\r\n\r\n([^\r]*)/g

const formOptions = (body: string) =>
  [...body.matchAll(part)].map(([, name, file, text]) => `--form ${quoted(`${name}=${file ? `@${file}` : text}`)}`)

const isMultipart = (body: string) => body.startsWith("--")

/** The fields of a recorded `application/x-www-form-urlencoded` body. */
const fieldsOf = (body: unknown) =>
  typeof body === "string" && !isMultipart(body) ? Object.fromEntries(new URLSearchParams(body)) : undefined

const bodyOptions = (body: unknown): ReadonlyArray<string> => {
  if (isNode(body)) return ['-H "Content-Type: application/json"', `--data ${quoted(JSON.stringify(body))}`]
  if (typeof body !== "string") return []
  return isMultipart(body) ? formOptions(body) : [`--data ${quoted(body)}`]
}

const headersOf = (security: unknown): ReadonlyArray<string> => {
  const [scheme] = Array.isArray(security) ? security : []
  if (!isNode(scheme)) return []
  return [
    '-H "Authorization: Bearer $TOKEN"',
    ...("organization" in scheme ? ['-H "X-Organization-Id: $ORGANIZATION"'] : [])
  ]
}

const contentOf = (holder: unknown): Node => (isNode(holder) && isNode(holder["content"]) ? holder["content"] : {})

/** True if the answer is a file, which a terminal cannot show. */
const isFile = (response: unknown) => Object.keys(contentOf(response)).some((type) => !/json|html/.test(type))

/** Shows the request as a shell command, so that operations without a body have an example, too. */
const commandOf = ({ body, method, path }: Example, security: unknown, response: unknown): string => {
  const options = [...headersOf(security), ...bodyOptions(body)]
  const saving = method === "GET" && isFile(response) ? ["--remote-name --remote-header-name"] : []
  return [`curl -X ${method} "$BASE_URL${path}"`, ...options, ...saving].join(" ")
}

const withExample = (holder: unknown, example: unknown, isMedia: (type: string) => boolean): unknown => {
  if (example === undefined || !isNode(holder)) return holder
  const content = Object.entries(contentOf(holder)).map(([type, media]) => [
    type,
    isNode(media) && isMedia(type) ? { ...media, example } : media
  ])
  return { ...holder, content: Object.fromEntries(content) }
}

const isJson = (type: string) => type === "application/json"

/** Adds a recorded request and its response to the operation, as examples and as a shell command. */
export const illustrated = (operation: Node, example: Example | undefined): Node => {
  if (example === undefined) return operation
  const { requestBody, responses, security } = operation
  const status = String(example.status)
  const fields = fieldsOf(example.body)
  const request =
    fields === undefined
      ? withExample(requestBody, isNode(example.body) ? example.body : undefined, isJson)
      : withExample(requestBody, fields, () => true)
  const answered = isNode(responses) ? responses[status] : undefined
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { requestBody: request }),
    responses: isNode(responses)
      ? { ...responses, [status]: withExample(answered, example.answer, isJson) }
      : responses,
    "x-codeSamples": [{ lang: "Shell", label: "curl", source: commandOf(example, security, answered) }]
  }
}
