import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { Clients } from "./clients/Clients.ts"
import { SecondFactors } from "./factors/SecondFactors.ts"
import { IdentityPurgeWorker } from "./IdentityPurge.ts"
import { AccountMail } from "./mail/AccountMail.ts"
import { Authorizations } from "./oauth/Authorizations.ts"
import { OAuthFrameLive, OAuthHttp, OAuthRequestValidationLive } from "./pages/OAuthHttp.ts"
import { TokenEndpoint } from "./oauth/TokenEndpoint.ts"
import { AccountMailWorker } from "./mail/AccountMailWorker.ts"
import { EmailChanges } from "./accounts/EmailChanges.ts"
import { PasswordResets } from "./accounts/PasswordResets.ts"
import { PageRoutes } from "./pages/IdentityPages.ts"
import { Browser } from "./session/Browser.ts"
import { LogoutCredentialLive } from "./session/LogoutCredentialLive.ts"
import { Logins } from "./session/Logins.ts"
import { SessionHttp } from "./session/SessionHttp.ts"
import { Sessions } from "./session/Sessions.ts"
import { ApiTokens } from "./tokens/ApiTokens.ts"
import { Tokens } from "./tokens/Tokens.ts"
import { Users } from "./users/Users.ts"

const IdentityServices = Layer.mergeAll(
  Users.layer,
  Clients.layer,
  Tokens.layer,
  ApiTokens.layer,
  Authorizations.layer,
  TokenEndpoint.layer,
  Sessions.layer,
  Browser.layer,
  Logins.layer,
  PasswordResets.layer,
  EmailChanges.layer,
  SecondFactors.layer,
  AccountMail.layer
)

export const IdentityLayer = Layer.mergeAll(OAuthHttp, SessionHttp).pipe(
  Layer.provide([IdentityServices, OAuthFrameLive, OAuthRequestValidationLive, LogoutCredentialLive])
)

export const IdentityPages = PageRoutes.pipe(HttpRouter.provideRequest(IdentityServices))

export const IdentityWorkers = Layer.mergeAll(IdentityPurgeWorker, AccountMailWorker)
