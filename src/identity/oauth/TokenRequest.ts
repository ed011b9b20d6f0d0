import { Schema } from "effect"
import { Text } from "../../kernel/Text.ts"

const characters_max = 8192

const Parameter = Schema.optionalKey(Schema.NullOr(Text(characters_max)))

const clientFields = { client_id: Parameter, client_secret: Parameter }

/** Parameters of every grant (RFC 6749, 4 and 6; RFC 7636, 4.5), each at most once. */
export const TokenForm = Schema.Struct({
  grant_type: Parameter,
  ...clientFields,
  code: Parameter,
  redirect_uri: Parameter,
  code_verifier: Parameter,
  refresh_token: Parameter,
  username: Parameter,
  password: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(characters_max)))),
  scope: Parameter,
  organization_id: Parameter
})

/** The same in JSON, where the id may be a number. */
export const TokenRequest = Schema.Struct({
  ...TokenForm.fields,
  organization_id: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Finite])))
})
export type TokenRequest = typeof TokenRequest.Type

/** RFC 7009, 2.1. The hint is not needed: one lookup finds either kind. */
export const RevocationRequest = Schema.Struct({ token: Parameter, token_type_hint: Parameter, ...clientFields })
export type RevocationRequest = typeof RevocationRequest.Type

/** RFC 6749, 3.1: a parameter without a value is one that was not sent. */
export const given = (value: string | null | undefined): string | undefined =>
  value === null || value === "" ? undefined : value
