import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { contract } from "../platform/http/Contract.ts"
import { paginate } from "../platform/http/Pagination.ts"
import { retryAfter } from "../platform/http/answers/AnswerHeaders.ts"
import { Invitations } from "./invitations/Invitations.ts"
import { TooManyInvitations } from "./members/MemberErrors.ts"
import { Members } from "./members/Members.ts"
import { MembersApi } from "./members/MembersApi.ts"

export const MembersHttp = HttpApiBuilder.group(
  contract.add(MembersApi),
  "members",
  Effect.fn(function* (handlers) {
    const members = yield* Members
    const invitations = yield* Invitations
    return handlers.handleAll({
      list: ({ query }) => members.list(query).pipe(paginate(query)),
      invite: ({ payload }) =>
        invitations
          .invite(payload)
          .pipe(
            Effect.catchTag("InvitationsThrottled", ({ retry_after_seconds }) =>
              Effect.andThen(retryAfter(retry_after_seconds), TooManyInvitations.of())
            )
          ),
      update: ({ params, payload }) => members.update(params.user_id, payload.role),
      remove: ({ params }) => members.remove(params.user_id)
    })
  })
)
