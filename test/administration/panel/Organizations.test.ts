import { describe, expect, it } from "vitest"
import { browser, password } from "../../identity/Visitor.ts"
import { opening, usePanel } from "./Panel.ts"

const { app, enter, fill, lastEntry, state } = usePanel()

describe("organizations in the panel", () => {
  it("are opened with an owner who can log in, by the superadmin in the audit chain", async () => {
    const admin = await enter()
    const opened = await fill(admin, "/admin/organizations/new", opening("olga@example.com"))
    expect(opened.status).toBe(303)
    const [, id = ""] = /^\/admin\/organizations\/(\d+)\?done=opened$/.exec(opened.location) ?? []
    const page = await admin.get(opened.location)
    expect(page.text).toMatch(/role="status">The organization is open\.</)
    expect(page.text).toContain("Boulangerie Ça")
    expect(await lastEntry(Number(id))).toMatchObject({ actor: `user:${admin.user.id}`, action: "tax_rate.created" })
    expect((await browser(app).logIn("olga@example.com", "/login", password)).location).toBe("/account")
  })
})
