import { Effect, Layer } from "effect"
import { UserId } from "../../../kernel/Ids.ts"
import { Invitations } from "../../../organizations/invitations/Invitations.ts"
import { InvitationDraft, RoleChange } from "../../../organizations/members/Member.ts"
import { Members } from "../../../organizations/members/Members.ts"
import { formPage, type PanelRequest, showPage } from "../Panel.ts"
import { at, decoded, idOf, pageOf, textOf } from "../PanelInput.ts"
import { invitePage, membersPage, removePage, rolePage } from "./MembersPage.ts"
import { organizationOf } from "./Organizations.ts"

const memberOf = Effect.fnUntraced(function* (asked: PanelRequest) {
  const organization = yield* organizationOf(asked)
  const user_id = yield* idOf(UserId, asked.params["user_id"])
  return { organization, member: yield* (yield* Members).find({ organization_id: organization.id, user_id }) }
})

const list = showPage(
  "/admin/organizations/:organization_id/members",
  Effect.fnUntraced(function* (asked) {
    const organization = yield* organizationOf(asked)
    const request = pageOf(asked.query)
    return membersPage(organization, yield* (yield* Members).listOf(organization.id, request), request)
  })
)

const invite = formPage("/admin/organizations/:organization_id/members/invite", {
  load: organizationOf,
  page: invitePage,
  submit: Effect.fnUntraced(function* ({ id }, fields, { actor }) {
    const draft = yield* decoded(InvitationDraft, { email: textOf(fields, "email") ?? "", role: fields.get("role") })
    yield* (yield* Invitations).inviteTo(id, draft, actor).pipe(Effect.catchTag("AlreadyMember", at("email")))
    return `/admin/organizations/${id}/members?done=invited`
  })
})

const changeRole = formPage("/admin/organizations/:organization_id/members/:user_id/role", {
  load: memberOf,
  page: rolePage,
  submit: Effect.fnUntraced(function* ({ member, organization: { id } }, fields, { actor }) {
    const { role } = yield* decoded(RoleChange, { role: fields.get("role") })
    yield* (yield* Members)
      .appoint({ organization_id: id, user_id: member.id, role }, actor)
      .pipe(Effect.catchTag("LastOwner", at("role")))
    return `/admin/organizations/${id}/members?done=role`
  })
})

const remove = formPage("/admin/organizations/:organization_id/members/:user_id/remove", {
  load: memberOf,
  page: removePage,
  submit: Effect.fnUntraced(function* ({ member, organization: { id } }, _, { actor }) {
    yield* (yield* Members)
      .dismiss({ organization_id: id, user_id: member.id }, actor)
      .pipe(Effect.catchTag("LastOwner", at("member")))
    return `/admin/organizations/${id}/members?done=removed`
  })
})

export const MembersRoutes = Layer.mergeAll(list, invite, changeRole, remove)
