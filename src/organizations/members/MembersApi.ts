import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { data, page, pageQuery } from "../../kernel/Envelope.ts"
import { inText, OrganizationId, UserId } from "../../kernel/Ids.ts"
import { NotFound } from "../../kernel/Refusal.ts"
import { RequestValidation } from "../../platform/http/RequestValidation.ts"
import { Authorization } from "../../platform/http/Security.ts"
import { InvitationDraft, Member, RoleChange } from "./Member.ts"
import { AlreadyMember, CannotRemoveSelf, LastOwner, OwnersOnly } from "./MemberErrors.ts"

const params = { id: inText(OrganizationId) }
const memberParams = { ...params, user_id: inText(UserId) }

/** Implements the spec's "Endpoints: Organizations" for members. */
export class MembersApi extends HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.get("list", "/:id/users", { params, query: pageQuery, success: page(Member) }),
    HttpApiEndpoint.post("invite", "/:id/users/invite", {
      params,
      payload: InvitationDraft,
      success: data(Member).pipe(HttpApiSchema.status(201)),
      error: [OwnersOnly, AlreadyMember]
    }),
    HttpApiEndpoint.put("update", "/:id/users/:user_id", {
      params: memberParams,
      payload: RoleChange,
      success: data(Member),
      error: [NotFound, OwnersOnly, LastOwner]
    }),
    HttpApiEndpoint.delete("remove", "/:id/users/:user_id", {
      params: memberParams,
      success: data(Schema.Struct({ id: UserId })),
      error: [NotFound, OwnersOnly, LastOwner, CannotRemoveSelf]
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1/organizations") {}
