import { describe, expect, it } from "vitest"
import { browser, duringStorm, hiddenFields, password, person } from "../../../identity/Visitor.ts"
import { opening, usePanel } from "../Panel.ts"

const { app, enter, fill, lastEntry, send, state } = usePanel()

/** Returns the fields that a browser submits with a form whose values nobody changed. */
const asShown = ({ text }: { readonly text: string }) => {
  const hidden = hiddenFields(text.slice(text.indexOf('<form class="card"')))
  const shown = Object.entries(hidden).flatMap(([name, value]) =>
    name.startsWith("shown.") ? [[name.slice("shown.".length), value]] : []
  )
  return { ...hidden, ...Object.fromEntries(shown) }
}

const openPath = "/admin/organizations/new"

describe("organizations in the panel", () => {
  it("are opened with an owner who can log in, by the superadmin in the audit chain", async () => {
    const admin = await enter()
    const opened = await fill(admin, openPath, opening("olga@example.com"))
    expect(opened.status).toBe(303)
    const [, id = ""] = /^\/admin\/organizations\/(\d+)\?done=CreateOrganization$/.exec(opened.location) ?? []
    const page = await admin.get(opened.location)
    expect(page.text).toMatch(/role="status">The organization is open\.</)
    expect(page.text).toContain("Boulangerie Ça")
    expect(await lastEntry(Number(id))).toMatchObject({ actor: `user:${admin.user.id}`, action: "tax_rate.created" })
    expect((await browser(app).logIn("olga@example.com", "/login", password)).location).toBe("/account")
  })

  it("answer a link that sets a password, if the owner has none", async () => {
    const admin = await enter()
    const opened = await fill(admin, openPath, { ...opening("lena@example.com"), owner_password: "" })
    const link = /id="secret">([^<]+)</.exec(opened.text)?.[1] ?? ""
    expect((await fetch(link)).status).toBe(200)
  })

  it("have their address and settings edited", async () => {
    const admin = await enter()
    const { id } = await app.organization({ name: "Moved" })
    const path = `/admin/organizations/${id}/profile`
    const profile = { name: "Moved", language: "nl", timezone: "Europe/Brussels", city: "Gent" }
    const settings = `/admin/organizations/${id}/settings`
    const payment = { payment_iban: "be68 5390 0754 7034", default_payment_terms_days: "14" }
    const saved = `/admin/organizations/${id}?done=UpdateOrganization`
    const page = async () => (await admin.get(`/admin/organizations/${id}`)).text
    expect(await page()).toContain("Its invoices show no address, tax number, or IBAN yet.")
    expect((await fill(admin, path, profile)).location).toBe(saved)
    expect((await fill(admin, settings, payment)).location).toBe(saved)
    expect(await page()).toMatch(/Gent[^]*BE68539007547034/)
    expect(await page()).toContain("Its invoices show no address or tax number yet.")
    expect(await lastEntry(id)).toMatchObject({ actor: `user:${admin.user.id}`, action: "organization.updated" })
    const shown = await admin.get(settings)
    expect(shown.text).toMatch(/id="default_payment_terms_days"[^>]*value="14"/)
    const before = await state()
    const wrong = { ...payment, payment_iban: "BE00", brand_color: "blue", reconciliation_auto_threshold: "many" }
    const refused = await fill(admin, settings, wrong)
    expect(refused.status).toBe(422)
    for (const name of ["payment_iban", "brand_color", "reconciliation_auto_threshold"]) {
      expect(refused.text).toContain(`id="${name}-error"`)
    }
    expect(await state()).toBe(before)
    expect((await fill(admin, settings, { allow_overpayment: "true", pdf_format: "pdf" })).location).toBe(saved)
    const cleared = (await admin.get(settings)).text
    expect(cleared).toMatch(/id="payment_iban"[^>]*value=""/)
    expect(cleared).toMatch(/id="default_payment_terms_days"[^>]*value="30"/)
    expect(cleared).toMatch(/id="pdf_format"[^]*?value="pdf"\s+selected/)
  })

  it("keep what somebody else changed after a form was opened", async () => {
    const [admin, other] = [await enter(), await enter()]
    const { id } = await app.organization({ name: "Shared" })
    const [settings, profile] = [`/admin/organizations/${id}/settings`, `/admin/organizations/${id}/profile`]
    const opened = [await admin.get(settings), await admin.get(profile)].map(asShown)
    const meanwhile = { ...asShown(await other.get(settings)), books_locked_until: "2025-12-31", document_footer: "A" }
    expect((await send(other, settings, meanwhile)).status).toBe(303)
    expect((await send(other, profile, { ...asShown(await other.get(profile)), city: "Gent" })).status).toBe(303)
    expect((await send(admin, settings, { ...opened[0], brand_color: "blue" })).status).toBe(422)
    const footer = "One line\r\nand another"
    expect((await send(admin, settings, { ...opened[0], document_footer: footer })).status).toBe(303)
    expect((await send(admin, profile, { ...opened[1], contact_name: "Ana" })).status).toBe(303)
    const [after, address] = [asShown(await admin.get(settings)), asShown(await admin.get(profile))]
    expect(after).toMatchObject({ books_locked_until: "2025-12-31", document_footer: "One line\nand another" })
    expect(address).toMatchObject({ name: "Shared", city: "Gent", contact_name: "Ana" })
    // A form that is shown again after a refusal knows the values that it showed first.
    const refused = asShown(await send(admin, settings, { ...opened[0], brand_color: "blue" }))
    expect((await send(admin, settings, { ...refused, brand_color: "#1a5fb4" })).status).toBe(303)
    expect(asShown(await admin.get(settings))).toMatchObject({
      books_locked_until: "2025-12-31",
      brand_color: "#1a5fb4"
    })
    const before = await state()
    expect((await send(admin, settings, asShown(await admin.get(settings)))).status).toBe(303)
    expect(await state()).toBe(before)
  })

  it("get a logo that is drawn again by the service, show it, and can remove it", async () => {
    const admin = await enter()
    const { id, owner } = await app.organization({ name: "Drawn" })
    const path = `/admin/organizations/${id}/logo`
    const upload = async (content: string | Uint8Array<ArrayBuffer>, type: string, csrf?: string) => {
      const form = new FormData()
      form.set("csrf", csrf ?? hiddenFields((await admin.get(path)).text)["csrf"] ?? "")
      form.set("logo", new Blob([content], { type }), "logo")
      const cookie = [...admin.jar].map(([name, value]) => `${name}=${value}`).join("; ")
      const answer = await fetch(app.url + path, {
        method: "POST",
        redirect: "manual",
        headers: { cookie, origin: app.url },
        body: form
      })
      return { status: answer.status, text: await answer.text() }
    }
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"><rect width="80" height="20"/></svg>`
    const before = await state()
    for (const [content, type, csrf, status] of [
      ["no picture", "image/png", undefined, 422],
      [svg, "text/html", undefined, 422],
      [new Uint8Array(11 * 1024 * 1024), "image/png", undefined, 422],
      [svg, "image/svg+xml", "forged", 403]
    ] as const) {
      expect([type, (await upload(content, type, csrf)).status]).toEqual([type, status])
    }
    expect(await state()).toBe(before)
    expect((await upload(svg, "image/svg+xml")).status).toBe(303)
    expect((await admin.get(path)).text).toMatch(/<img class="seller" alt="Logo of Drawn" src="data:image\/png;base64,/)
    const stored = () =>
      app
        .call("GET", `/api/v1/organizations/${id}`, { token: owner.token, organization: id })
        .then((a) => a.body.data.logo)
    expect(await stored()).toBe(`/api/v1/organizations/${id}/logo`)
    expect((await fill(admin, `${path}/remove`, {})).location).toBe(`${path}?done=UpdateOrganization`)
    expect(await stored()).toBeNull()
  })

  it("are given to an existing user, whose password stays the same", async () => {
    const admin = await enter()
    const { email } = await person(app)
    const draft = { ...opening(email), owner_name: "", owner_password: "" }
    expect((await fill(admin, openPath, draft)).status).toBe(303)
    const before = await state()
    const taken = await fill(admin, openPath, { ...draft, owner_password: "another password" })
    expect(taken.status).toBe(422)
    expect(taken.text).toContain("This person has an account already: leave it empty.")
    expect(await state()).toBe(before)
  })

  it.each([
    ["name", { name: "  " }, "Name of the organization may not be empty."],
    ["country", { country: "XX" }, "Country must be a valid ISO 3166-1 alpha-2 country code."],
    ["currency", { currency: "XXX" }, "Currency must be a valid ISO 4217 currency code."],
    ["timezone", { timezone: "Mars/Olympus" }, "Time zone must be a time zone such as Europe/Brussels."],
    ["language", { language: "francais" }, "Language must be a two-letter language code"],
    ["owner_email", { owner_email: "olga at home" }, "Email address of the owner must be a valid email address."],
    ["owner_password", { owner_password: "short" }, "A password has 8 to 1024 characters."]
  ])(
    "are not opened with a wrong %s: the field says why, and what was typed is kept",
    async (name, wrong, sentence) => {
      const admin = await enter()
      const before = await state()
      const draft = { ...opening("new.owner@example.com"), name: `"><b>Müller</b>`, ...wrong }
      const refused = await fill(admin, openPath, draft)
      expect(refused.status).toBe(422)
      expect(refused.text).toMatch(/<title>Error: /)
      expect(refused.text).toMatch(new RegExp(`<a href="#${name}">${sentence.replaceAll(".", "\\.")}`))
      expect(refused.text).toMatch(new RegExp(`id="${name}-error">${sentence.replaceAll(".", "\\.")}`))
      const field = new RegExp(`<(?:input|select)\\s+id="${name}"[^>]*>`).exec(refused.text)?.[0] ?? ""
      expect(field).toContain('aria-invalid="true"')
      expect(field).toContain(`${name}-error`)
      expect(field).toContain("autofocus")
      if (name !== "name") expect(refused.text).toContain("&quot;&gt;&lt;b&gt;Müller&lt;/b&gt;")
      for (const [key, value] of Object.entries({
        country: "FR",
        currency: "EUR",
        timezone: "Europe/Paris",
        language: "fr"
      })) {
        if (name !== key) expect(refused.text).toMatch(new RegExp(`<option value="${value}"\\s+selected`))
      }
      expect(refused.text).not.toContain(draft.owner_password === "" ? "<b>Müller" : draft.owner_password)
      expect(await state()).toBe(before)
    }
  )

  it("are not opened while too many passwords are being checked: 503, and what was typed is kept", async () => {
    const admin = await enter()
    const emails = Array.from({ length: 8 }, (_, number) => `waiting${number}@example.com`)
    const answers = await duringStorm(app, () =>
      Promise.all(emails.map(async (email) => ({ email, ...(await fill(admin, openPath, opening(email))) })))
    )
    const refused = answers.filter(({ status }) => status !== 303)
    expect(refused.length).toBeGreaterThan(0)
    const after = await state()
    for (const { email, headers, status, text } of refused) {
      expect([status, headers.get("retry-after")]).toEqual([503, "5"])
      expect(text).toMatch(/role="alert">Too many people are logging in/)
      expect(text).toContain(`value="${email}"`)
      expect(after).not.toContain(email)
    }
  })

  it("are found by a part of their name, page by page", async () => {
    const admin = await enter()
    for (let count = 1; count <= 26; count++) await app.organization({ name: `Zebra ${count}` })
    const first = await admin.get("/admin/organizations?search=zebra")
    expect(first.text.match(/>Zebra \d+<\/a>/g)).toHaveLength(25)
    expect(first.text).toContain("Page 1 of 2, 26 in all")
    expect(first.text).toContain('value="zebra"')
    const next = /href="([^"]+)">Next page/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
    const second = await admin.get(next)
    expect(second.text.match(/>Zebra \d+<\/a>/g)).toEqual([">Zebra 1</a>"])
    expect(second.text).not.toContain("Next page")
    expect((await admin.get("/admin/organizations?search=quagga")).text).toContain("No organization matches.")
    const beyond = await admin.get("/admin/organizations?search=zebra&page=9")
    expect(beyond.text).toMatch(/This page is empty[^]*>26 in all<[^]*page=2">Last page</)
    for (const page of ["0", "-1", "x", "99999999999999", "1'"]) {
      expect((await admin.get(`/admin/organizations?page=${encodeURIComponent(page)}`)).status).toBe(200)
    }
  })

  it("get another plan", async () => {
    const admin = await enter()
    const { id } = await app.organization({ name: "Planned" })
    const path = `/admin/organizations/${id}/plan`
    const set = await fill(admin, path, { plan: " business " })
    expect([set.status, set.location]).toEqual([303, `/admin/organizations/${id}?done=SetPlan`])
    expect(await lastEntry(id)).toEqual({
      actor: `user:${admin.user.id}`,
      action: "organization.plan_set",
      data: { plan: "business" }
    })
    const before = await state()
    expect((await fill(admin, path, { plan: "" })).text).toContain("Plan may not be empty.")
    expect((await fill(admin, path, { plan: "x".repeat(256) })).status).toBe(422)
    expect(await state()).toBe(before)
  })

  it("are archived only after a question on a page of its own, and can only be read from then on", async () => {
    const admin = await enter()
    const { id, owner } = await app.organization({ name: "Leaving" })
    const path = `/admin/organizations/${id}/archive`
    const before = await state()
    const asked = await admin.get(path)
    expect(asked.text).toMatch(/<h1>Archive Leaving\?<\/h1>/)
    expect(asked.text).toContain(`href="/admin/organizations/${id}">Cancel`)
    expect(await state()).toBe(before)
    expect((await fill(admin, path, {})).location).toBe(`/admin/organizations/${id}?done=ArchiveOrganization`)
    const body = { name: "Beta" }
    expect((await app.call("POST", "/api/v1/customers", { token: owner.token, organization: id, body })).status).toBe(
      403
    )
    expect(await lastEntry(id)).toMatchObject({ actor: `user:${admin.user.id}`, action: "organization.archived" })
    const page = await admin.get(`/admin/organizations/${id}`)
    expect(page.text).not.toContain("Archive this organization")
    const archived = await state()
    expect((await fill(admin, path, {})).status).toBe(303)
    expect(await state()).toBe(archived)
    const reopened = await fill(admin, `/admin/organizations/${id}/reopen`, {})
    expect(reopened.location).toBe(`/admin/organizations/${id}?done=ReopenOrganization`)
    expect(await lastEntry(id)).toMatchObject({ actor: `user:${admin.user.id}`, action: "organization.reopened" })
    expect((await app.call("POST", "/api/v1/customers", { token: owner.token, organization: id, body })).status).toBe(
      201
    )
  })
})
