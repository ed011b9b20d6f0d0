import { Schema } from "effect"
import { pageLanguages } from "../../platform/pages/PageLanguage.ts"
import { everyScope, scopesKnown } from "../Scope.ts"
import { described } from "../../kernel/Described.ts"

const Texts = Schema.Array(Schema.String)

/** The properties of this server by which a client configures itself (RFC 8414, 2). */
export const ServerMetadata = Schema.Struct({
  issuer: described(Schema.String, "Name of this server, which is its address."),
  authorization_endpoint: described(Schema.String, "Address where a user logs in and consents."),
  token_endpoint: described(Schema.String, "Address that issues tokens."),
  revocation_endpoint: described(Schema.String, "Address that revokes tokens."),
  service_documentation: described(Schema.String, "Address of this reference."),
  scopes_supported: described(Texts, "Scopes that a client may request."),
  response_types_supported: described(Texts, "Response types: only `code`."),
  response_modes_supported: described(Texts, "Response modes: only `query`."),
  grant_types_supported: described(Texts, "Grant types of the token endpoint."),
  token_endpoint_auth_methods_supported: described(Texts, "How a client may authenticate at the token endpoint."),
  revocation_endpoint_auth_methods_supported: described(
    Texts,
    "How a client may authenticate at the revocation endpoint."
  ),
  code_challenge_methods_supported: described(Texts, "Methods of PKCE: only `S256`."),
  authorization_response_iss_parameter_supported: described(
    Schema.Boolean,
    "Always true: the answer to an authorization names the issuer (RFC 9207)."
  ),
  ui_locales_supported: described(Texts, "Languages of the pages that users see, as ISO 639-1 codes.")
}).annotate({
  identifier: "ServerMetadata",
  description: "Metadata with which an OAuth client configures itself (RFC 8414)."
})
export type ServerMetadata = typeof ServerMetadata.Type

const authenticationMethods = ["none", "client_secret_basic", "client_secret_post"]

/** The password grant is not listed, because it exists only for old integrations, which know about it. */
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
