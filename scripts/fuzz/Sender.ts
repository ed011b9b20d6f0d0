import { FormData, request } from "undici"
import { declaredAs } from "../../test/contract/OpenApi.ts"
import { type FuzzRequest, Slot } from "./Requests.ts"

export interface Caller {
  readonly token: string | undefined
  readonly organization: number | undefined
}

/** A request as it went out, so that it can be sent again by hand. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Outcome {
  readonly status: number
  readonly sent: Sent
  /** The beginning of the answer's body. */
  readonly text: string
  /** What is wrong with the answer, if something is. */
  readonly finding: string | undefined
}

const answer_limit_ms = 15_000
const ids_max = 500
const shown_max = 1_000
const query_value_max = 6_000

/** Statuses from 500 on that the document means: templates do not exist, what a request leans on is down. */
const meant = new Set([501])

/** Ids that answers have shown, by collection. */
export class Harvest {
  readonly #ids = new Map<string, Array<number>>()

  add(collection: string, id: number) {
    const known = this.#ids.get(collection) ?? []
    if (!known.includes(id)) known.push(id)
    if (known.length > ids_max) known.shift()
    this.#ids.set(collection, known)
  }

  /** Lists, single records, and whatever a record names: `{ customer_id: 3 }` shows a customer. */
  read(collection: string, value: unknown): void {
    if (Array.isArray(value)) for (const element of value) this.read(collection, element)
    if (typeof value !== "object" || value === null) return
    for (const [key, field] of Object.entries(value)) {
      const named = /^(\w+?)_id$/.exec(key)?.[1]
      if (key === "id" && typeof field === "number") this.add(collection, field)
      else if (named !== undefined && typeof field === "number") this.add(`${named.replaceAll("_", "-")}s`, field)
      else if (typeof field === "object") this.read(key.replaceAll("_", "-"), field)
    }
  }

  pick({ collection, pick }: Slot): number {
    const known = this.#ids.get(collection) ?? []
    return known[pick % Math.max(1, known.length)] ?? 1
  }
}

const filled = (value: unknown, harvest: Harvest): unknown => {
  if (value instanceof Slot) return harvest.pick(value)
  if (Array.isArray(value)) return value.map((element) => filled(element, harvest))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, filled(field, harvest)]))
}

/** Header values are bytes: what no client can send is not sent. */
const sendable = (value: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

const textOf = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

const bodyOf = ({ body }: FuzzRequest, harvest: Harvest) => {
  if (body.kind === "none") return { type: undefined, payload: undefined }
  if (body.kind === "raw") return { type: body.type, payload: body.text }
  if (body.kind === "json") {
    const payload = JSON.stringify(filled(body.value, harvest)) ?? "null"
    return { type: "application/json", payload }
  }
  if (body.kind === "form") {
    const fields = new URLSearchParams(body.fields.map(([name, value]) => [name, value.toWellFormed()]))
    return { type: "application/x-www-form-urlencoded", payload: fields.toString() }
  }
  const form = new FormData()
  for (const { bytes, file, name } of body.parts) form.append(name, new Blob([Uint8Array.from(bytes)]), file)
  return { type: undefined, payload: form }
}

const judge = (sent: Sent, status: number, headers: Headers, text: string) => {
  // Node's own answer, before anything of ours is asked: the head is too large.
  if (status === 431) return undefined
  if (status >= 500 && !meant.has(status)) return `answered ${status}`
  const isJson = headers.get("content-type")?.startsWith("application/json") === true
  if (headers.get("x-request-id") === null) return "has no X-Request-Id"
  try {
    const body: unknown = isJson && text !== "" ? JSON.parse(text) : text
    return declaredAs(sent.method, new URL(sent.url).pathname, { status, headers, body, text })?.mistake
  } catch {
    return "is no JSON"
  }
}

/** Sends one request, reads ids out of its answer and says what is wrong with it. */
export const send = async (base: string, fuzzed: FuzzRequest, caller: Caller, harvest: Harvest): Promise<Outcome> => {
  const path = fuzzed.path.map((segment) => (segment instanceof Slot ? harvest.pick(segment) : segment)).join("/")
  const query = new URLSearchParams(
    fuzzed.query.map(([name, value]) => [name, textOf(filled(value, harvest)).toWellFormed().slice(0, query_value_max)])
  )
  const { payload, type } = bodyOf(fuzzed, harvest)
  const headers: Record<string, string> = {
    ...(caller.token === undefined ? {} : { authorization: `Bearer ${caller.token}` }),
    ...(caller.organization === undefined ? {} : { "x-organization-id": String(caller.organization) }),
    ...(type === undefined ? {} : { "content-type": type }),
    ...Object.fromEntries(fuzzed.headers.filter(([, value]) => sendable(value)))
  }
  delete headers["expect"]
  const url = `${base}/${path}${fuzzed.query.length === 0 ? "" : `?${query.toString()}`}`
  const shown = payload instanceof FormData ? "(multipart)" : payload?.slice(0, shown_max)
  const sent: Sent = { method: fuzzed.method, url: url.slice(0, shown_max), headers, body: shown }
  try {
    const answer = await request(url, {
      method: fuzzed.method as "GET",
      headers,
      ...(payload === undefined ? {} : { body: payload }),
      signal: AbortSignal.timeout(answer_limit_ms)
    })
    const text = await answer.body.text()
    const got = new Headers(
      Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] satisfies [string, string]]
      )
    )
    const collection = path.split("/")[2] ?? ""
    if (answer.statusCode < 300 && text.startsWith("{")) harvest.read(collection, JSON.parse(text).data)
    return {
      status: answer.statusCode,
      sent,
      text: text.slice(0, shown_max),
      finding: judge(sent, answer.statusCode, got, text)
    }
  } catch (error) {
    return { status: 0, sent, text: "", finding: `no answer: ${String(error)}` }
  }
}
