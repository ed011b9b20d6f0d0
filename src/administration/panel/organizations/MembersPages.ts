import { Effect, Layer, Schema } from "effect"
import { UserId } from "../../../kernel/Ids.ts"
import { Invitations } from "../../../organizations/invitations/Invitations.ts"
import { InvitationDraft, RoleChange } from "../../../organizations/members/Member.ts"
import { Members } from "../../../organizations/members/Members.ts"
import { html } from "../../../platform/pages/Html.ts"
import type { PanelRequest } from "../Panel.ts"
import { idOf } from "../PanelInput.ts"
import { listPage } from "../PanelList.ts"
import { schemaForm } from "../ProcedureForm.ts"
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

const invite = schemaForm(
  "InviteMember",
  InvitationDraft,
  (draft, { actor }, { id }) => Effect.flatMap(Invitations, ({ inviteTo }) => inviteTo(id, draft, actor)),
  place,
  {
    path: "invite",
    load: organizationOf,
    title: ({ name }) => `Invite somebody to ${name}`,
    submit: "Send the invitation",
    questions: { email: { label: "Email address" }, role: { value: () => "member" } },
    at: { AlreadyMember: "email" }
  }
)

const memberOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const { id: organization_id, name } = yield* organizationOf(asked)
  const user_id = yield* idOf(UserId, asked.params["user_id"])
  const key = { organization_id, user_id }
  return { organization_name: name, key, member: yield* (yield* Members).find(key) }
})

const changeRole = schemaForm(
  "SetRole",
  RoleChange,
  ({ role }, { actor }, { key }) => Effect.flatMap(Members, ({ appoint }) => appoint({ ...key, role }, actor)),
  place,
  {
    path: ":user_id/role",
    load: memberOf,
    title: ({ member }) => `Role of ${member.name}`,
    submit: "Change the role",
    questions: { role: { value: ({ member }) => member.role } },
    at: { LastOwner: "role" }
  }
)

const remove = schemaForm(
  "RemoveMember",
  Schema.Struct({}),
  (_, { actor }, { key }) => Effect.flatMap(Members, ({ dismiss }) => dismiss(key, actor)),
  place,
  {
    path: ":user_id/remove",
    load: memberOf,
    title: ({ member }) => `Remove ${member.name}?`,
    submit: "Remove the member",
    danger: true,
    before: ({ member, organization_name }) =>
      html`<p>${member.email} loses access to ${organization_name} at once. What they did stays under their name.</p>`
  }
)

export const MembersRoutes = Layer.mergeAll(list, invite, changeRole, remove)
