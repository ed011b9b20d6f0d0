import * as oauth from "oauth4webapi"
import type { TokenSource } from "./Sender.ts"

/** An application that is registered with the service. A browser or mobile application has no secret. */
export interface Application {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly redirectUri: string
  readonly scopes: ReadonlyArray<string>
}

/** The state that `finishLogin` needs; keep it, for example in `sessionStorage`, while the user is at the service. */
export interface PendingLogin {
  /** The address to which the application sends the user. */
  readonly url: string
  readonly state: string
  readonly verifier: string
}

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | null
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Begins the authorization code flow with PKCE (RFC 7636). */
export const beginLogin = async (application: Application): Promise<PendingLogin> => {
  const server = await discover(application)
  const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()]
  const url = new URL(server.authorization_endpoint ?? "")
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: application.clientId,
    redirect_uri: application.redirectUri,
    scope: application.scopes.join(" "),
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256"
  }).toString()
  return { url: url.href, state, verifier }
}

/** Exchanges the code in `returnedTo`, the address to which the service sent the user back, for tokens. */
export const finishLogin = async (
  application: Application,
  { state, verifier }: Pick<PendingLogin, "state" | "verifier">,
  returnedTo: string | URL
): Promise<Tokens> => {
  const server = await discover(application)
  const client = { client_id: application.clientId }
  const parameters = oauth.validateAuthResponse(server, client, new URL(returnedTo), state)
  const authentication = authenticationOf(application)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    parameters,
    application.redirectUri,
    verifier,
    insecure(application)
  )
  return tokensOf(await oauth.processAuthorizationCodeResponse(server, client, response))
}

/**
 * Serves as the `token` of a client, and renews the access token when that expires or is refused. Each renewal replaces
 * the refresh token, so `onTokens` should store the new tokens.
 */
export const session = (
  application: Application,
  initial: Tokens,
  onTokens: (tokens: Tokens) => void | Promise<void> = () => undefined
): TokenSource => {
  let tokens = initial
  let renewal: Promise<void> | undefined
  const renew = async () => {
    // The old refresh token is used up, so the session keeps the new tokens even if `onTokens` fails to store them.
    tokens = await refresh(application, tokens)
    await onTokens(tokens)
  }
  return {
    token: async (refused) => {
      const isCurrent = tokens.accessToken !== refused && tokens.expiresAt - margin_ms > Date.now()
      if (isCurrent || tokens.refreshToken === null) return tokens.accessToken
      // Requests that find the token expired at the same time share one renewal.
      renewal ??= renew().finally(() => (renewal = undefined))
      await renewal
      return tokens.accessToken
    }
  }
}

/** Time before the end of a token at which it is renewed, because a request takes time. */
const margin_ms = 30_000

const refresh = async (application: Application, { refreshToken }: Tokens): Promise<Tokens> => {
  const server = await discover(application)
  const client = { client_id: application.clientId }
  const authentication = authenticationOf(application)
  const options = insecure(application)
  const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken ?? "", options)
  return tokensOf(await oauth.processRefreshTokenResponse(server, client, response))
}

const discover = async (application: Application): Promise<oauth.AuthorizationServer> => {
  const issuer = new URL(application.baseUrl)
  const response = await oauth.discoveryRequest(issuer, { ...insecure(application), algorithm: "oauth2" })
  return oauth.processDiscoveryResponse(issuer, response)
}

/** Allows requests without TLS to a service on this machine only. */
const insecure = ({ baseUrl }: Application) => ({
  [oauth.allowInsecureRequests]: ["localhost", "127.0.0.1", "[::1]"].includes(new URL(baseUrl).hostname)
})

const authenticationOf = ({ clientSecret }: Application): oauth.ClientAuth =>
  clientSecret === undefined ? oauth.None() : oauth.ClientSecretPost(clientSecret)

const tokensOf = (answer: oauth.TokenEndpointResponse): Tokens => ({
  accessToken: answer.access_token,
  refreshToken: answer.refresh_token ?? null,
  expiresAt: Date.now() + (answer.expires_in ?? 0) * 1000
})
