import { Effect, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { Users } from "../../../src/identity/users/Users.ts"
import { password } from "../../identity/Visitor.ts"
import { hasChromium, keep, type Page, violations, withPage } from "../../support/counterparts/Chromium.ts"
import { usePanel } from "./Panel.ts"
import { world } from "./World.ts"

const panel = usePanel()
const { app, lastEntry } = panel

/** Finds elements that are wider than the window or their card, and controls that are too small for a finger. */
const layoutOf = (page: Page) =>
  page.evaluate(`({
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    cut: [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length,
    outside: [...document.querySelectorAll(".card *")].filter((e) =>
      e.getBoundingClientRect().right > e.closest(".card").getBoundingClientRect().right
    ).map((e) => e.textContent),
    small: [...document.querySelectorAll("main button, main .button, main nav a, main label.choice")].filter((e) => {
      const { height, width } = e.getBoundingClientRect()
      return width > 0 && (height < 44 || width < 44)
    }).map((e) => e.textContent)
  })`)

const superadmin = async (email: string) => {
  const create = Effect.flatMap(Users, (users) =>
    users.create({ name: "Sam", email, superadmin: true }, Redacted.make(password))
  ).pipe(Effect.provide(Users.layer))
  return app.run(create)
}

const focused = (page: Page) =>
  page.evaluate("(({ id, textContent, value }) => [id, textContent.trim(), value].join(' '))(document.activeElement)")

const tabTo = async (page: Page, what: string) => {
  for (let press = 0; press < 60; press++) {
    await page.press("Tab")
    if (String(await focused(page)).includes(what)) return
  }
  throw new Error(`The keyboard does not reach ${what}.`)
}

/** Logs in with the keyboard alone, at the address to which the browser was redirected. */
const logIn = async (page: Page, path: string, email: string) => {
  await page.open(app.url + path)
  await page.type(email)
  await page.press("Tab")
  await page.type(password)
  await page.press("Enter", { loads: true })
}

const text = (page: Page, selector: string) =>
  page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent.trim()`)

describe.skipIf(!hasChromium)("The panel in a browser", () => {
  it.each([360, 1280])(
    "is readable and accessible at %i px, whatever things are called",
    async (width) => {
      const name = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenfabrik & Söhne"
      const { email } = await superadmin(`layout${width}@example.com`)
      const { forms, pages } = await world(panel, name)
      // In a wide window, forms have the same layout as lists, so forms are checked only in the narrow window.
      const shown = [
        ...pages.filter((path) => !path.endsWith("/file")),
        ...(width === 360 ? forms : []).map(([path]) => path)
      ]
      await withPage(async (page) => {
        await page.resize(width)
        await page.scheme(width === 360 ? "dark" : "light")
        await logIn(page, "/admin", email)
        for (const path of shown) {
          await page.open(app.url + path)
          expect([path, await layoutOf(page)]).toEqual([path, { overflow: 0, cut: 0, outside: [], small: [] }])
          expect([path, await violations(page)]).toEqual([path, []])
          await keep(page, `${path.replaceAll(/\W+|\d+/g, "-")}-${width}`)
        }
      })
    },
    200_000
  )

  it("is used with the keyboard alone: log in, open an organization, correct a mistake, issue a token", async () => {
    const { email, id: user_id } = await superadmin("keyboard@example.com")
    await withPage(async (page) => {
      await logIn(page, "/admin/organizations/new", email)
      expect(await text(page, "h1")).toBe("Open an organization")
      await page.press("Tab")
      expect(await focused(page)).toContain("Skip to the content")
      await tabTo(page, "name ")
      const choices = ["BE", "EUR", "Europe/Brussels", "nl"]
      const answers = ["Keys & Co", ...choices, "kim@example.com", "Kim", "password"]
      for (const answer of answers) {
        // The browser itself draws the list of choices of a `select`, which the DevTools protocol cannot reach.
        if (choices.includes(answer)) await page.evaluate(`document.activeElement.value = '${answer}'`)
        else await page.type(answer)
        await page.press("Tab")
      }
      expect(await focused(page)).toContain("Open the organization")
      await page.press("Enter", { loads: true })
      expect(await text(page, "[role=alert]")).toContain("This password is among the most common ones")
      expect(await page.evaluate("document.activeElement.id")).toBe("owner_password")
      expect(await page.evaluate("document.title")).toMatch(/^Error: /)
      await keep(page, "mistake")
      await page.type(password)
      await page.press("Enter", { loads: true })
      expect(await text(page, "[role=status]")).toBe("The organization is open.")
      await tabTo(page, "API tokens")
      await page.press("Enter", { loads: true })
      await tabTo(page, "Issue a token")
      await page.press("Enter", { loads: true })
      await tabTo(page, "name ")
      await page.type("Shop")
      await tabTo(page, "things-0")
      await page.press(" ")
      await tabTo(page, "Issue the token")
      await page.press("Enter", { loads: true })
      const token = String(await text(page, "#secret"))
      await keep(page, "secret")
      const { body } = await app.call("GET", "/api/v1/organizations", { token })
      expect(body.data.map(({ name }: { name: string }) => name)).toEqual(["Keys & Co"])
      expect(await lastEntry(body.data[0].id)).toMatchObject({ actor: `user:${user_id}`, action: "api_token.issued" })
      await tabTo(page, "Done")
      await page.press("Enter", { loads: true })
      expect(await page.evaluate("document.documentElement.outerHTML.includes('org_')")).toBe(false)
    })
  }, 200_000)

  it("asks before it archives, and cancelling changes nothing", async () => {
    const { email } = await superadmin("careful@example.com")
    const { id } = await app.organization({ name: "Careful" })
    const archived = async () => (await lastEntry(id)).action
    await withPage(async (page) => {
      await logIn(page, `/admin/organizations/${id}`, email)
      await tabTo(page, "Archive this organization")
      await page.press("Enter", { loads: true })
      expect(await text(page, "h1")).toBe("Archive Careful?")
      await tabTo(page, "Cancel")
      await page.press("Enter", { loads: true })
      expect(await archived()).toBeUndefined()
      await tabTo(page, "Archive this organization")
      await page.press("Enter", { loads: true })
      await tabTo(page, "Archive the organization")
      await page.press("Enter", { loads: true })
      expect(await text(page, "[role=status]")).toBe("The organization is archived.")
      expect(await archived()).toBe("organization.archived")
    })
  }, 200_000)

  it("keeps texts of several lines that the user did not change", async () => {
    const { email } = await superadmin("lines@example.com")
    const { id, owner } = await app.organization({ name: "Lines" })
    const discount = "#SKONTO#TAGE=14#PROZENT=2.00#\n#SKONTO#TAGE=30#PROZENT=1.00#"
    const texts = { early_payment_discount: discount, late_payment_penalty: "First.\nSecond.", address_line1: "A\nB" }
    const path = `/api/v1/organizations/${id}`
    await app.call("PUT", path, { token: owner.token, organization: id, body: texts })
    const saveWith = async (page: Page, change: string) => {
      await page.open(`${app.url}/admin/organizations/${id}/profile`)
      await page.evaluate(change)
      await page.follow("document.querySelector('main form.card button').click()")
      expect(await text(page, "[role=status]")).toBe("The organization is saved.")
      return (await app.call("GET", path, { token: owner.token, organization: id })).body.data
    }
    await withPage(async (page) => {
      await logIn(page, "/admin", email)
      expect(await saveWith(page, "document.querySelector('#city').value = 'Gent'")).toMatchObject({
        ...texts,
        city: "Gent"
      })
      const longer = "document.querySelector('#late_payment_penalty').value += '\\nThird.'"
      expect(await saveWith(page, longer)).toMatchObject({ ...texts, late_payment_penalty: "First.\nSecond.\nThird." })
    })
  }, 200_000)
})
