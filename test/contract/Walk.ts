import { expect } from "vitest"
import type { Answer, App, Call } from "../support/App.ts"
import { declaredAs } from "./OpenApi.ts"

/** Sends requests whose answers the document must declare, and records the answers. */
export const walk = (app: App) => {
  /** The recorded answers: `customers.get 200`, and the code of each refusal. */
  const seen = new Set<string>()

  const note = (method: string, path: string, answer: Answer) => {
    const declared = declaredAs(method, path, answer)
    if (declared === undefined) throw new Error(`${method} ${path} is not in the document`)
    seen.add(`${declared.id} ${declared.key}`)
    for (const name of ["code", "error"]) if (answer.body?.[name] !== undefined) seen.add(answer.body[name])
    return answer
  }

  const call = async (method: string, path: string, options: Call = {}) =>
    note(method, path, await app.call(method, path, options))

  /** Sends requests as an organization's owner; the expected status is an argument. */
  const caller =
    (token: string, organization?: number) =>
    async (status: number, route: string, body?: unknown, more: Call = {}) => {
      const [method = "", path = ""] = route.split(" ")
      const answer = await call(method, `/api/v1${path}`, { token, organization, body, ...more })
      expect([route, answer.status, answer.text]).toEqual([route, status, expect.any(String)])
      return answer.body.data
    }

  const oauth = (endpoint: "token" | "revoke", fields: Record<string, string | undefined>) => {
    const sent = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    return call("POST", `/oauth/${endpoint}`, { body: new URLSearchParams(sent).toString(), headers })
  }

  return { seen, note, call, caller, oauth }
}

/** Sends a request as a caller, and returns the data. */
export type Ask = ReturnType<ReturnType<typeof walk>["caller"]>
