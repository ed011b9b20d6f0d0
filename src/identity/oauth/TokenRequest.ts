import { Schema, Struct } from "effect"
import { nullable, Text } from "../../kernel/Text.ts"

const characters_max = 8192

const Parameter = Text(characters_max)

const client = { client_id: Parameter, client_secret: Parameter }

/** Parameters of every grant (RFC 6749, 4 and 6; RFC 7636, 4.5), each at most once. */
const token = {
  grant_type: Parameter,
  ...client,
  code: Parameter,
  redirect_uri: Parameter,
  code_verifier: Parameter,
  refresh_token: Parameter,
  username: Parameter,
  password: Schema.String.check(Schema.isMaxLength(characters_max)),
  scope: Parameter
}

/** RFC 7009, 2.1. The hint is not used, because one lookup finds either kind. */
const revocation = { token: Parameter, token_type_hint: Parameter, ...client }

const orNull = <Fields extends Record<string, Schema.Top>>(fields: Fields) =>
  Struct.map(Struct.map(fields, Schema.NullOr), Schema.optionalKey)

/** A form has no null, only the text `null`. */
export const TokenForm = Schema.Struct(
  Struct.map({ ...token, organization_id: Parameter }, Schema.optionalKey)
).annotate({ identifier: "TokenForm" })

/** The same parameters in JSON, where the organization's id may be a number. */
export const TokenRequest = Schema.Struct({
  ...orNull(token),
  organization_id: nullable(Schema.Union([Schema.String, Schema.Finite]))
}).annotate({ identifier: "TokenRequest" })
export type TokenRequest = typeof TokenRequest.Type

export const RevocationForm = Schema.Struct(Struct.map(revocation, Schema.optionalKey)).annotate({
  identifier: "RevocationForm"
})
export const RevocationRequest = Schema.Struct(orNull(revocation)).annotate({ identifier: "RevocationRequest" })
export type RevocationRequest = typeof RevocationRequest.Type

/** RFC 6749, 3.1: a parameter without a value counts as not sent. */
export const given = (value: string | null | undefined): string | undefined =>
  value === null || value === "" ? undefined : value
