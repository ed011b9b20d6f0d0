import { request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { beforeAll, describe, expect, it } from "vitest"
import { type Browser, hiddenFields, password } from "../Visitor.ts"
import { codeOf, useAttacker } from "./Attacker.ts"

const { app, disable, entered, fill, linkOf, reset } = useAttacker()

/** Sends a form whose end arrives only after `meanwhile`. A form of the panel is sent like one with a file. */
const held = async (
  { jar }: Browser,
  path: string,
  fields: Readonly<Record<string, string>>,
  meanwhile: () => Promise<unknown>
) => {
  const hasFiles = path.startsWith("/admin")
  const parts = Object.entries(fields).map(
    ([name, value]) => `--held\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  const answer = Promise.withResolvers<{ readonly status: number | undefined; readonly location: string }>()
  const headers = {
    "content-type": hasFiles ? "multipart/form-data; boundary=held" : "application/x-www-form-urlencoded",
    cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
    origin: app.url
  }
  const sent = request(new URL(path, app.url), { method: "POST", headers }, (response) => {
    response.resume()
    answer.resolve({ status: response.statusCode, location: response.headers.location ?? "" })
  })
  sent.on("error", answer.reject)
  sent.write(hasFiles ? parts.join("") : `${new URLSearchParams(fields).toString()}&`)
  await sleep(300)
  await meanwhile()
  sent.end(hasFiles ? "--held--\r\n" : "end=")
  return answer.promise
}

const rows = async (found: string) => (await app.inDatabase(`select from ${found}`)).length

describe("a form that was begun before its user lost access, and ends afterwards", () => {
  const token = { name: "Kept", access: "full", days: "" }
  let user: Awaited<ReturnType<typeof entered>>
  beforeAll(async () => {
    user = await entered()
  })

  it.each(["another password", "the end of the session", "a disabled account"])("makes no token: %s", async (how) => {
    const user = await entered()
    const fields = { ...hiddenFields((await user.visitor.get("/account")).text, "/account/tokens"), ...token }
    const answer = await held(user.visitor, "/account/tokens", fields, async () => {
      if (how === "another password") return reset(await linkOf(user))
      if (how === "a disabled account") return disable(user)
      return app.inDatabase(`update sessions set revoked_at = now() where user_id = ${user.id}`)
    })
    expect(answer).toEqual({ status: 303, location: "/login?to=%2Faccount%3Fname%3DKept" })
    expect(await rows(`tokens where user_id = ${user.id}`)).toBe(0)
  })

  it("asks for the password if the login has become too old meanwhile", async () => {
    const fields = { ...hiddenFields((await user.visitor.get("/account")).text, "/account/tokens"), ...token }
    const answer = await held(user.visitor, "/account/tokens", fields, () =>
      app.inDatabase(`update sessions set authenticated_at = now() - interval '1 hour' where user_id = ${user.id}`)
    )
    expect(answer.status).toBe(200)
    expect(await rows(`tokens where user_id = ${user.id}`)).toBe(0)
  })

  it("turns no second factor on, whose secret the owner does not know", async () => {
    const thief = await entered()
    const begun = await fill(thief.visitor, "/account/factor/begin", { current_password: password })
    const secret = /id="secret">([A-Z2-7]+)</.exec(begun.text)?.[1] ?? ""
    const fields = { ...hiddenFields(begun.text, "/account/factor/confirm"), code: codeOf(secret) }
    const answer = await held(thief.visitor, "/account/factor/confirm", fields, async () => reset(await linkOf(thief)))
    expect(answer).toEqual({ status: 303, location: "/login" })
    // Nor can a later session of the thief confirm it.
    expect(await rows(`second_factors where user_id = ${thief.id}`)).toBe(0)
  })

  it("does nothing in the panel after the right of its superadmin was taken away", async () => {
    const [admin, other] = [await entered(), await entered()]
    await app.inDatabase(`update users set superadmin = true where id = ${admin.id}`)
    const path = `/admin/users/${other.id}/password-link`
    const fields = hiddenFields((await admin.visitor.get(path)).text)
    const answer = await held(admin.visitor, path, fields, () =>
      app.inDatabase(`update users set superadmin = false where id = ${admin.id}`)
    )
    expect(answer.status).toBe(404)
    expect(await rows(`password_resets where user_id = ${other.id}`)).toBe(0)
  })
})
