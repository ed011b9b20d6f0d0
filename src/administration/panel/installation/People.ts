import { Effect, Layer, Schema } from "effect"
import { Accounts } from "../../../identity/accounts/Accounts.ts"
import type { User } from "../../../identity/users/User.ts"
import { Users } from "../../../identity/users/Users.ts"
import type { PageRequest, PageRows } from "../../../kernel/Envelope.ts"
import { UserId } from "../../../kernel/Ids.ts"
import { orNotFound } from "../../../kernel/Refusal.ts"
import { Line } from "../../../kernel/Text.ts"
import { html } from "../../../platform/pages/Html.ts"
import { CreatePasswordLink, DisableUser, EnableUser, RemoveSecondFactor } from "../../PeopleRpc.ts"
import { type PanelRequest, showPage } from "../Panel.ts"
import type { PanelContent } from "../PanelFrame.ts"
import { idOf, pageOf, textOf } from "../PanelInput.ts"
import { panelList } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { passwordLinkPage } from "../SecretPage.ts"

const section = "/admin/users"

const toUsers = { path: section, label: "users" }

const tagsOf = ({ disabled_at, has_password, second_factor, superadmin }: User) => [
  ...(superadmin ? ["superadmin"] : []),
  ...(second_factor ? ["two steps"] : []),
  ...(has_password ? [] : ["no password"]),
  ...(disabled_at === null ? [] : ["disabled"])
]

const usersPage = (rows: PageRows<User>, request: PageRequest & { readonly search: string }): PanelContent => ({
  title: "Users",
  section,
  body: html`<form class="search" method="get" role="search">
      <div>
        <label for="search">Name or email address</label>
        <input id="search" name="search" type="search" value="${request.search}" maxlength="255" />
      </div>
      <button>Search</button>
    </form>
    ${panelList({
      slice: rows,
      request,
      path: section,
      query: new URLSearchParams(request.search === "" ? {} : { search: request.search }),
      none: "No user is found.",
      row: (user) => {
        const deeds = [
          { path: "password-link", label: "Password link" },
          ...(user.second_factor ? [{ path: "second-step", label: "Turn off second step" }] : []),
          user.disabled_at === null ? { path: "disable", label: "Disable" } : { path: "enable", label: "Enable" }
        ]
        return html`<div>
            ${user.name} ${tagsOf(user).map((tag) => html`<span class="tag">${tag}</span> `)}<br />
            <small>${user.email}</small>
          </div>
          <div class="actions">
            ${deeds.map(
              ({ label, path }) =>
                html`<a class="button quiet" href="${section}/${user.id}/${path}" aria-label="${label}: ${user.name}"
                  >${label}</a
                > `
            )}
          </div>`
      }
    })}`
})

const isLine = Schema.is(Line)

const list = showPage(
  section,
  Effect.fnUntraced(function* ({ query }) {
    const asked = textOf(query, "search") ?? ""
    const request = { ...pageOf(query), search: isLine(asked) ? asked : "" }
    return usersPage(yield* (yield* Accounts).list(request), request)
  })
)

const ofUser = {
  load: Effect.fnUntraced(function* ({ params }: PanelRequest) {
    const id = yield* idOf(UserId, params["user_id"])
    return yield* orNotFound((yield* Users).find(id))
  }),
  section,
  back: () => toUsers,
  given: ({ email }: User) => Effect.succeed({ email })
} as const

const disable = procedureForm(DisableUser, {
  ...ofUser,
  path: `${section}/:user_id/disable`,
  title: ({ name }) => `Disable ${name}?`,
  submit: "Disable the user",
  danger: true,
  before: ({ email }) =>
    html`<p>
      ${email} is logged out of every browser and application at once and cannot log in. The user's tokens are revoked
      for good.
    </p>`,
  call: (procedures, payload) => procedures.DisableUser(payload),
  done: () => `${section}?done=disabled`
})

const enable = procedureForm(EnableUser, {
  ...ofUser,
  path: `${section}/:user_id/enable`,
  title: ({ name }) => `Enable ${name}?`,
  submit: "Enable the user",
  before: ({ email }) => html`<p>${email} can log in again with the same password. Revoked tokens stay revoked.</p>`,
  call: (procedures, payload) => procedures.EnableUser(payload),
  done: () => `${section}?done=enabled`
})

const removeSecondFactor = procedureForm(RemoveSecondFactor, {
  ...ofUser,
  path: `${section}/:user_id/second-step`,
  title: ({ name }) => `Turn off the second step of ${name}?`,
  submit: "Turn off the second step",
  danger: true,
  before: ({ email }) =>
    html`<p>${email} can then log in with the password alone. Do this only if you are sure who asks for it.</p>`,
  call: (procedures, payload) => procedures.RemoveSecondFactor(payload),
  done: () => `${section}?done=factor_off`
})

const makeLink = procedureForm(CreatePasswordLink, {
  ...ofUser,
  path: `${section}/:user_id/password-link`,
  title: ({ name }) => `Link that sets the password of ${name}`,
  submit: "Make the link",
  before: ({ email }) => html`<p>Whoever has the link sets the password of ${email}. Hand it over personally.</p>`,
  call: (procedures, payload) => procedures.CreatePasswordLink(payload),
  done: (user, link) => passwordLinkPage(user, link, toUsers)
})

export const UsersRoutes = Layer.mergeAll(list, disable, enable, removeSecondFactor, makeLink)
