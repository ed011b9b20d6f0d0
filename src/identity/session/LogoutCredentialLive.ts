import { Effect, Layer, Option, Redacted, Result } from "effect"
import { Base64 } from "effect/encoding"
import { HttpServerRequest } from "effect/http"
import { AppConfig } from "../../platform/config/AppConfig.ts"
import { sameSecret } from "../../platform/crypto/Opaque.ts"
import { bearerToken } from "../../platform/http/edge/Edge.ts"
import { client_secret_prefix } from "../clients/Clients.ts"
import { UnsupportedTokenType } from "../OAuthErrors.ts"
import { LogoutCredential } from "./LogoutCredential.ts"

/** True for credentials of HTTP Basic: a name and a password, joined by a colon (RFC 7617). */
const isBasic = (authorization: string): boolean => {
  const pair = Base64.decodeString(/^basic +(\S+) *$/i.exec(authorization)?.[1] ?? "")
  return Result.getOrElse(pair, () => "").includes(":")
}

export const LogoutCredentialLive = Layer.effect(
  LogoutCredential,
  Effect.gen(function* () {
    const { adminToken } = yield* AppConfig
    const isAdminToken = (token: string) =>
      Option.isSome(adminToken) && sameSecret(Redacted.value(adminToken.value), token)
    return LogoutCredential.of(
      Effect.fnUntraced(function* (handler) {
        const { authorization = "" } = (yield* HttpServerRequest.HttpServerRequest).headers
        const token = bearerToken(authorization) ?? ""
        const isOther = isBasic(authorization) || token.startsWith(`${client_secret_prefix}_`) || isAdminToken(token)
        if (isOther) return yield* UnsupportedTokenType.of()
        return yield* handler
      })
    )
  })
)
