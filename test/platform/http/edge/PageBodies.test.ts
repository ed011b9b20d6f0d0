import { request } from "node:http"
import { Readable } from "node:stream"
import { beforeAll, describe, expect, it } from "vitest"
import { browser } from "../../../identity/Visitor.ts"
import { useApp } from "../../../support/App.ts"
import type { SeededOrganization } from "../../../support/database/Seed.ts"

const app = useApp()
const kibibyte = 1024
let ours: SeededOrganization

beforeAll(async () => {
  ours = await app.organization()
})

const announced_bytes = 4 * kibibyte * kibibyte

/** Returns the status of the answer to a body whose end never comes. */
const begin = (path: string, body: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const options = { method: "POST", headers: { ...headers, "content-length": announced_bytes } }
    const sent = request(app.url + path, options, ({ statusCode }) => {
      resolve(statusCode)
      sent.destroy()
    })
    sent.on("error", reject).write(body)
  })

/** A form of this many bytes, with as many fields as fit. */
const fields = (bytes: number) => "a=&".repeat(bytes).slice(0, bytes)

const form = "application/x-www-form-urlencoded"
const multipart = "multipart/form-data; boundary=b"

describe("the body of a page", () => {
  it.each([form, "text/plain", "application/json", multipart])(
    "is 413 as soon as more than 16 KiB have arrived, as %s",
    async (type) => {
      for (const path of ["/login", "/login/code", "/account", "/forgot", "/unknown"]) {
        const status = await begin(path, fields(16 * kibibyte + 1), { "content-type": type })
        expect([path, status]).toEqual([path, 413])
      }
    }
  )

  it.each([form, "text/plain", "application/json", multipart])(
    "may have 16 KiB, as %s of unknown length",
    async (type) => {
      const answer = await fetch(`${app.url}/login`, {
        method: "POST",
        headers: { "content-type": type, authorization: `Bearer ${ours.owner.token}` },
        body: Readable.from([Buffer.from(fields(16 * kibibyte))]),
        duplex: "half"
      })
      // Without a cookie, the form is refused.
      expect(answer.status).toBe(403)
    }
  )

  it("of the panel or of a customer may have 64 KiB, and is 413 beyond", async () => {
    for (const [path, status] of [
      ["/admin/organizations/new", 303],
      [`/d/${"x".repeat(43)}`, 404]
    ] as const) {
      const sent = await fetch(app.url + path, {
        method: "POST",
        headers: { "content-type": form },
        body: fields(64 * kibibyte),
        redirect: "manual"
      })
      expect([path, sent.status]).toEqual([path, status])
      expect(await begin(path, fields(64 * kibibyte + 1), { "content-type": form })).toBe(413)
    }
  })

  it("with files is not read if its sender is not logged in", async () => {
    const visitor = browser(app)
    await visitor.get("/login")
    const cookie = [...visitor.jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const headers = { cookie, origin: app.url, "content-type": multipart }
    expect(await begin("/admin/organizations/new", fields(16 * kibibyte), headers)).toBe(303)
  })
})
