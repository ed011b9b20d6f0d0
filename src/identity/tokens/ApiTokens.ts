import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { PageRequest, PageRows } from "../../kernel/Envelope.ts"
import type { OrganizationId, TokenId, UserId } from "../../kernel/Ids.ts"
import { NotFound, orNotFound } from "../../kernel/Refusal.ts"
import { hashToken, newToken } from "../../platform/crypto/Opaque.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import type { PageLanguage } from "../../platform/pages/PageLanguage.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { ApiToken, ApiTokenDraft } from "./ApiToken.ts"
import { AccountMail } from "../mail/AccountMail.ts"
import { UsersRepo } from "../users/UsersRepo.ts"
import { ApiTokensRepo } from "./ApiTokensRepo.ts"

interface IssuedToken {
  readonly token: ApiToken
  /** The secret is shown only once, because only its hash is stored. */
  readonly secret: Redacted.Redacted
}

interface AskingSession {
  /** Hash of the session in which the user asks for the token. */
  readonly hash: Uint8Array
}

interface TokenNotice {
  /** Language of the browser, for a user who has never logged in. */
  readonly language?: PageLanguage
}

/** Tokens without OAuth: personal ones (`pat_`) and those of organizations (`org_`). */
export class ApiTokens extends Context.Service<
  ApiTokens,
  {
    /**
     * Also notifies the user by mail, unless `notice` is null, as for the invented users of the demo. Fails with
     * NotFound for a user who is disabled, and if the `session` in which the user asked for the token has ended.
     */
    readonly issuePersonal: (
      user_id: UserId,
      draft: ApiTokenDraft,
      notice: TokenNotice | null,
      session?: AskingSession
    ) => Effect.Effect<IssuedToken, NotFound>
    readonly listPersonal: (user_id: UserId) => Effect.Effect<ReadonlyArray<ApiToken>>
    readonly revokePersonal: (user_id: UserId, id: TokenId) => Effect.Effect<ApiToken, NotFound>
    /** `actor` names the caller in the organization's audit chain. */
    readonly issueOrganization: (
      organization_id: OrganizationId,
      draft: ApiTokenDraft,
      actor: string
    ) => Effect.Effect<IssuedToken>
    /** Lists valid tokens, the newest first. */
    readonly listOrganization: (
      organization_id: OrganizationId,
      request: PageRequest
    ) => Effect.Effect<PageRows<ApiToken>>
    /** Fails with NotFound for an unknown token, and for one that is no longer valid. */
    readonly findOrganization: (organization_id: OrganizationId, id: TokenId) => Effect.Effect<ApiToken, NotFound>
    readonly revokeOrganization: (
      organization_id: OrganizationId,
      id: TokenId,
      actor: string
    ) => Effect.Effect<ApiToken, NotFound>
  }
>()("invoicing/identity/tokens/ApiTokens") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* ApiTokensRepo
      const users = yield* UsersRepo
      const mail = yield* AccountMail
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const issuePersonal = Effect.fn("ApiTokens.issuePersonal")(function* (
        user_id: UserId,
        draft: ApiTokenDraft,
        notice: TokenNotice | null,
        session?: AskingSession
      ) {
        if ((yield* users.lock(user_id)).disabled) return yield* NotFound.of()
        if (session !== undefined && Option.isNone(yield* repo.findSession(session.hash))) return yield* NotFound.of()
        const secret = yield* newToken("pat")
        const owner = { kind: "personal", user_id, organization_id: null } as const
        const token = yield* repo.insert({ expires_at: null, ...draft, ...owner, hash: hashToken(secret) })
        if (notice !== null) yield* mail.enqueueNotice(user_id, "new_token", { ...notice, detail: draft.name })
        return { token, secret: Redacted.make(secret) }
      }, transaction)

      const revokePersonal = Effect.fn("ApiTokens.revokePersonal")(function* (user_id: UserId, id: TokenId) {
        return yield* orNotFound(repo.revokePersonal({ user_id, id }))
      })

      const issueOrganization = Effect.fn("ApiTokens.issueOrganization")(function* (
        organization_id: OrganizationId,
        draft: ApiTokenDraft,
        actor: string
      ) {
        const secret = yield* newToken("org")
        const owner = { kind: "organization", user_id: null, organization_id } as const
        const token = yield* repo.insert({ expires_at: null, ...draft, ...owner, hash: hashToken(secret) })
        const data = { token_id: token.id, name: token.name, scopes: token.scopes }
        yield* auditLog.append({ organization_id, actor, action: "api_token.issued", data })
        return { token, secret: Redacted.make(secret) }
      }, transaction)

      const revokeOrganization = Effect.fn("ApiTokens.revokeOrganization")(function* (
        organization_id: OrganizationId,
        id: TokenId,
        actor: string
      ) {
        const token = yield* orNotFound(repo.revokeOrganization({ organization_id, id }))
        yield* auditLog.append({ organization_id, actor, action: "api_token.revoked", data: { token_id: id } })
        return token
      }, transaction)

      return ApiTokens.of({
        issuePersonal,
        listPersonal: repo.listPersonal,
        revokePersonal,
        issueOrganization,
        listOrganization: repo.listOrganization,
        findOrganization: (organization_id, id) => orNotFound(repo.findOrganization({ organization_id, id })),
        revokeOrganization
      })
    })
  ).pipe(Layer.provide([ApiTokensRepo.layer, UsersRepo.layer, AccountMail.layer]))
}
