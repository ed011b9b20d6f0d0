import { describe, expect, it } from "vitest"
import { hiddenFields } from "../../../identity/Visitor.ts"
import { digestOf } from "../../../support/files/Digest.ts"
import { enterpriseNumber, magic, participant } from "../../../support/counterparts/Network.ts"
import { usePanel } from "../Panel.ts"

const { app, enter, fill, lastEntry, send, state } = usePanel()

const pending = async (changes: object = {}) => {
  const admin = await enter()
  const ours = await participant(app)
  const { body } = await ours.register({ identifier_value: enterpriseNumber(), legal_name: "Beta NV", ...changes })
  const status = async () => (await ours.registration()).body.data.status
  return { ...ours, admin, status, path: `/admin/registrations/${ours.id}/${body.data.id}` }
}

describe("e-invoicing registrations in the panel", () => {
  it("wait for approval with everything that was submitted, and are then on their network", async () => {
    const { admin, id, path, status } = await pending()
    const list = await admin.get("/admin/registrations?status=pending")
    expect(list.text).toContain(`href="${path}/approve"`)
    const question = await admin.get(`${path}/approve`)
    expect(question.text).toContain("Approve Beta NV?")
    expect(question.text).toContain("Kerkstraat 1, 9000 Gent")
    expect(await status()).toBe("pending")
    expect((await fill(admin, `${path}/approve`, {})).location).toBe("/admin/registrations?done=ApproveRegistration")
    expect(await status()).toBe("active")
    const actor = `user:${admin.user.id}`
    expect(await lastEntry(id)).toMatchObject({ actor, action: "einvoicing.registration_approved" })
    expect((await admin.get("/admin/registrations?status=pending")).text).not.toContain(`href="${path}/`)
    expect((await fill(admin, `${path}/deregister`, {})).location).toBe(
      "/admin/registrations?done=DeregisterRegistration"
    )
    expect([await status(), (await lastEntry(id)).actor]).toEqual(["deregistered", actor])
  })

  it("are suspended, and approved again", async () => {
    const { admin, id, path, status } = await pending()
    await fill(admin, `${path}/approve`, {})
    expect((await admin.get("/admin/registrations?status=active")).text).toContain(`href="${path}/suspend"`)
    expect((await fill(admin, `${path}/suspend`, {})).location).toBe("/admin/registrations?done=SuspendRegistration")
    expect([await status(), (await lastEntry(id)).actor]).toEqual(["suspended", `user:${admin.user.id}`])
    expect((await admin.get("/admin/registrations?status=suspended")).text).toContain(`href="${path}/approve"`)
    expect((await fill(admin, `${path}/suspend`, {})).text).toContain("The registration is suspended.")
    await fill(admin, `${path}/approve`, {})
    expect(await status()).toBe("active")
  })

  it("are rejected with a reason that the organization reads", async () => {
    const { admin, id, path, registration } = await pending()
    const before = await state()
    expect((await fill(admin, `${path}/reject`, { reason: " " })).text).toContain("Reason may not be empty.")
    expect(await state()).toBe(before)
    expect((await fill(admin, `${path}/reject`, { reason: "Not <b>them</b>" })).status).toBe(303)
    expect((await registration()).body.data).toMatchObject({ status: "rejected", rejection_reason: "Not <b>them</b>" })
    expect(await lastEntry(id)).toMatchObject({ actor: `user:${admin.user.id}` })
  })

  it.each(["refused", "unavailable"] as const)("stay pending when the network refuses them: %s", async (name) => {
    const { admin, id, path, status } = await pending({ identifier_scheme: "0088", identifier_value: magic[name] })
    const before = await app.run(digestOf(id))
    const refused = await fill(admin, `${path}/approve`, {})
    expect(refused.status).toBe(422)
    expect(refused.text).toContain("Nothing was changed.")
    expect(await app.run(digestOf(id))).toEqual(before)
    expect(await status()).toBe("pending")
  })

  it("are decided once: the second decision is refused", async () => {
    const { admin, path } = await pending()
    const { csrf = "" } = hiddenFields((await admin.get(`${path}/approve`)).text)
    const answers = await Promise.all([
      send(admin, `${path}/approve`, { csrf }),
      send(admin, `${path}/reject`, { csrf, reason: "No" })
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 422])
    expect(answers.find(({ status }) => status === 422)?.text).toMatch(/The registration is (?:active|rejected)\./)
  })
})
