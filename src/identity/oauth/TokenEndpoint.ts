import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { OrganizationId } from "../../kernel/Ids.ts"
import type { Client } from "../clients/Client.ts"
import { Clients } from "../clients/Clients.ts"
import { Tokens } from "../tokens/Tokens.ts"
import type { LoginThrottled } from "../users/UserErrors.ts"
import { Users } from "../users/Users.ts"
import { Authorizations } from "./Authorizations.ts"
import { credentialsOf } from "./ClientAuthentication.ts"
import { grantable } from "../clients/ClientScopes.ts"
import {
  type InvalidClient,
  InvalidGrant,
  InvalidRequest,
  InvalidScope,
  TemporarilyUnavailable,
  UnauthorizedClient,
  UnsupportedGrantType
} from "../OAuthErrors.ts"
import type { TokenAnswer } from "../tokens/TokenAnswer.ts"
import { given, type RevocationRequest, type TokenRequest } from "./TokenRequest.ts"

export interface Sender {
  readonly authorization: string | undefined
  readonly address: string
}

type Refusal =
  | InvalidClient
  | InvalidGrant
  | InvalidRequest
  | InvalidScope
  | UnauthorizedClient
  | UnsupportedGrantType
  | TemporarilyUnavailable
  | LoginThrottled

/** Implements the grants of `POST /oauth/token`, and the revocation of RFC 7009. */
export class TokenEndpoint extends Context.Service<
  TokenEndpoint,
  {
    readonly token: (request: TokenRequest, sender: Sender) => Effect.Effect<TokenAnswer, Refusal>
    readonly revoke: (
      request: RevocationRequest,
      sender: Sender
    ) => Effect.Effect<void, InvalidClient | InvalidRequest | UnauthorizedClient>
  }
>()("invoicing/identity/oauth/TokenEndpoint") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const clients = yield* Clients
      const tokens = yield* Tokens
      const users = yield* Users
      const authorizations = yield* Authorizations

      const authorizationCode = Effect.fnUntraced(function* (client: Client, request: TokenRequest) {
        const code = yield* required("code", request.code)
        const redirect_uri = yield* required("redirect_uri", request.redirect_uri)
        const code_verifier = given(request.code_verifier) ?? ""
        const organization_id = yield* organizationOf(client, request)
        return yield* authorizations.redeem({ client, code, redirect_uri, code_verifier, organization_id })
      })

      const refreshToken = Effect.fnUntraced(function* (client: Client, request: TokenRequest) {
        const refresh_token = yield* required("refresh_token", request.refresh_token)
        const asked = given(request.scope)
        const scopes = asked === undefined ? undefined : yield* scopesOf(client, asked)
        const organization_id = yield* organizationOf(client, request)
        return yield* tokens.refresh({ client, refresh_token, scopes, organization_id })
      })

      const password = Effect.fnUntraced(function* (client: Client, request: TokenRequest, sender: Sender) {
        if (!client.password_grant) return yield* UnauthorizedClient.grantType()
        const username = yield* required("username", request.username)
        const secret = Redacted.make(yield* required("password", request.password))
        const scopes = yield* scopesOf(client, given(request.scope))
        const organization_id = yield* organizationOf(client, request)
        const user = yield* users.authenticate(username, secret, { address: sender.address }).pipe(
          Effect.catchTags({
            CredentialsWrong: () => InvalidGrant.credentials(),
            PasswordsBusy: () => TemporarilyUnavailable.of()
          })
        )
        // The password grant has no second step, so a password alone must not open an account that requires one.
        if (user.second_factor) return yield* InvalidGrant.secondFactor()
        const { answer } = yield* users
          .whileChecked(user, tokens.start({ client, user_id: user.id, scopes, organization_id }))
          .pipe(Effect.catchTag("CredentialsWrong", () => InvalidGrant.credentials()))
        return answer
      })

      const token = Effect.fn("TokenEndpoint.token")(function* (request: TokenRequest, sender: Sender) {
        const grant_type = yield* required("grant_type", request.grant_type)
        const client = yield* clients.authenticate(yield* credentialsOf(request, sender.authorization))
        switch (grant_type) {
          case "authorization_code":
            return yield* authorizationCode(client, request)
          case "refresh_token":
            return yield* refreshToken(client, request)
          case "password":
            return yield* password(client, request, sender)
          default:
            return yield* UnsupportedGrantType.of()
        }
      })

      const revoke = Effect.fn("TokenEndpoint.revoke")(function* (request: RevocationRequest, sender: Sender) {
        const client = yield* clients.authenticate(yield* credentialsOf(request, sender.authorization))
        yield* tokens.revoke(client, yield* required("token", request.token))
      })

      return TokenEndpoint.of({ token, revoke })
    })
  ).pipe(Layer.provide([Clients.layer, Tokens.layer, Users.layer, Authorizations.layer]))
}

const required = Effect.fnUntraced(function* (name: string, value: string | null | undefined) {
  const text = given(value)
  if (text === undefined) return yield* InvalidRequest.missing(name)
  return text
})

const scopesOf = Effect.fnUntraced(function* (client: Client, asked: string | undefined) {
  const scopes = grantable(client, asked)
  if (Option.isNone(scopes)) return yield* InvalidScope.of()
  return scopes.value
})

const decodeOrganizationId = Schema.decodeUnknownOption(OrganizationId)

/** The organization_id of a first-party client is ignored (rules/authentication.md, Tokens). */
const organizationOf = Effect.fnUntraced(function* (client: Client, { organization_id }: TokenRequest) {
  const sent = typeof organization_id === "number" ? String(organization_id) : given(organization_id)
  if (client.first_party || sent === undefined) return undefined
  const id = decodeOrganizationId(/^[1-9]\d*$/.test(sent) ? Number(sent) : Number.NaN)
  if (Option.isNone(id)) return yield* InvalidGrant.organization()
  return id.value
})
