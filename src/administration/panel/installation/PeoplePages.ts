import { Effect, Layer } from "effect"
import { Accounts } from "../../../identity/accounts/Accounts.ts"
import type { User } from "../../../identity/users/User.ts"
import { Users } from "../../../identity/users/Users.ts"
import { UserId } from "../../../kernel/Ids.ts"
import { orNotFound } from "../../../kernel/Refusal.ts"
import { Members } from "../../../organizations/members/Members.ts"
import { html } from "../../../platform/pages/Html.ts"
import type { PanelRequest, Place } from "../Panel.ts"
import { idOf } from "../PanelInput.ts"
import { listPage } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { passwordLinkPage } from "../SecretPage.ts"

const place: Place = { path: "/admin/users", label: "users" }

const list = listPage(place, {
  load: () => Effect.void,
  title: "Users",
  filter: { name: "search", label: "Name or email address" },
  rows: (request, _, search = "") => Effect.flatMap(Accounts, (accounts) => accounts.list({ ...request, search })),
  row: ({ disabled_at, email, has_password, id, name, second_factor, superadmin }) => ({
    name,
    tags: [
      ...(superadmin ? ["superadmin"] : []),
      ...(second_factor ? ["two steps"] : []),
      ...(has_password ? [] : ["no password"]),
      ...(disabled_at === null ? [] : ["disabled"])
    ],
    small: email,
    actions: {
      ...(disabled_at === null ? { [`${id}/password-link`]: "Password link" } : {}),
      ...(second_factor ? { [`${id}/second-step`]: "Turn off second step" } : {}),
      ...(disabled_at === null ? { [`${id}/disable`]: "Disable" } : { [`${id}/enable`]: "Enable" })
    }
  }),
  none: "No user matches."
})

const userOf = Effect.fnUntraced(function* ({ params }: PanelRequest) {
  const id = yield* idOf(UserId, params["user_id"])
  return yield* orNotFound((yield* Users).find(id))
})

const ofUser = { load: userOf, given: ({ email }: User) => ({ email }) }

const withOwned = Effect.fnUntraced(function* (asked: PanelRequest) {
  const user = yield* userOf(asked)
  return { ...user, owned: yield* (yield* Members).ownedAlone(user.id) }
})

const disable = procedureForm("DisableUser", place, {
  load: withOwned,
  given: ({ email }) => ({ email }),
  path: ":user_id/disable",
  title: ({ name }) => `Disable ${name}?`,
  submit: "Disable the user",
  danger: true,
  before: ({ email, owned }) =>
    html`<p>
        ${email} is logged out of every browser and application at once and cannot log in. The user's tokens are revoked
        for good.
      </p>
      ${
        owned.length === 0
          ? null
          : html`<p>
                The user is the only owner of these organizations. Appoint another owner first, or nobody can manage
                them:
              </p>
              <ul>
                ${owned.map(({ id, name }) => html`<li><a href="/admin/organizations/${id}/members">${name}</a></li>`)}
              </ul>`
      }`
})

const enable = procedureForm("EnableUser", place, {
  ...ofUser,
  path: ":user_id/enable",
  title: ({ name }) => `Enable ${name}?`,
  submit: "Enable the user",
  before: ({ email }) => html`<p>${email} can log in again with the same password. Revoked tokens stay revoked.</p>`
})

const removeSecondFactor = procedureForm("RemoveSecondFactor", place, {
  ...ofUser,
  path: ":user_id/second-step",
  title: ({ name }) => `Turn off the second step of ${name}?`,
  submit: "Turn off the second step",
  danger: true,
  before: ({ email }) =>
    html`<p>${email} can then log in with the password alone. Do this only if you are sure who asks for it.</p>`
})

const makeLink = procedureForm("CreatePasswordLink", place, {
  ...ofUser,
  path: ":user_id/password-link",
  title: ({ name }) => `Link that sets the password of ${name}`,
  submit: "Make the link",
  before: ({ email }) => html`<p>Whoever has the link sets the password of ${email}. Hand it over personally.</p>`,
  done: (link, user, home) => passwordLinkPage(user, link, home)
})

export const UsersRoutes = Layer.mergeAll(list, disable, enable, removeSecondFactor, makeLink)
