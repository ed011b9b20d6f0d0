import { Effect, Schema } from "effect"
import { described } from "../kernel/Described.ts"

/** Body of every OAuth error (RFC 6749, 5.2); `message` repeats the description for clients of the rest of the API. */
const refusal = <const Tag extends string, const Code extends string>(tag: Tag, code: Code) => ({
  _tag: Schema.tagDefaultOmit(tag),
  error: described(
    Schema.Literal(code).pipe(Schema.withConstructorDefault(Effect.succeed(code))),
    "Name of the error (RFC 6749, 5.2)."
  ),
  error_description: described(Schema.String, "Description of the error, in one English sentence."),
  message: described(Schema.String, "The same as `error_description`.")
})

const saying = (sentence: string) => ({ error_description: sentence, message: sentence })

/** The answer is the same for an unknown client, a wrong secret and an unregistered redirect_uri. */
export class InvalidClient extends Schema.Error<InvalidClient>("InvalidClient")(
  refusal("InvalidClient", "invalid_client"),
  {
    httpApiStatus: 401,
    description: "The client is unknown, or its credentials or redirect_uri are not the registered ones."
  }
) {
  static of() {
    return new InvalidClient(
      saying("The client is unknown, or its credentials or redirect_uri are not the registered ones.")
    )
  }
}

export class InvalidGrant extends Schema.Error<InvalidGrant>("InvalidGrant")(refusal("InvalidGrant", "invalid_grant"), {
  httpApiStatus: 400,
  description: "The code, the refresh token or the user credentials are invalid, expired or used; authorize again."
}) {
  /** The answer is the same for unknown, expired, used and mismatching codes: the reason would help an attacker. */
  static code() {
    return new InvalidGrant(
      saying("The authorization code is invalid, expired or used, or its redirect_uri or code_verifier does not match.")
    )
  }
  static refreshToken() {
    return new InvalidGrant(saying("The refresh token is invalid, expired or was used before."))
  }
  static credentials() {
    return new InvalidGrant(saying("The user credentials are incorrect."))
  }
  static client() {
    return new InvalidGrant(saying("The client was removed."))
  }
  static secondFactor() {
    return new InvalidGrant(
      saying("This account logs in with a second step, so it needs the authorization code grant instead of a password.")
    )
  }
  static organization() {
    return new InvalidGrant(saying("The user belongs to no such organization, so the token cannot be bound to it."))
  }
}

export class InvalidRequest extends Schema.Error<InvalidRequest>("InvalidRequest")(
  refusal("InvalidRequest", "invalid_request"),
  { httpApiStatus: 400, description: "A parameter is missing, repeated or malformed; the description names it." }
) {
  static of(sentence: string) {
    return new InvalidRequest(saying(sentence))
  }
  static missing(parameter: string) {
    return InvalidRequest.of(`The ${parameter} parameter is missing.`)
  }
}

export class InvalidScope extends Schema.Error<InvalidScope>("InvalidScope")(refusal("InvalidScope", "invalid_scope"), {
  httpApiStatus: 400,
  description: "The client may not request these scopes."
}) {
  static of() {
    return new InvalidScope(saying("The client may not request these scopes."))
  }
}

export class UnauthorizedClient extends Schema.Error<UnauthorizedClient>("UnauthorizedClient")(
  refusal("UnauthorizedClient", "unauthorized_client"),
  {
    httpApiStatus: 400,
    description: "The client may not use this grant type, or may not revoke a token of another client."
  }
) {
  static grantType() {
    return new UnauthorizedClient(saying("The client may not use this grant type."))
  }
  static otherClient() {
    return new UnauthorizedClient(saying("The token belongs to another client, which alone may revoke it."))
  }
}

export class UnsupportedGrantType extends Schema.Error<UnsupportedGrantType>("UnsupportedGrantType")(
  refusal("UnsupportedGrantType", "unsupported_grant_type"),
  { httpApiStatus: 400, description: "The grant type is not supported." }
) {
  static of() {
    return new UnsupportedGrantType(saying("The grant type is not supported."))
  }
}

export class TemporarilyUnavailable extends Schema.Error<TemporarilyUnavailable>("TemporarilyUnavailable")(
  refusal("TemporarilyUnavailable", "temporarily_unavailable"),
  { httpApiStatus: 503, description: "Too many people are logging in; try again in a few seconds." }
) {
  static of() {
    return new TemporarilyUnavailable(saying("Too many people are logging in. Try again in a few seconds."))
  }
}

/** Too many wrong passwords. Every 429 has this body (rules/conventions.md, Errors). */
export class TooManyAttempts extends Schema.Error<TooManyAttempts>("TooManyAttempts")(
  {
    _tag: Schema.tagDefaultOmit("TooManyAttempts"),
    message: described(Schema.Literal("Too Many Attempts."), "Always this text.")
  },
  { httpApiStatus: 429, description: "There were too many wrong passwords; wait for the time in `Retry-After`." }
) {
  static of() {
    return new TooManyAttempts({ message: "Too Many Attempts." })
  }
}

/** An organization API token has no session to log out of. */
export class InvalidTokenType extends Schema.Error<InvalidTokenType>("InvalidTokenType")(
  refusal("InvalidTokenType", "invalid_token_type"),
  {
    httpApiStatus: 400,
    description: "The API token of an organization cannot log out; revoke it in the administration."
  }
) {
  static of() {
    return new InvalidTokenType(saying("An organization API token cannot log out; revoke it in the administration."))
  }
}

export class UnsupportedTokenType extends Schema.Error<UnsupportedTokenType>("UnsupportedTokenType")(
  refusal("UnsupportedTokenType", "unsupported_token_type"),
  { httpApiStatus: 400, description: "This kind of credential cannot be revoked by logging out." }
) {
  static of() {
    return new UnsupportedTokenType(saying("This kind of credential cannot be revoked by logging out."))
  }
}
