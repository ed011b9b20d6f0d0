import { Context, Effect, Layer, Option } from "effect"
import type { ClientId, OrganizationId, TokenId, UserId } from "../../kernel/Ids.ts"
import { hashToken, newToken } from "../../platform/crypto/Opaque.ts"
import { AuditLog } from "../../platform/events/AuditLog.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { Client } from "../clients/Client.ts"
import { stillHeld } from "../clients/ClientScopes.ts"
import { ClientWebhooks } from "../ClientWebhooks.ts"
import { InvalidGrant, InvalidScope, UnauthorizedClient } from "../OAuthErrors.ts"
import type { TokenAnswer } from "./TokenAnswer.ts"
import { OrganizationBinding } from "../OrganizationBinding.ts"
import { covers } from "../Scope.ts"
import { UsersRepo } from "../users/UsersRepo.ts"
import type { ConnectedApp } from "./ConnectedApp.ts"
import { type Family, type FamilyId, type StoredToken, TokensRepo } from "./TokensRepo.ts"

/**
 * A refresh token that is used again within this number of seconds is only refused, because the client may have lost
 * the answer. Later, the token counts as stolen.
 */
const quiet_seconds = 10

interface Grant {
  readonly client: Client
  readonly user_id: UserId
  readonly scopes: ReadonlyArray<string>
  /**
   * Organization to which the tokens are to be limited; the default is the user's primary one. Tokens of a first-party
   * client are never limited.
   */
  readonly organization_id: OrganizationId | undefined
}

interface RefreshRequest {
  readonly client: Client
  readonly refresh_token: string
  /** The default is the scopes of the refresh token. */
  readonly scopes: ReadonlyArray<string> | undefined
  /** The default is the primary organization that the user had at the login. */
  readonly organization_id: OrganizationId | undefined
}

/** Tokens of one login at a client form a family. Each change locks the row of the user, so no two changes overlap. */
export class Tokens extends Context.Service<
  Tokens,
  {
    /** The tokens get those of the granted scopes that the client still has. */
    readonly start: (
      grant: Grant
    ) => Effect.Effect<{ readonly family_id: FamilyId; readonly answer: TokenAnswer }, InvalidGrant | InvalidScope>
    /** Without an organization, fails if the user has left the one of the refresh token. */
    readonly refresh: (request: RefreshRequest) => Effect.Effect<TokenAnswer, InvalidGrant | InvalidScope>
    /** RFC 7009: revokes an access token alone, but a refresh token with its family. Ignores an unknown token. */
    readonly revoke: (client: Client, token: string) => Effect.Effect<void, UnauthorizedClient>
    /**
     * Revokes all tokens of the family. If it is the last family of the user at the client, the webhooks that the
     * client created in the user's name are deactivated.
     */
    readonly revokeFamily: (family: Family) => Effect.Effect<void>
    readonly clientsOf: (user_id: UserId) => Effect.Effect<ReadonlyArray<ConnectedApp>>
    /**
     * Revokes all tokens and codes of the client, or of every client (null), and deactivates the webhooks that it
     * created in the user's name.
     */
    readonly revokeClients: (user_id: UserId, client_id: ClientId | null) => Effect.Effect<void>
    /** Revokes the family of the token, or a personal token alone. False if another request did so first. */
    readonly logout: (user_id: UserId, token_id: TokenId) => Effect.Effect<boolean>
    /**
     * Revokes all tokens, codes and browser sessions of the user, and deactivates the webhooks that clients created in
     * the user's name. False if another request did so first.
     */
    readonly logoutAll: (user_id: UserId) => Effect.Effect<boolean>
  }
>()("invoicing/identity/tokens/Tokens") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* TokensRepo
      const users = yield* UsersRepo
      const binding = yield* OrganizationBinding
      const webhooks = yield* ClientWebhooks
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database

      const boundTo = Effect.fnUntraced(function* ({ client, organization_id, user_id }: Omit<Grant, "scopes">) {
        if (client.first_party) return null
        if (organization_id === undefined || !(yield* binding.isMember(user_id, organization_id)))
          return yield* InvalidGrant.organization()
        return organization_id
      })

      /**
       * False if the user has left the organization to which the token is bound. The user's primary organization must
       * not replace it, because the user has not allowed the client to act for that one.
       */
      const staysBound = ({ organization_id, user_id }: StoredToken) =>
        organization_id === null ? Effect.succeed(true) : binding.isMember(user_id, organization_id)

      const issue = Effect.fnUntraced(function* (family_id: FamilyId, grant: Grant, kept: ReadonlyArray<string>) {
        const organization_id = yield* boundTo(grant)
        const access_token = yield* newToken("oat")
        const refresh_token = yield* newToken("ort")
        const { expires_in } = yield* repo.insertPair({
          user_id: grant.user_id,
          client_id: grant.client.id,
          family_id,
          organization_id,
          access_hash: hashToken(access_token),
          access_scopes: grant.scopes,
          refresh_hash: hashToken(refresh_token),
          refresh_scopes: kept
        })
        const scope = grant.scopes.join(" ")
        return { token_type: "Bearer", expires_in, access_token, refresh_token, scope, organization_id } as const
      })

      const start = Effect.fn("Tokens.start")(function* (grant: Grant) {
        if ((yield* users.lock(grant.user_id)).disabled) return yield* InvalidGrant.credentials()
        const client = yield* repo.holdClient(grant.client.id)
        if (Option.isNone(client)) return yield* InvalidGrant.client()
        const scopes = stillHeld(client.value, grant.scopes)
        if (scopes.length === 0) return yield* InvalidScope.of()
        const { first_party, id: client_id } = grant.client
        const primary = first_party ? Option.none() : yield* binding.primaryOf(grant.user_id)
        const primary_organization_id = Option.getOrNull(primary)
        const { id } = yield* repo.insertFamily({ user_id: grant.user_id, client_id, primary_organization_id })
        const organization_id = grant.organization_id ?? Option.getOrUndefined(primary)
        return { family_id: id, answer: yield* issue(id, { ...grant, scopes, organization_id }, scopes) }
      }, transaction)

      const endFamily = Effect.fnUntraced(function* ({ client_id, family_id, user_id }: Family) {
        const revoked = yield* repo.revokeFamily(family_id)
        // A family that had ended before deactivates no webhook, because a person may have activated it again since.
        const isLast = revoked.length > 0 && !(yield* repo.hasLogin({ user_id, client_id })).found
        if (isLast) yield* webhooks.deactivate({ user_id, client_id, organization_id: null })
        return revoked
      })

      const revokeReused = Effect.fnUntraced(function* (token: StoredToken) {
        yield* endFamily(token)
        const { client_id, family_id, user_id } = token
        const organization_id = token.organization_id ?? Option.getOrNull(yield* binding.primaryOf(user_id))
        if (organization_id === null) return
        const data = { user_id, client_id, family_id }
        yield* auditLog.append({ organization_id, actor: "system", action: "security.refresh_reuse", data })
      })

      /** Returns none instead of failing: a failure would roll back the revocation of a token that was used twice. */
      const exchange = Effect.fnUntraced(function* ({
        client,
        organization_id,
        refresh_token,
        scopes
      }: RefreshRequest) {
        const hash = hashToken(refresh_token)
        const seen = yield* repo.find(hash)
        if (Option.isNone(seen)) return Option.none()
        yield* users.lock(seen.value.user_id)
        // The token is read again, because another request may have changed it while this one waited for the lock.
        const token = Option.getOrElse(yield* repo.find(hash), () => seen.value)
        if (token.kind !== "refresh" || token.client_id !== client.id || !token.family_live) return Option.none()
        if (token.rotated_seconds !== null) {
          if (token.rotated_seconds > quiet_seconds) yield* revokeReused(token)
          return Option.none()
        }
        const current = yield* repo.holdClient(client.id)
        if (!token.live || Option.isNone(current)) return Option.none()
        const held = stillHeld(current.value, token.scopes)
        const wanted = scopes ?? held
        if (wanted.length === 0 || !covers(held, wanted)) return yield* InvalidScope.of()
        if (organization_id === undefined && !(yield* staysBound(token))) return yield* InvalidGrant.organization()
        yield* repo.rotate(token.id)
        const kept = token.primary_organization_id ?? token.organization_id ?? undefined
        const grant = { client, user_id: token.user_id, scopes: wanted, organization_id: organization_id ?? kept }
        return Option.some(yield* issue(token.family_id, grant, token.scopes))
      }, transaction)

      const refresh = Effect.fn("Tokens.refresh")(function* (request: RefreshRequest) {
        const answer = yield* exchange(request)
        if (Option.isNone(answer)) return yield* InvalidGrant.refreshToken()
        return answer.value
      })

      const revoke = Effect.fn("Tokens.revoke")(function* (client: Client, token: string) {
        const found = yield* repo.find(hashToken(token))
        if (Option.isNone(found)) return
        if (found.value.client_id !== client.id) return yield* UnauthorizedClient.otherClient()
        yield* users.lock(found.value.user_id)
        yield* found.value.kind === "refresh" ? endFamily(found.value) : repo.revoke(found.value.id)
      }, transaction)

      const revokeFamily = Effect.fn("Tokens.revokeFamily")(function* (family: Family) {
        yield* users.lock(family.user_id)
        yield* endFamily(family)
      }, transaction)

      const revokeClients = Effect.fn("Tokens.revokeClients")(function* (user_id: UserId, client_id: ClientId | null) {
        yield* users.lock(user_id)
        yield* repo.revokeClients({ user_id, client_id })
        yield* webhooks.deactivate({ user_id, client_id, organization_id: null })
      }, transaction)

      const logout = Effect.fn("Tokens.logout")(function* (user_id: UserId, token_id: TokenId) {
        yield* users.lock(user_id)
        const family = yield* repo.familyOf(token_id)
        const revoked = yield* Option.isNone(family) ? repo.revoke(token_id) : endFamily(family.value)
        return revoked.length > 0
      }, transaction)

      const logoutAll = Effect.fn("Tokens.logoutAll")(function* (user_id: UserId) {
        yield* users.lock(user_id)
        const revoked = yield* repo.revokeUser(user_id)
        yield* webhooks.deactivate({ user_id, client_id: null, organization_id: null })
        return revoked.length > 0
      }, transaction)

      return Tokens.of({
        start,
        refresh,
        revoke,
        revokeFamily,
        clientsOf: repo.listClients,
        revokeClients,
        logout,
        logoutAll
      })
    })
  ).pipe(Layer.provide([TokensRepo.layer, UsersRepo.layer]))
}
