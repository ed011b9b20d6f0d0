import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { gunzipSync } from "node:zlib"
import { Pool } from "undici"
import { bytesOf, formType } from "./hostile/HostileForms.ts"
import { judge } from "./Judge.ts"
import type { Harvest } from "./Harvest.ts"
import type { FuzzRequest } from "./Requests.ts"
import { jsonOf, Slot, textOf } from "./Values.ts"

export interface Caller {
  readonly token: string | undefined
  readonly organization: number | undefined
  readonly foreign: boolean
}

/** A request as it was sent, so that a developer can repeat it by hand. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly body: string | undefined
}

interface Outcome {
  readonly status: number
  readonly sent: Sent
  readonly text: string
  /** Sentence about the fault of the answer; undefined if it has none. */
  readonly finding: string | undefined
}

/** Time limit for an answer in milliseconds, long enough for a busy machine. */
const answer_limit_ms = 20_000
const piece_pause_ms = 5
const shown_max = 2_000
const query_value_max = 6_000

/**
 * Connections that were idle for longer are not used again, because the service might close them just as the next
 * request is sent.
 */
const idle_max_ms = 1_000

export const senderTo = (base: string, connections: number) =>
  new Pool(base, {
    connections,
    headersTimeout: answer_limit_ms,
    bodyTimeout: answer_limit_ms,
    keepAliveTimeout: idle_max_ms,
    keepAliveMaxTimeout: idle_max_ms
  })

/** False for a header value that an HTTP client cannot send, such as one with a line break. */
const isSendable = (value: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

async function* inPieces(pieces: ReadonlyArray<Buffer>) {
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await sleep(piece_pause_ms)
    yield piece
  }
}

const bodyOf = ({ body }: FuzzRequest, fill: (slot: Slot) => unknown) => {
  if (body.kind === "none") return { type: undefined, payload: undefined, shown: undefined }
  if (body.kind === "multipart") {
    const pieces = bytesOf(body.form, fill)
    const shown = Buffer.concat(pieces.map((piece) => piece.subarray(0, shown_max))).toString("latin1")
    return { type: formType, payload: pieces.length === 1 ? pieces[0] : Readable.from(inPieces(pieces)), shown }
  }
  if (body.kind === "raw") return { type: body.type, payload: body.text, shown: body.text }
  if (body.kind === "json") {
    const payload = jsonOf(body.value, fill)
    return { type: "application/json", payload, shown: payload }
  }
  const fields = new URLSearchParams(body.fields.map(([name, value]) => [name.toWellFormed(), textOf(value, fill)]))
  return { type: "application/x-www-form-urlencoded", payload: fields.toString(), shown: fields.toString() }
}

const pathOf = ({ path, query, rawQuery }: FuzzRequest, fill: (slot: Slot) => unknown) => {
  const segments = path.map((segment) =>
    segment instanceof Slot ? encodeURIComponent(String(fill(segment))) : segment
  )
  const named = new URLSearchParams(
    query.map(([name, value]) => [name.toWellFormed(), textOf(value, fill).slice(0, query_value_max).toWellFormed()])
  )
  const asked = [named.toString(), ...(rawQuery === undefined ? [] : [rawQuery])].filter((text) => text !== "")
  return `/${segments.join("/")}${asked.length === 0 ? "" : `?${asked.join("&")}`}`
}

const headersOf = (fuzzed: FuzzRequest, { organization, token }: Caller, type: string | undefined) => {
  const usual: ReadonlyArray<readonly [string, string | undefined]> = [
    ["authorization", token === undefined ? undefined : `Bearer ${token}`],
    ["x-organization-id", organization === undefined ? undefined : String(organization)],
    ["content-type", type]
  ]
  const odd = fuzzed.headers.filter(
    ([name, value], index) => isSendable(value) && (name !== "host" || isFirst(fuzzed.headers, name, index))
  )
  const instead = new Set(odd.map(([name]) => name))
  const kept = usual.flatMap(([name, value]) =>
    value === undefined || !isSendable(value) || instead.has(name) ? [] : [[name, value] as const]
  )
  return [...kept, ...odd]
}

/** True for the first header of a name. The HTTP client cannot send a second `host`. */
const isFirst = (headers: FuzzRequest["headers"], name: string, index: number) =>
  headers.findIndex(([other]) => other === name) === index

const identifying = new Set(["authorization", "x-organization-id"])

/** Sends one request, adds the records in its answer to `harvest`, and returns the answer with its fault, if any. */
export const send = async (pool: Pool, fuzzed: FuzzRequest, caller: Caller, harvest: Harvest): Promise<Outcome> => {
  const fill = (slot: Slot) => harvest.fill(slot)
  const { payload, shown, type } = bodyOf(fuzzed, fill)
  const path = pathOf(fuzzed, fill)
  const headers = headersOf(fuzzed, caller, type)
  const sent: Sent = { method: fuzzed.method, path, headers, body: shown?.slice(0, shown_max) }
  const isItself = !fuzzed.headers.some(([name]) => identifying.has(name))
  // The answer to a preflight request (OPTIONS) contains no records.
  const isShown = isItself && fuzzed.method !== "OPTIONS"
  const leaked =
    isShown && !caller.foreign && fuzzed.path.some((part) => part instanceof Slot && isOthers(part, harvest))
  try {
    const answer = await pool.request({
      path,
      method: fuzzed.method,
      headers: headers.flat(),
      ...(payload === undefined ? {} : { body: payload }),
      signal: AbortSignal.timeout(answer_limit_ms)
    })
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    const text = String(answer.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes)
    const status = answer.statusCode
    const isJson = String(answer.headers["content-type"]).startsWith("application/json")
    if (isItself && isJson && text !== "" && status < 300) read(harvest, path, text, caller)
    if (isItself && status === 404 && caller.token !== undefined && !caller.foreign) {
      for (const part of fuzzed.path) if (part instanceof Slot) harvest.forget(part)
    }
    const mistake = judge(fuzzed.method, path, status, answer.headers, text)
    const finding = leaked && status < 300 ? "shows another organization's record" : mistake
    return { status, sent, text: text.slice(0, shown_max), finding }
  } catch (error) {
    return { status: 0, sent, text: "", finding: `has no answer: ${String(error)}` }
  }
}

/** Collections whose records may belong to two organizations at once, because a person may be a member of both. */
const shared = new Set(["organizations", "users"])
const isOthers = (slot: Slot, harvest: Harvest) => harvest.isForeign(slot) && !shared.has(slot.collection)

const read = (harvest: Harvest, path: string, text: string, { foreign }: Caller) => {
  const [address = ""] = path.split("?", 1)
  const body = JSON.parse(text)
  if (address === "/oauth/token") harvest.add("tokens", body)
  // In paths such as `/organizations/3`, the record belongs to the organization in the path, not to that of the header.
  else if (!foreign || !address.startsWith("/api/v1/organizations")) harvest.read(address, body.data, foreign)
}
