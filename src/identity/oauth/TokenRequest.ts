import { Schema, Struct } from "effect"
import { nullable, Text } from "../../kernel/Text.ts"
import { described, describedOrNull } from "../../kernel/Described.ts"

const characters_max = 8192

const Parameter = Text(characters_max)

const client = {
  client_id: described(Parameter, "Id of the client; not needed with HTTP Basic authentication."),
  client_secret: described(Parameter, "Secret of the client; a public client has none.")
}

/** Parameters of every grant (RFC 6749, 4 and 6; RFC 7636, 4.5), each at most once. */
const token = {
  grant_type: described(Parameter, "`authorization_code` or `refresh_token`."),
  ...client,
  code: described(Parameter, "Authorization code; only for `authorization_code`."),
  redirect_uri: described(Parameter, "The redirect_uri of the authorization; only for `authorization_code`."),
  code_verifier: described(
    Parameter,
    "Text whose SHA-256 hash was the code_challenge (RFC 7636); only for `authorization_code`."
  ),
  refresh_token: described(Parameter, "Refresh token, which works once; only for `refresh_token`."),
  username: described(Parameter, "E-mail address of the user; only for `password`, a grant of old integrations."),
  password: described(
    Schema.String.check(Schema.isMaxLength(characters_max)),
    "Password of the user; only for `password`."
  ),
  scope: described(Parameter, "Scopes to request, separated by spaces. Default: all that were granted.")
}

/** RFC 7009, 2.1. The hint about the kind of token is ignored, because one lookup finds both kinds. */
const revocation = {
  token: described(Parameter, "Access or refresh token to revoke."),
  token_type_hint: described(Parameter, "Kind of the token; it is not needed and is ignored."),
  ...client
}

const orNull = <Fields extends Record<string, Schema.Top>>(fields: Fields) =>
  Struct.map(Struct.map(fields, describedOrNull), Schema.optionalKey)

/** A request for tokens as a form, in which no parameter can be null. */
export const TokenForm = Schema.Struct(
  Struct.map(
    { ...token, organization_id: described(Parameter, "Organization to bind the tokens to.") },
    Schema.optionalKey
  )
).annotate({ identifier: "TokenForm", description: "A request for tokens, as a form." })

/** A request for tokens in JSON, in which the organization's id may be a number. */
export const TokenRequest = Schema.Struct({
  ...orNull(token),
  organization_id: described(
    nullable(Schema.Union([Schema.String, Schema.Finite])),
    "Organization to bind the tokens to; null for none."
  )
}).annotate({ identifier: "TokenRequest", description: "A request for tokens, as JSON." })
export type TokenRequest = typeof TokenRequest.Type

export const RevocationForm = Schema.Struct(Struct.map(revocation, Schema.optionalKey)).annotate({
  identifier: "RevocationForm",
  description: "A token to revoke, as a form."
})
export const RevocationRequest = Schema.Struct(orNull(revocation)).annotate({
  identifier: "RevocationRequest",
  description: "A token to revoke, as JSON."
})
export type RevocationRequest = typeof RevocationRequest.Type

/** A parameter without a value counts as absent (RFC 6749, 3.1). */
export const given = (value: string | null | undefined): string | undefined =>
  value === null || value === "" ? undefined : value
