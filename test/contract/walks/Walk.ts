import { SqlClient } from "effect/sql"
import { expect } from "vitest"
import type { Answer, App, Call } from "../../support/App.ts"
import { declaredAs, emittedBy } from "../document/OpenApi.ts"
import { recorder } from "./Recorder.ts"

/** Sends requests, checks that the OpenAPI document declares their answers, and records the answers. */
export const walk = (app: App) => {
  /** The recorded answers, such as `customers.get 200`, and the codes of the refusals. */
  const seen = new Set<string>()

  const { exchanges, record, refusals } = recorder()

  /** The requests that may write, with the times at which each began and ended. */
  const writes: Array<Write> = []

  const note = (method: string, path: string, answer: Answer, options: Call = {}) => {
    const declared = declaredAs(method, path, answer)
    if (declared === undefined) throw new Error(`${method} ${path} is not in the document`)
    seen.add(`${declared.id} ${declared.key}`)
    record(declared.id, method, path, options, answer)
    for (const name of ["code", "error"]) if (answer.body?.[name] !== undefined) seen.add(answer.body[name])
    return answer
  }

  const call = async (method: string, path: string, options: Call = {}) => {
    const from = Date.now()
    const answer = await app.call(method, path, options)
    const declared = declaredAs(method, path, answer)
    if (method !== "GET" && declared !== undefined) {
      writes.push({ operation: declared.id, organization: Number(options.organization), from, to: Date.now() })
    }
    return note(method, path, answer, options)
  }

  /** Lists the events that happened during a request that does not declare them, e.g. `quotes.send invoice.sent`. */
  const undeclared = async (): Promise<ReadonlyArray<string>> => {
    const events = await app.run(
      SqlClient.SqlClient.use(
        (sql) => sql<Happening>`
          select organization_id::float8 as organization, type, extract(epoch from occurred_at)::float8 * 1000 as at
          from outbox`
      )
    )
    const found = writes.flatMap(({ from, operation, organization, to }) => {
      const declared = emittedBy(operation)
      const during = events.filter((event) => event.organization === organization && from <= event.at && event.at <= to)
      return during
        .filter(({ type }) => !isOfJob(type) && !declared.includes(type))
        .map(({ type }) => `${operation} ${type}`)
    })
    return [...new Set(found)].toSorted()
  }

  /** Repeats a GET with the document's ETag; the answer must be 304 unless the document has changed. */
  const revalidate = async (path: string, { headers, text }: Answer, options: Call) => {
    const etag = headers.get("etag")
    expect([path, headers.get("cache-control")]).toEqual([path, etag === null ? "no-store" : "private, no-cache"])
    if (etag === null) return
    const again = (known: string) =>
      call("GET", `/api/v1${path}`, { ...options, headers: { ...options.headers, "if-none-match": known } })
    const unchanged = await again(`"other", W/${etag}`)
    if (unchanged.status === 200) {
      // The document has changed since the first answer: for example, an asynchronous operation has gone on.
      expect([path, unchanged.headers.get("etag"), unchanged.text]).not.toEqual([path, etag, text])
      return
    }
    expect([path, unchanged.status, unchanged.text]).toEqual([path, 304, ""])
    expect(unchanged.headers.get("cache-control")).toBe("private, no-cache")
    expect((await again('"other"')).status).toBe(200)
  }

  /** Sends requests as an organization's owner; the expected status is an argument. */
  const caller =
    (token: string, organization?: number) =>
    async (status: number, route: string, body?: unknown, more: Call = {}) => {
      const [method = "", path = ""] = route.split(" ")
      const answer = await call(method, `/api/v1${path}`, { token, organization, body, ...more })
      expect([route, answer.status, answer.text]).toEqual([route, status, expect.any(String)])
      if (method === "GET" && status === 200) await revalidate(path, answer, { token, organization, ...more })
      return answer.body.data
    }

  const oauth = (endpoint: "token" | "revoke", fields: Record<string, string | undefined>) => {
    const sent = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    return call("POST", `/oauth/${endpoint}`, { body: new URLSearchParams(sent).toString(), headers })
  }

  return { seen, exchanges, refusals, note, call, caller, oauth, undeclared }
}

interface Write {
  readonly operation: string
  readonly organization: number
  readonly from: number
  readonly to: number
}

interface Happening {
  readonly organization: number
  readonly type: string
  readonly at: number
}

/** Events of background work, which may happen during any request. */
const isOfJob = (type: string) => /^(?:einvoice|archive|receipt)\./.test(type)

export type Ask = ReturnType<ReturnType<typeof walk>["caller"]>
