import { Schema } from "effect"
import { pageLanguages } from "../../platform/pages/PageLanguage.ts"
import { everyScope, scopesKnown } from "../Scope.ts"

const Texts = Schema.Array(Schema.String)

/** RFC 8414, 2: facts from which a client configures itself. */
export const ServerMetadata = Schema.Struct({
  issuer: Schema.String,
  authorization_endpoint: Schema.String,
  token_endpoint: Schema.String,
  revocation_endpoint: Schema.String,
  service_documentation: Schema.String,
  scopes_supported: Texts,
  response_types_supported: Texts,
  response_modes_supported: Texts,
  grant_types_supported: Texts,
  token_endpoint_auth_methods_supported: Texts,
  revocation_endpoint_auth_methods_supported: Texts,
  code_challenge_methods_supported: Texts,
  authorization_response_iss_parameter_supported: Schema.Boolean,
  ui_locales_supported: Texts
}).annotate({ identifier: "ServerMetadata" })
export type ServerMetadata = typeof ServerMetadata.Type

const authenticationMethods = ["none", "client_secret_basic", "client_secret_post"]

/** The password grant is left out, because it exists for old integrations, which know of it. */
export const serverMetadata = (issuer: string): ServerMetadata => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  service_documentation: `${issuer}/docs`,
  scopes_supported: [...scopesKnown, everyScope],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: authenticationMethods,
  revocation_endpoint_auth_methods_supported: authenticationMethods,
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  ui_locales_supported: pageLanguages
})
