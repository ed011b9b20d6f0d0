import { Effect, Layer } from "effect"
import { UserId } from "../../../kernel/Ids.ts"
import { Members } from "../../../organizations/members/Members.ts"
import { html } from "../../../platform/pages/Html.ts"
import type { PanelRequest } from "../Panel.ts"
import { idOf } from "../PanelInput.ts"
import { listPage } from "../PanelList.ts"
import { procedureForm } from "../ProcedureForm.ts"
import { organizationOf, partOf } from "./OrganizationsPages.ts"

const place = partOf("members", "members")

const list = listPage(place, {
  load: organizationOf,
  title: ({ name }) => `Members of ${name}`,
  buttons: { invite: "Invite somebody" },
  rows: (request, { id }) => Effect.flatMap(Members, ({ listOf }) => listOf(id, request)),
  row: ({ email, id, name, role, status }) => ({
    name,
    tags: [role, ...(status === "invited" ? ["invited"] : [])],
    small: email,
    actions: { [`${id}/role`]: "Change role", [`${id}/remove`]: "Remove" }
  }),
  none: "Nobody is a member."
})

const invite = procedureForm("InviteMember", place, {
  path: "invite",
  load: organizationOf,
  title: ({ name }) => `Invite somebody to ${name}`,
  submit: "Send the invitation",
  questions: { email: { label: "Email address" }, role: { value: () => "member" } },
  at: { AlreadyMember: "email" }
})

const memberOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const { id: organization_id, name } = yield* organizationOf(asked)
  const user_id = yield* idOf(UserId, asked.params["user_id"])
  return { organization_name: name, member: yield* (yield* Members).find({ organization_id, user_id }) }
})

const changeRole = procedureForm("SetRole", place, {
  path: ":user_id/role",
  load: memberOf,
  title: ({ member }) => `Role of ${member.name}`,
  submit: "Change the role",
  questions: { role: { value: ({ member }) => member.role } },
  at: { LastOwner: "role" }
})

const remove = procedureForm("RemoveMember", place, {
  path: ":user_id/remove",
  load: memberOf,
  title: ({ member }) => `Remove ${member.name}?`,
  submit: "Remove the member",
  danger: true,
  before: ({ member, organization_name }) =>
    html`<p>${member.email} loses access to ${organization_name} at once. What they did stays under their name.</p>`
})

export const MembersRoutes = Layer.mergeAll(list, invite, changeRole, remove)
