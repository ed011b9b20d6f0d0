import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { data, page, pageQuery, removed } from "../../kernel/Envelope.ts"
import { inText, OrganizationId, UserId } from "../../kernel/Ids.ts"
import { NotFound } from "../../kernel/Refusal.ts"
import { operation, tag } from "../../platform/http/Contract.ts"
import { Forbidden } from "../../platform/http/Refusals.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { InvitationDraft, Member, RoleChange } from "./Member.ts"
import { AlreadyMember, CannotRemoveSelf, LastOwner, OwnersOnly, TooManyInvitations } from "./MemberErrors.ts"

const params = { id: inText(OrganizationId) }
const memberParams = { ...params, user_id: inText(UserId) }

export class MembersApi extends HttpApiGroup.make("members")
  .annotateMerge(tag("Members", "The users of an organization and their roles."))
  .add(
    HttpApiEndpoint.get("list", "/:id/users", { params, query: pageQuery, success: page(Member) }).annotateMerge(
      operation("List members", "Returns the users of the organization and those who are invited.")
    ),
    HttpApiEndpoint.post("invite", "/:id/users/invite", {
      params,
      payload: InvitationDraft,
      success: data(Member).pipe(HttpApiSchema.status(201)),
      error: [OwnersOnly, AlreadyMember, TooManyInvitations, Forbidden]
    }).annotateMerge(
      operation(
        "Invite a member",
        "Invites a person by e-mail to the organization with a role. Someone who is a member already is refused " +
          "with 422 `already_member`; only an owner may invite an owner. Within 24 hours, a person gets at most 5 " +
          "invitations and an organization sends at most 100; then the answer is 429 until the time in `Retry-After`.",
        "member.created",
        "member.updated"
      )
    ),
    HttpApiEndpoint.put("update", "/:id/users/:user_id", {
      params: memberParams,
      payload: RoleChange,
      success: data(Member),
      error: [NotFound, OwnersOnly, LastOwner, Forbidden]
    }).annotateMerge(
      operation(
        "Change the role of a member",
        "Changes the role. The last owner keeps the role (400 `last_owner`), and only an owner may grant or revoke " +
          "that of an owner.",
        "member.updated"
      )
    ),
    HttpApiEndpoint.delete("remove", "/:id/users/:user_id", {
      params: memberParams,
      success: removed(UserId),
      error: [NotFound, OwnersOnly, LastOwner, CannotRemoveSelf, Forbidden]
    }).annotateMerge(
      operation(
        "Remove a member",
        "Ends the membership. Members cannot remove themselves (400 `cannot_remove_self`) or the last owner (400 " +
          "`last_owner`).",
        "member.deleted"
      )
    )
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/organizations") {}
