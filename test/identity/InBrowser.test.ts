import { Option, Redacted } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import { hasChromium, keep, type Page, violations, withPage } from "../support/counterparts/Chromium.ts"
import { smtp } from "../support/counterparts/Mail.ts"
import { until } from "../support/counterparts/Receiver.ts"
import { codeOf, useAttacker as useService } from "./attacks/Attacker.ts"
import { authorizePath, client, newVerifier, password, person } from "./Visitor.ts"

const mail = await smtp()
const { app, disable, protectedPerson } = useService({
  role: "all",
  get smtpUrl() {
    return Option.some(Redacted.make(mail.url))
  }
})

/** Types into the fields of a form, and presses its button, like a person who sees the page. */
const submit = (page: Page, form: string, fields: Readonly<Record<string, string>>, button = "button") =>
  page.follow(`(() => {
    const form = document.querySelector(${JSON.stringify(form)})
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) form.elements[name].value = value
    form.querySelector(${JSON.stringify(button)}).click()
  })()`)

/** The id of the focused field, and the text that a screen reader reads with it. */
const focused = (page: Page) =>
  page.evaluate(`(() => {
    const { ariaDescribedByElements: texts, id } = document.activeElement
    return [id, ...(texts ?? []).map(({ textContent }) => textContent.trim())]
  })()`)

const text = async (page: Page) => String(await page.evaluate("document.body.innerText"))
const path = (page: Page) => page.evaluate("location.pathname")

/** Checks that the browser is at this path, and that the page is accessible and not wider than its window. */
const expectPage = async (page: Page, where: string, name: string) => {
  expect(await path(page)).toBe(where)
  for (const [width, scheme] of [
    [1280, "light"],
    [360, "dark"]
  ] as const) {
    await page.resize(width)
    await page.scheme(scheme)
    await keep(page, `account-${name}-${width}-${scheme}`)
    expect([name, await violations(page)]).toEqual([name, []])
    expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0)
  }
}

describe.skipIf(!hasChromium)("The account in a browser", () => {
  it("lives: forgotten, reset, changed, protected, recovered and disabled", async () => {
    const user = await person(app)
    const [first, second] = ["a first horse, forgotten", "a second horse, changed"]
    await withPage(async (page) => {
      await page.open(`${app.url}/login`)
      await expectPage(page, "/login", "login")
      await page.follow("document.querySelector('a[href=\"/forgot\"]').click()")
      await expectPage(page, "/forgot", "forgot")
      await submit(page, "main form", { email: user.email })
      await expectPage(page, "/forgot", "sent")
      const sent = await until("the link", () => mail.received.find(({ to }) => to === user.email))
      const link = /https?:\S+\/reset\/\S+/.exec(sent.text)?.[0] ?? ""
      await page.open(link)
      await expectPage(page, new URL(link).pathname, "reset")
      await submit(page, "main form", { password: "password1" })
      await expectPage(page, new URL(link).pathname, "refused")
      const reason = "This password is too common. Choose another one."
      expect(await focused(page)).toEqual(["password", reason, "At least 8 characters."])
      await submit(page, "main form", { password: first })
      await expectPage(page, "/account", "account")
      await page.open(link)
      await expectPage(page, new URL(link).pathname, "gone")

      await page.open(`${app.url}/account`)
      const change = "form[action='/account/password']"
      await submit(page, change, { current_password: password, new_password: second })
      await expectPage(page, "/account/password", "wrong")
      expect(await focused(page)).toEqual(["current_password", "The current password is wrong."])
      const email = { email: "moved@beta.example", current_password: "no horse" }
      await submit(page, "form[action='/account/email']", email)
      await expectPage(page, "/account/email", "wrong-email")
      expect(await focused(page)).toEqual(["email_password", "The current password is wrong."])
      expect(await page.evaluate("document.querySelector('#new_email').value")).toBe(email.email)
      await submit(page, change, { current_password: first, new_password: second })
      await expectPage(page, "/account", "changed")

      await submit(page, "form[action='/account/factor/begin']", { current_password: second })
      await expectPage(page, "/account/factor/begin", "enrolment")
      const secret = String(await page.evaluate("document.querySelector('#secret').textContent"))
      await submit(page, "main form", { code: codeOf(secret, -1) })
      await expectPage(page, "/account/factor/confirm", "recovery-codes")
      const [recovery = ""] = (await text(page)).match(/(?:[A-Z2-7]{4}-){5}[A-Z2-7]{4}/g) ?? []
      await page.follow("document.querySelector('main a.button').click()")
      await submit(page, "form[action='/logout']", {})

      await page.open(`${app.url}/login`)
      await submit(page, "main form", { email: user.email, password: second })
      await expectPage(page, "/login/code", "second-step")
      await submit(page, "main form", { code: recovery })
      await expectPage(page, "/account", "recovered")
      const notices = [
        "Set a new password",
        "Your password has been changed",
        "Two-step login is on",
        "A recovery code was used"
      ]
      for (const notice of notices) {
        await until(notice, () => mail.received.find(({ header }) => header("subject") === notice))
      }

      await disable(user)
      await page.open(`${app.url}/account`)
      await expectPage(page, "/login", "disabled")
      await submit(page, "main form", { email: user.email, password: second })
      expect(await path(page)).toBe("/login")
      expect(await page.evaluate("document.querySelector('[role=alert]') !== null")).toBe(true)
    })
  }, 200_000)

  it.each(["pt", "pl", "ar"] as const)(
    "is laid out and accessible in %s",
    async (language) => {
      const user = await person(app)
      await withPage(async (page) => {
        await page.language(language)
        await page.open(`${app.url}/login`)
        await expectPage(page, "/login", `login-${language}`)
        const [tag, direction] = [`document.documentElement.lang`, `getComputedStyle(document.body).direction`]
        expect([await page.evaluate(tag), await page.evaluate(direction)]).toEqual([
          language,
          language === "ar" ? "rtl" : "ltr"
        ])
        await submit(page, "main form", { email: user.email, password })
        await expectPage(page, "/account", `account-${language}`)
        await submit(page, "form[action='/account/factor/begin']", { current_password: password })
        await expectPage(page, "/account/factor/begin", `enrolment-${language}`)
      })
    },
    200_000
  )

  it("leads to a first-party application after the second step, also after a wrong code", async () => {
    const { email, secret } = await protectedPerson()
    const application = createServer((_, response) => response.end("The application."))
    await new Promise<void>((resolve) => application.listen(0, "127.0.0.1", resolve))
    const { port } = application.address() as AddressInfo
    const registered = await client(app, { redirect_uris: [`http://127.0.0.1:${port}/done`] })
    await withPage(async (page) => {
      await page.open(app.url + authorizePath(registered, newVerifier()))
      await submit(page, "main form", { email, password })
      expect(await path(page)).toBe("/login/code")
      await submit(page, "main form", { code: "000000" })
      expect(await path(page)).toBe("/login/code")
      await submit(page, "main form", { code: codeOf(secret) })
      expect(await page.evaluate("location.port + location.pathname")).toBe(`${port}/done`)
      expect(await page.evaluate("new URLSearchParams(location.search).get('code')")).toMatch(/^oac_/)
    }).finally(() => {
      application.closeAllConnections()
      application.close()
    })
  }, 200_000)
})
