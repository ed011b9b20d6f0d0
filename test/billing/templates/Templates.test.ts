import { describe, expect, it } from "vitest"
import { useApp } from "../../support/App.ts"

const app = useApp()

const routes = [
  ["GET", "/api/v1/templates"],
  ["POST", "/api/v1/templates"],
  ["POST", "/api/v1/templates/1/create-invoice"],
  ["POST", "/api/v1/templates/abc/create-invoice"]
] as const

describe("the template operations", () => {
  it.each(routes)("%s %s answers 401 without a token, then 501", async (method, path) => {
    expect((await app.call(method, path)).status).toBe(401)
    const { owner } = await app.organization()
    const body = method === "GET" ? undefined : { name: "Monthly" }
    const answer = await app.call(method, path, { token: owner.token, body })
    expect([answer.status, answer.body]).toEqual([
      501,
      { success: false, message: "Invoice templates are not implemented.", code: "not_implemented" }
    ])
  })

  it("answer 400, as the reference says, for a body that nests too deeply, even where they have no body", async () => {
    const { owner } = await app.organization()
    const body = `${"[".repeat(65)}${"]".repeat(65)}`
    const answer = await app.call("POST", "/api/v1/templates/1/create-invoice", { token: owner.token, body })
    expect([answer.status, answer.body.code]).toEqual([400, "malformed_json"])
  })
})
