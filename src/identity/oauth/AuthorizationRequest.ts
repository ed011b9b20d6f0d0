import { Schema, Struct } from "effect"
import type { Client } from "../clients/Client.ts"
import { described, shownAs } from "../../kernel/Described.ts"

const Parameter = Schema.optionalKey(
  Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate(shownAs({ type: "string" }))
)

/** Query of `GET /oauth/authorize` as it was sent. A repeated parameter becomes an array, which is refused later. */
export const AuthorizationQuery = Schema.Struct({
  client_id: described(Parameter, "Required. Id of the client."),
  redirect_uri: described(
    Parameter,
    "Required. Address to which the user returns; the client must have registered it."
  ),
  response_type: described(Parameter, "Required. Always `code`."),
  state: described(Parameter, "Required. Text of the client that is returned with the answer."),
  code_challenge: described(Parameter, "Required. Base64url of the SHA-256 hash of the code_verifier (RFC 7636)."),
  code_challenge_method: described(Parameter, "Required. Always `S256`."),
  scope: described(Parameter, "Scopes to request, separated by spaces. Default: those of the client.")
})
export type AuthorizationQuery = typeof AuthorizationQuery.Type

export interface AuthorizationRequest {
  readonly client: Client
  readonly redirect_uri: string
  readonly state: string
  readonly scopes: ReadonlyArray<string>
  readonly code_challenge: string
}

export type Decision =
  | { readonly _tag: "Redirect"; readonly location: string }
  | { readonly _tag: "Login" }
  | { readonly _tag: "Consent"; readonly request: AuthorizationRequest }

/** Writes the query as text, so that the browser can return to it after a login or a consent. */
export const queryText = (query: AuthorizationQuery): string => {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of typeof value === "string" ? [value] : value) text.append(name, one)
  }
  return text.toString()
}

export const parseQuery = (text: string): AuthorizationQuery => {
  const parameters = new URLSearchParams(text)
  return Object.fromEntries(
    Struct.keys(AuthorizationQuery.fields).flatMap((name) => {
      const [first, ...others] = parameters.getAll(name)
      if (first === undefined) return []
      return [[name, others.length === 0 ? first : [first, ...others]]]
    })
  )
}
