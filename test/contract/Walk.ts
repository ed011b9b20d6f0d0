import { expect } from "vitest"
import type { Answer, App, Call } from "../support/App.ts"
import { declaredAs } from "./OpenApi.ts"
import { recorder } from "./Recorder.ts"

/** Sends requests whose answers the document must declare, and records the answers. */
export const walk = (app: App) => {
  /** The recorded answers: `customers.get 200`, and the code of each refusal. */
  const seen = new Set<string>()

  const { exchanges, record } = recorder()

  const note = (method: string, path: string, answer: Answer, options: Call = {}) => {
    const declared = declaredAs(method, path, answer)
    if (declared === undefined) throw new Error(`${method} ${path} is not in the document`)
    seen.add(`${declared.id} ${declared.key}`)
    record(declared.id, method, path, options, answer)
    for (const name of ["code", "error"]) if (answer.body?.[name] !== undefined) seen.add(answer.body[name])
    return answer
  }

  const call = async (method: string, path: string, options: Call = {}) =>
    note(method, path, await app.call(method, path, options), options)

  /** Repeats a GET with the document's ETag; the answer must be 304 unless the document has changed. */
  const revalidate = async (path: string, { headers, text }: Answer, options: Call) => {
    const etag = headers.get("etag")
    expect([path, headers.get("cache-control")]).toEqual([path, etag === null ? "no-store" : "private, no-cache"])
    if (etag === null) return
    const again = (known: string) =>
      call("GET", `/api/v1${path}`, { ...options, headers: { ...options.headers, "if-none-match": known } })
    const unchanged = await again(`"other", W/${etag}`)
    if (unchanged.status === 200) {
      // The document has changed meanwhile, as a running operation does.
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

  return { seen, exchanges, note, call, caller, oauth }
}

export type Ask = ReturnType<ReturnType<typeof walk>["caller"]>
