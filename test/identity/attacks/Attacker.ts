import { Redacted } from "effect"
import { Secret, TOTP } from "otpauth"
import { administered, administrationOf } from "../../administration/Administration.ts"
import { type App, useApp } from "../../support/App.ts"
import type { Settings } from "../../../src/platform/config/AppConfig.ts"
import { type Browser, browser, hiddenFields, password, person } from "../Visitor.ts"

export const next = "another horse, entirely"

interface Account {
  readonly email: string
}

/** Returns the code of an authenticator app for the present time step, or for one that is many steps later. */
export const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

export const sorted = (answers: ReadonlyArray<{ readonly status: number }>) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)

/** The text of a page without the values that differ between two visits. */
export const withoutTokens = ({ text }: { readonly text: string }) => text.replace(/value="[^"]*"/g, "")

export const useAttacker = (changes: Partial<Settings> = {}) => {
  const app = useApp({ ...administered, ...changes })
  return { app, ...attacker(app) }
}

const fill = async (visitor: Browser, action: string, fields: Record<string, string>, page = "/account") =>
  visitor.post(action, { ...hiddenFields((await visitor.get(page)).text, action), ...fields })

const attacker = (app: App) => {
  const ask = administrationOf(app)

  const reset = async (path: string, fields: Record<string, string> = {}, visitor = browser(app)) =>
    visitor.post(path, { ...hiddenFields((await visitor.get(path)).text), password: next, ...fields })

  /** Returns the path of a new link that sets a password. */
  const linkOf = async ({ email }: Account) =>
    new URL(Redacted.value((await ask((admin) => admin.CreatePasswordLink({ email }))).link)).pathname

  const disable = ({ email }: Account) => ask((admin) => admin.DisableUser({ email }))

  const forgot = async (email: string, headers: Record<string, string> = {}) => {
    const visitor = browser(app)
    return visitor.post("/forgot", { ...hiddenFields((await visitor.get("/forgot")).text), email }, headers)
  }

  const canLogIn = async ({ email }: Account, secret = password) =>
    (await browser(app).logIn(email, "/login", secret)).status === 303

  const entered = async () => {
    const user = await person(app)
    const visitor = browser(app)
    await visitor.logIn(user.email)
    return { ...user, visitor }
  }

  /**
   * Creates a user with a second factor. It was turned on with the code of the previous time step, so the present code
   * can still be used.
   */
  const protectedPerson = async () => {
    const user = await entered()
    const begun = await fill(user.visitor, "/account/factor/begin", { current_password: password })
    const secret = /id="secret">([A-Z2-7]+)</.exec(begun.text)?.[1] ?? ""
    const fields = hiddenFields(begun.text, "/account/factor/confirm")
    const { text } = await user.visitor.post("/account/factor/confirm", { ...fields, code: codeOf(secret, -1) })
    return { ...user, secret, recovery: text.match(/(?:[A-Z2-7]{4}-){5}[A-Z2-7]{4}/g) ?? [] }
  }

  /** Sends a code as the second step of a new login. */
  const secondStep = async ({ email }: Account, code: string) => {
    const visitor = browser(app)
    const { location } = await visitor.logIn(email)
    return fill(visitor, "/login/code", { code }, location)
  }

  return { fill, reset, linkOf, disable, forgot, canLogIn, entered, protectedPerson, secondStep }
}
