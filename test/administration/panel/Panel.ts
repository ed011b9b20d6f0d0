import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Users } from "../../../src/identity/users/Users.ts"
import type { Settings } from "../../../src/platform/config/AppConfig.ts"
import { type Browser, browser, hiddenFields, password } from "../../identity/Visitor.ts"
import { useApp } from "../../support/App.ts"

let superadmins = 0

export const usePanel = (changes: Partial<Settings> = {}) => {
  const app = useApp(changes)

  const create = (superadmin: boolean) =>
    app.run(
      Effect.flatMap(Users, (users) =>
        users.create(
          { name: "Sam Super", email: `super${++superadmins}@example.com`, superadmin },
          Redacted.make(password)
        )
      ).pipe(Effect.provide(Users.layer))
    )

  const enter = async (superadmin = true) => {
    const user = await create(superadmin)
    const visitor = browser(app)
    await visitor.logIn(user.email)
    return { ...visitor, user }
  }

  /** Opens a page, and submits its form with these fields and the form's CSRF token. */
  const fill = async (visitor: Browser, path: string, fields: Readonly<Record<string, Filled>>) => {
    const { text } = await visitor.get(path)
    return send(visitor, path, { csrf: hiddenFields(text)["csrf"] ?? "", ...fields })
  }

  /** Submits a form. A field with several values is sent once for each value, as by a browser. */
  const send = async (
    visitor: Browser,
    path: string,
    fields: Readonly<Record<string, Filled>>,
    headers: Record<string, string> = {}
  ) => {
    const body = new URLSearchParams()
    for (const [name, value] of Object.entries(fields)) {
      for (const one of typeof value === "string" ? [value] : value) body.append(name, one)
    }
    const cookie = [...visitor.jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const answer = await fetch(app.url + path, {
      method: "POST",
      redirect: "manual",
      headers: { cookie, origin: app.url, ...headers },
      body
    })
    const location = answer.headers.get("location") ?? ""
    return { status: answer.status, headers: answer.headers, location, text: await answer.text() }
  }

  /** Returns everything that a form of the panel could change. */
  const state = () =>
    app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tables = [
          "organizations",
          "members",
          "tokens",
          "tax_rates",
          "clients",
          "bank_accounts",
          "einvoicing_registrations",
          "jobs",
          "users",
          "audit_entries"
        ]
        const rows = yield* Effect.forEach(tables, (table) =>
          // Jobs that mail passwords are left out, because no form of the panel adds one.
          sql.unsafe(`select coalesce(jsonb_agg(r order by r::text), '[]') as rows from ${table} r
                      where to_jsonb(r)->>'queue_name' is distinct from 'identity.password_mail'`)
        )
        return JSON.stringify(rows)
      })
    )

  const lastEntry = (organization_id: number) =>
    app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [entry] = yield* sql<{ canonical: string }>`
          select canonical from audit_entries where organization_id = ${organization_id} order by seq desc limit 1`
        const { action, actor, data } = JSON.parse(entry?.canonical ?? "{}")
        return { action, actor, data }
      })
    )

  return { app, enter, fill, send, state, lastEntry }
}
export type Panel = ReturnType<typeof usePanel>

type Filled = string | ReadonlyArray<string>

export const opening = (owner_email: string) => ({
  name: "Boulangerie Ça",
  country: "FR",
  currency: "EUR",
  timezone: "Europe/Paris",
  language: "fr",
  owner_email,
  owner_name: "Olga Owner",
  owner_password: password
})
