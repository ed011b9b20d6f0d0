import { Context, Data, Effect, Layer, Option } from "effect"
import type { OrganizationId } from "../../kernel/Ids.ts"
import { AppConfig, publicUrl } from "../../platform/config/AppConfig.ts"
import { hashToken, newToken } from "../../platform/crypto/Opaque.ts"
import { Database } from "../../platform/sql/Database.ts"
import type { Client } from "../clients/Client.ts"
import { Clients } from "../clients/Clients.ts"
import { matches } from "../clients/RedirectUri.ts"
import type { Session } from "../session/Session.ts"
import { Tokens } from "../tokens/Tokens.ts"
import { UsersRepo } from "../users/UsersRepo.ts"
import { AuthorizationCodesRepo } from "./AuthorizationCodesRepo.ts"
import type { AuthorizationQuery, AuthorizationRequest, Decision } from "./AuthorizationRequest.ts"
import { grantable } from "../clients/ClientScopes.ts"
import { InvalidClient, InvalidGrant, type InvalidScope } from "../OAuthErrors.ts"
import { challengeOf, isChallenge, isVerifier } from "./Pkce.ts"
import type { TokenAnswer } from "../tokens/TokenAnswer.ts"

/** An error that is reported to the client at its redirect_uri (RFC 6749, 4.1.2.1). */
class AuthorizationRefused extends Data.TaggedError("AuthorizationRefused")<{ readonly location: string }> {}

interface Redemption {
  readonly client: Client
  readonly code: string
  readonly redirect_uri: string
  readonly code_verifier: string
  readonly organization_id: OrganizationId | undefined
}

/** The authorization code flow with PKCE (RFC 6749, 4.1; RFC 7636): browsers get codes, and clients redeem them. */
export class Authorizations extends Context.Service<
  Authorizations,
  {
    readonly check: (
      query: AuthorizationQuery
    ) => Effect.Effect<AuthorizationRequest, InvalidClient | AuthorizationRefused>
    readonly authorize: (
      query: AuthorizationQuery,
      session: Option.Option<Session>
    ) => Effect.Effect<Decision, InvalidClient>
    readonly decide: (
      query: AuthorizationQuery,
      session: Session,
      approved: boolean
    ) => Effect.Effect<Decision, InvalidClient>
    readonly redeem: (redemption: Redemption) => Effect.Effect<TokenAnswer, InvalidGrant | InvalidScope>
  }
>()("invoicing/identity/oauth/Authorizations") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const issuer = publicUrl(yield* AppConfig)
      const clients = yield* Clients
      const tokens = yield* Tokens
      const users = yield* UsersRepo
      const repo = yield* AuthorizationCodesRepo
      const { transaction } = yield* Database

      const check = Effect.fn("Authorizations.check")(function* (query: AuthorizationQuery) {
        const client = yield* clients.find(single(query.client_id) ?? "")
        const redirect_uri = single(query.redirect_uri)
        if (Option.isNone(client) || redirect_uri === undefined) return yield* InvalidClient.of()
        if (!client.value.redirect_uris.some((uri) => matches(uri, redirect_uri))) return yield* InvalidClient.of()
        const parsed = parse(query, client.value)
        if (!("error" in parsed)) return { client: client.value, redirect_uri, ...parsed }
        const location = withParameters(redirect_uri, { ...parsed, ...stateOf(query), iss: issuer })
        return yield* new AuthorizationRefused({ location })
      })

      const grant = Effect.fn("Authorizations.grant")(function* (request: AuthorizationRequest, session: Session) {
        const code = yield* newToken("oac")
        yield* users.lock(session.user_id)
        const { client, code_challenge, redirect_uri, scopes, state } = request
        const row = { hash: hashToken(code), client_id: client.id, redirect_uri, scopes, code_challenge }
        const inserted = yield* repo.insert({ ...row, session_hash: session.hash })
        if (Option.isNone(inserted)) return login
        return redirectTo(withParameters(redirect_uri, { code, state, iss: issuer }))
      }, transaction)

      const authorize = Effect.fn("Authorizations.authorize")(
        function* (query: AuthorizationQuery, session: Option.Option<Session>) {
          const request = yield* check(query)
          if (Option.isNone(session)) return login
          if (!request.client.first_party) return { _tag: "Consent", request } as const
          return yield* grant(request, session.value)
        },
        Effect.catchTag("AuthorizationRefused", ({ location }) => Effect.succeed(redirectTo(location)))
      )

      const decide = Effect.fn("Authorizations.decide")(
        function* (query: AuthorizationQuery, session: Session, approved: boolean) {
          const request = yield* check(query)
          if (approved) return yield* grant(request, session)
          const refused = { error: "access_denied", error_description: "The user denied the request." }
          return redirectTo(withParameters(request.redirect_uri, { ...refused, state: request.state, iss: issuer }))
        },
        Effect.catchTag("AuthorizationRefused", ({ location }) => Effect.succeed(redirectTo(location)))
      )

      /** Returns none if the code is refused. A failure would roll back the revocation that a second use causes. */
      const exchange = Effect.fnUntraced(function* ({ client, code, organization_id, ...proof }: Redemption) {
        const hash = hashToken(code)
        const seen = yield* repo.find(hash)
        if (Option.isNone(seen) || seen.value.client_id !== client.id) return Option.none()
        const { user_id } = seen.value
        yield* users.lock(user_id)
        const code_challenge = isVerifier(proof.code_verifier) ? challengeOf(proof.code_verifier) : ""
        const taken = yield* repo.consume({
          hash,
          client_id: client.id,
          redirect_uri: proof.redirect_uri,
          code_challenge
        })
        if (Option.isNone(taken)) {
          const used = Option.flatMap(yield* repo.find(hash), ({ family_id }) => Option.fromNullOr(family_id))
          // Somebody else knows a code that is used twice, so its tokens are revoked (RFC 6749, 4.1.2).
          if (Option.isSome(used)) {
            yield* tokens.revokeFamily({ user_id, client_id: client.id, family_id: used.value })
          }
          return Option.none()
        }
        const started = yield* tokens.start({ client, user_id, scopes: taken.value.scopes, organization_id })
        yield* repo.setFamily({ hash, family_id: started.family_id })
        return Option.some(started.answer)
      }, transaction)

      const redeem = Effect.fn("Authorizations.redeem")(function* (redemption: Redemption) {
        const answer = yield* exchange(redemption)
        if (Option.isNone(answer)) return yield* InvalidGrant.code()
        return answer.value
      })

      return Authorizations.of({ check, authorize, decide, redeem })
    })
  ).pipe(Layer.provide([Clients.layer, Tokens.layer, UsersRepo.layer, AuthorizationCodesRepo.layer]))
}

const login: Decision = { _tag: "Login" }
const redirectTo = (location: string): Decision => ({ _tag: "Redirect", location })

type Parameter = AuthorizationQuery[keyof AuthorizationQuery]

const single = (value: Parameter): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const stateOf = (query: AuthorizationQuery) => {
  const state = single(query.state)
  return state === undefined ? {} : { state }
}

interface Refusal {
  readonly error: string
  readonly error_description: string
}

const refuse = (error: string, error_description: string): Refusal => ({ error, error_description })

const parse = (
  query: AuthorizationQuery,
  client: Client
): Refusal | Omit<AuthorizationRequest, "client" | "redirect_uri"> => {
  if (Object.values(query).some((value) => Array.isArray(value))) {
    return refuse("invalid_request", "A parameter is sent more than once.")
  }
  const response_type = single(query.response_type)
  const state = single(query.state)
  const code_challenge = single(query.code_challenge)
  if (response_type === undefined) return refuse("invalid_request", "The response_type parameter is missing.")
  if (response_type !== "code") return refuse("unsupported_response_type", "The only response_type is code.")
  if (state === undefined) return refuse("invalid_request", "The state parameter is missing.")
  if (query.code_challenge_method !== "S256" || code_challenge === undefined || !isChallenge(code_challenge)) {
    return refuse("invalid_request", "A code_challenge with the code_challenge_method S256 is required.")
  }
  const scopes = grantable(client, single(query.scope))
  if (Option.isNone(scopes)) return refuse("invalid_scope", "The client may not request these scopes.")
  return { state, code_challenge, scopes: scopes.value }
}

/** Appends the parameters as percent-encoded text, so that the registered URI stays unchanged. */
const withParameters = (redirect_uri: string, parameters: Record<string, string>): string =>
  `${redirect_uri}${redirect_uri.includes("?") ? "&" : "?"}${new URLSearchParams(parameters).toString()}`
